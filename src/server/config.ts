import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { gitVariables } from '../fetch/git-variables.ts'
import { logLevels } from '../kernel/log.ts'
import { days, hours, seconds } from '../kernel/time.ts'
import { MailFrom, SmtpUrl, findMailProblems, toMailSettings } from './mail-config.ts'
import { OidcIssuer, OidcProviders, findOidcProblems, toOidcProviders } from './oidc-config.ts'
import { findTranslationProblems, toTranslationConfig, translationKinds } from './translation-config.ts'
import { type SignInOption, signInMethods } from '../sign-in/context.ts'

export const processRoles = ['api', 'site', 'worker', 'scheduler'] as const
export type ProcessRole = (typeof processRoles)[number]

/** Makes a variable optional. An empty value counts as missing, because Compose files and unit files set empty values. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be between ${minimum} and ${maximum}`)

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .refine((value) => !/[?#]/.test(value), 'must not have a query string or a fragment')
  .transform((value) => value.replace(/\/+$/, ''))

const hostname = z
  .string()
  .toLowerCase()
  .regex(/^([a-z0-9-]+\.)*[a-z0-9-]+$/, 'must be a hostname')

/** Whether a string is an IP address, with or without a port. */
function isNameServer(server: string): boolean {
  const [, bracketed = '', plain = '', port = '53'] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(server) ?? []
  const isPort = Number(port) > 0 && Number(port) < 2 ** 16
  return isIP(server) !== 0 || (isPort && (isIP(bracketed) === 6 || isIP(plain) === 4))
}

const Environment = z.object({
  HOST: optional(z.string()).default('127.0.0.1'),
  PORT: optional(integer(0, 65535)).default(3000),
  OCTAVO_HEALTH_PORT: optional(integer(0, 65535)),
  OCTAVO_DATA: optional(z.string()).default('./data'),
  OCTAVO_URL: optional(httpUrl),
  OCTAVO_SITES_DOMAIN: optional(hostname),
  OCTAVO_HOSTNAMES: optional(
    z
      .string()
      .transform((value) => value.split(',').map((name) => name.trim().toLowerCase()))
      .pipe(
        z.array(
          z
            .string()
            .regex(
              /^(\*\.)?([a-z0-9-]+\.)+[a-z0-9-]+$/,
              'must be a list of hostnames, for example docs.example.com,*.example.org',
            ),
        ),
      ),
  ).default([]),
  OCTAVO_DNS_SERVERS: optional(
    z
      .string()
      .transform((value) => value.split(',').map((server) => server.trim()))
      .pipe(
        z.array(
          z.string().refine(isNameServer, 'must be a list of IP addresses, for example 192.0.2.1,[2001:db8::1]:5353'),
        ),
      ),
  ).default([]),
  DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\/.+/, 'must start with postgres://')),
  OCTAVO_DATABASE_POOL: optional(integer(2, 1000)).default(10),
  OCTAVO_STATEMENT_TIMEOUT: optional(integer(0, 3600)).default(60),
  OCTAVO_BOOTSTRAP_TOKEN: optional(
    z
      .string()
      .min(20, 'must have at least 20 characters')
      .max(200, 'must have at most 200 characters')
      .regex(/^\S+$/, 'must not contain whitespace'),
  ),
  OCTAVO_ADMIN_EMAIL: optional(z.email('must be an email address').toLowerCase()).default('admin@octavo.local'),
  ROLES: optional(
    z
      .string()
      .transform((value) => value.split(',').map((name) => name.trim()))
      .pipe(
        z.array(z.enum(processRoles, { error: `must be a comma-separated list of ${processRoles.join(', ')}` })).min(1),
      ),
  ).default([...processRoles]),
  OCTAVO_ALLOW_PRIVATE_NETWORK: optional(z.enum(['0', '1'], { error: 'must be 0 or 1' })).default('0'),
  OCTAVO_SECRET_KEY: optional(z.string().min(32, 'must have at least 32 characters')),
  OCTAVO_GIT_MAX_BYTES: optional(integer(1024, 2 ** 40)).default(1024 ** 3),
  OCTAVO_GIT_TIMEOUT: optional(integer(1, 3000)).default(900),
  OCTAVO_IMPORT_MAX_PAGES: optional(integer(1, 50_000)).default(5000),
  OCTAVO_IMPORT_MAX_SECONDS: optional(integer(1, 86_400)).default(1800),
  OCTAVO_S3_ENDPOINT: optional(httpUrl),
  OCTAVO_S3_BUCKET: optional(z.string()),
  OCTAVO_S3_REGION: optional(z.string()).default('us-east-1'),
  OCTAVO_S3_ACCESS_KEY_ID: optional(z.string()),
  OCTAVO_S3_SECRET_ACCESS_KEY: optional(z.string()),
  OCTAVO_LOG_LEVEL: optional(z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })).default('info'),
  OCTAVO_LOG_FORMAT: optional(z.enum(['json', 'pretty'], { error: 'must be json or pretty' })),
  OCTAVO_CACHE_MEMORY: optional(integer(16, 65_536)).default(256),
  OCTAVO_BODY_LIMIT: optional(integer(1024, 1024 ** 3)).default(32 * 1024 ** 2),
  OCTAVO_BODY_MEMORY: optional(integer(1024, 1024 ** 4)).default(128 * 1024 ** 2),
  OCTAVO_BODY_TIMEOUT: optional(integer(1, 600)).default(10),
  OCTAVO_HEADER_TIMEOUT: optional(integer(1, 600)).default(10),
  OCTAVO_MAX_CONNECTIONS: optional(integer(10, 1_000_000)).default(5000),
  OCTAVO_MAX_CONNECTIONS_PER_ADDRESS: optional(integer(10, 1_000_000)).default(512),
  OCTAVO_ORGANIZATION_STORAGE: optional(integer(0, 2 ** 50)).default(20 * 1024 ** 3),
  OCTAVO_STORAGE: optional(integer(0, 2 ** 50)).default(100 * 1024 ** 3),
  OCTAVO_RATE_LIMIT: optional(integer(0, 1_000_000)).default(6000),
  OCTAVO_SITE_RATE_LIMIT: optional(integer(0, 1_000_000)).default(3000),
  OCTAVO_SITE_CONCURRENCY: optional(integer(2, 1000)).default(8),
  OCTAVO_EVENTS_RATE_LIMIT: optional(integer(0, 1_000_000)).default(600),
  OCTAVO_FETCH_EMBEDS: optional(z.enum(['0', '1'], { error: 'must be 0 or 1' })).default('1'),
  OCTAVO_API_PROXY_RATE_LIMIT: optional(integer(0, 1_000_000)).default(60),
  OCTAVO_TRUSTED_PROXIES: optional(integer(0, 10)).default(0),
  OCTAVO_REVALIDATE_URL: optional(httpUrl),
  OCTAVO_REVALIDATE_SECRET: optional(z.string()),
  OCTAVO_SESSION_IDLE_HOURS: optional(integer(1, 24 * 365)).default(24 * 7),
  OCTAVO_SESSION_DAYS: optional(integer(1, 365)).default(30),
  OCTAVO_SIGN_IN: optional(
    z
      .string()
      .transform((value) => value.split(',').map((name) => name.trim()))
      .pipe(z.array(z.enum(signInMethods, { error: `must be a comma-separated list of ${signInMethods.join(', ')}` }))),
  ).default([...signInMethods]),
  OCTAVO_SMTP_URL: optional(SmtpUrl),
  OCTAVO_MAIL_FROM: optional(MailFrom),
  OCTAVO_MAIL_FOLDER: optional(z.string()),
  OCTAVO_OIDC: optional(OidcProviders),
  OCTAVO_OIDC_ISSUER: optional(OidcIssuer),
  OCTAVO_OIDC_CLIENT_ID: optional(z.string()),
  OCTAVO_OIDC_CLIENT_SECRET: optional(z.string()),
  OCTAVO_OIDC_LABEL: optional(z.string().max(64, 'must have at most 64 characters')),
  OCTAVO_TRANSLATION: optional(z.enum(translationKinds, { error: `must be one of ${translationKinds.join(', ')}` })),
  OCTAVO_TRANSLATION_URL: optional(httpUrl),
  OCTAVO_TRANSLATION_KEY: optional(
    z.string().regex(/^[\x21-\x7e]+$/, 'must consist of ASCII characters without spaces'),
  ),
  OCTAVO_TRANSLATION_MODEL: optional(z.string()),
  OCTAVO_TRANSLATION_TIMEOUT: optional(integer(1, 600)).default(60),
  OCTAVO_TRANSLATION_CONCURRENCY: optional(integer(1, 32)).default(2),
  OCTAVO_TRANSLATION_MONTHLY_CHARACTERS: optional(integer(0, 1_000_000_000)).default(0),
  OCTAVO_METRICS_TOKEN: optional(z.string().min(20, 'must have at least 20 characters')),
  OCTAVO_COMMAND: optional(z.string()),
})

const s3Variables = [
  'OCTAVO_S3_ENDPOINT',
  'OCTAVO_S3_BUCKET',
  'OCTAVO_S3_ACCESS_KEY_ID',
  'OCTAVO_S3_SECRET_ACCESS_KEY',
] as const

const defaultPath = '/usr/local/bin:/usr/bin:/bin'

/** Returns the environment variables that Git needs, and no others. */
function pickGitEnvironment(environment: Record<string, string | undefined>): Record<string, string> {
  const given = gitVariables.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))
  return { PATH: defaultPath, ...Object.fromEntries(given) }
}

/** Returns the environment variables that translation programs need. */
function pickProgramEnvironment({ PATH }: Record<string, string | undefined>): Record<string, string> {
  return { PATH: PATH || defaultPath, LC_ALL: 'C.UTF-8' }
}

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Returns the first problem of each variable. */
function firstProblems(issues: readonly z.core.$ZodIssue[]): string[] {
  const byVariable = new Map<string, string>()
  for (const { path, message } of issues) {
    const variable = String(path[0])
    if (!byVariable.has(variable)) byVariable.set(variable, `${variable} ${message}`)
  }
  return [...byVariable.values()]
}

export type Config = ReturnType<typeof readConfig>

/** Parses the configuration; fails with a list of all invalid variables. */
export function readConfig(environment: Record<string, string | undefined>, { terminal = false } = {}) {
  const parsed = Environment.safeParse(environment)
  const problems = parsed.success ? [] : firstProblems(parsed.error.issues)
  const s3Missing = s3Variables.filter((name) => !environment[name])
  const usesS3 = s3Missing.length < s3Variables.length
  if (usesS3)
    for (const name of s3Missing) problems.push(`${name} must be set, because other OCTAVO_S3_ variables are set`)
  problems.push(
    ...findMailProblems(environment),
    ...findOidcProblems(environment),
    ...findTranslationProblems(environment),
  )
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)

  const env = parsed.data
  return {
    host: env.HOST,
    port: env.PORT,
    /** Separate port for health and metrics, which processes without API and sites need. */
    healthPort: env.OCTAVO_HEALTH_PORT,
    dataFolder: isAbsolute(env.OCTAVO_DATA) ? env.OCTAVO_DATA : resolve(env.OCTAVO_DATA),
    /** Public URL; by default the URL that the server listens on. */
    url: env.OCTAVO_URL,
    /** Domain below which every organization has a host for its sites. */
    sitesDomain: env.OCTAVO_SITES_DOMAIN,
    /** Hostnames that any site may use without proof. */
    trustedHostnames: env.OCTAVO_HOSTNAMES,
    /** Name servers to use instead of those of the machine. */
    dnsServers: env.OCTAVO_DNS_SERVERS,
    databaseUrl: env.DATABASE_URL,
    databasePool: env.OCTAVO_DATABASE_POOL,
    /** Maximum time of a statement of a request on PostgreSQL, in milliseconds; 0 for no limit. */
    statementTimeout: seconds(env.OCTAVO_STATEMENT_TIMEOUT),
    bootstrapToken: env.OCTAVO_BOOTSTRAP_TOKEN,
    adminEmail: env.OCTAVO_ADMIN_EMAIL,
    roles: new Set<ProcessRole>(env.ROLES),
    allowPrivateNetwork: env.OCTAVO_ALLOW_PRIVATE_NETWORK === '1',
    /** Key that encrypts stored credentials, together with the secret in the database. */
    secretKey: env.OCTAVO_SECRET_KEY,
    /** Maximum number of bytes to receive from a repository at a time. */
    gitMaxBytes: env.OCTAVO_GIT_MAX_BYTES,
    /** Timeout of an import or export, in milliseconds. */
    gitTimeout: seconds(env.OCTAVO_GIT_TIMEOUT),
    /** Environment variables with the paths of programs and trusted certificates for Git. */
    gitEnvironment: pickGitEnvironment(environment),
    /** Limits of one import of a website or of files. */
    importLimits: { maxPages: env.OCTAVO_IMPORT_MAX_PAGES, maxSeconds: env.OCTAVO_IMPORT_MAX_SECONDS },
    s3: usesS3
      ? {
          endpoint: env.OCTAVO_S3_ENDPOINT as string,
          bucket: env.OCTAVO_S3_BUCKET as string,
          region: env.OCTAVO_S3_REGION,
          accessKeyId: env.OCTAVO_S3_ACCESS_KEY_ID as string,
          secretAccessKey: env.OCTAVO_S3_SECRET_ACCESS_KEY as string,
        }
      : undefined,
    logLevel: env.OCTAVO_LOG_LEVEL,
    logFormat: env.OCTAVO_LOG_FORMAT ?? (terminal ? ('pretty' as const) : ('json' as const)),
    /** Maximum memory of all caches of this process together, in bytes. */
    cacheMemory: env.OCTAVO_CACHE_MEMORY * 1024 ** 2,
    /** Maximum number of bytes of one request body. */
    bodyLimit: env.OCTAVO_BODY_LIMIT,
    /** Maximum number of bytes of request bodies in memory; one caller may use half of it, but always one body. */
    bodyBudget: {
      perCaller: Math.max(env.OCTAVO_BODY_LIMIT, Math.ceil(env.OCTAVO_BODY_MEMORY / 2)),
      total: Math.max(env.OCTAVO_BODY_LIMIT, env.OCTAVO_BODY_MEMORY),
    },
    /** Number of milliseconds by which a request body may be later than the minimum rate allows. */
    bodyTimeout: seconds(env.OCTAVO_BODY_TIMEOUT),
    /** Timeout for receiving the headers of a request, in milliseconds. */
    headerTimeout: seconds(env.OCTAVO_HEADER_TIMEOUT),
    maxConnections: env.OCTAVO_MAX_CONNECTIONS,
    maxConnectionsPerAddress: env.OCTAVO_MAX_CONNECTIONS_PER_ADDRESS,
    /** Maximum number of bytes of files, for each organization and in total; 0 for no limit. */
    storageQuota: { organization: env.OCTAVO_ORGANIZATION_STORAGE, instance: env.OCTAVO_STORAGE },
    /** Maximum number of requests of a caller per minute; 0 for no limit. */
    rateLimit: env.OCTAVO_RATE_LIMIT,
    /** Maximum number of uncached pages per minute and IP address; 0 for no limit. */
    siteRateLimit: env.OCTAVO_SITE_RATE_LIMIT,
    /** Maximum number of pages of published sites that are rendered at once. */
    siteConcurrency: env.OCTAVO_SITE_CONCURRENCY,
    /** Maximum number of requests per minute with which one IP address reports events of visits; 0 for no limit. */
    eventsRateLimit: env.OCTAVO_EVENTS_RATE_LIMIT,
    apiProxyRateLimit: env.OCTAVO_API_PROXY_RATE_LIMIT,
    /** Whether the server contacts the websites of embeds. */
    fetchesEmbeds: env.OCTAVO_FETCH_EMBEDS === '1',
    /** Number of reverse proxies in front of this server, each of which adds to X-Forwarded-For. */
    trustedProxies: env.OCTAVO_TRUSTED_PROXIES,
    /** Time without a request, and time after the sign-in, after which a session ends. */
    sessionLifetimes: { idle: hours(env.OCTAVO_SESSION_IDLE_HOURS), absolute: days(env.OCTAVO_SESSION_DAYS) },
    /** Ways to sign in that are offered, besides single sign-on. */
    signInMethods: new Set<SignInOption>(env.OCTAVO_SIGN_IN),
    /** How messages are sent; undefined if the server sends none. */
    mail: toMailSettings(env),
    oidcProviders: toOidcProviders(env),
    translation: toTranslationConfig(env, pickProgramEnvironment(environment)),
    metricsToken: env.OCTAVO_METRICS_TOKEN,
    /** Name of the command line in printed hints. */
    command: env.OCTAVO_COMMAND,
    /** URL of a front end that caches replies, which is called after changes. */
    revalidation:
      env.OCTAVO_REVALIDATE_URL === undefined
        ? undefined
        : { url: env.OCTAVO_REVALIDATE_URL, secret: env.OCTAVO_REVALIDATE_SECRET },
  }
}
