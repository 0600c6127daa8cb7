import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Config, readConfig } from '../../src/server/config.ts'

const s3 = {
  OCTAVO_S3_ENDPOINT: 'https://s3.example.com/',
  OCTAVO_S3_BUCKET: 'files',
  OCTAVO_S3_ACCESS_KEY_ID: 'key',
  OCTAVO_S3_SECRET_ACCESS_KEY: 'very secret',
}

test('has a default for every setting', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    healthPort: undefined,
    dataFolder: resolve('data'),
    url: undefined,
    sitesDomain: undefined,
    translation: { engine: undefined, timeout: 60_000, concurrency: 2, monthlyCharacters: 0 },
    trustedHostnames: [],
    dnsServers: [],
    databaseUrl: undefined,
    databasePool: 10,
    statementTimeout: 60_000,
    bootstrapToken: undefined,
    adminEmail: 'admin@octavo.local',
    roles: new Set(['api', 'site', 'worker', 'scheduler']),
    allowPrivateNetwork: false,
    secretKey: undefined,
    gitMaxBytes: 1024 ** 3,
    gitTimeout: 15 * 60 * 1000,
    gitEnvironment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    importLimits: { maxPages: 5000, maxSeconds: 1800 },
    s3: undefined,
    logLevel: 'info',
    logFormat: 'json',
    cacheMemory: 256 * 1024 * 1024,
    bodyLimit: 32 * 1024 * 1024,
    bodyBudget: { perCaller: 64 * 1024 * 1024, total: 128 * 1024 * 1024 },
    bodyTimeout: 10_000,
    headerTimeout: 10_000,
    maxConnections: 5000,
    maxConnectionsPerAddress: 512,
    storageQuota: { organization: 20 * 1024 ** 3, instance: 100 * 1024 ** 3 },
    rateLimit: 6000,
    siteRateLimit: 3000,
    siteConcurrency: 8,
    apiProxyRateLimit: 60,
    fetchesEmbeds: true,
    eventsRateLimit: 600,
    trustedProxies: 0,
    sessionLifetimes: { idle: 7 * 24 * 3_600_000, absolute: 30 * 24 * 3_600_000 },
    signInMethods: new Set(['passkey', 'password', 'email']),
    mail: undefined,
    oidcProviders: [],
    metricsToken: undefined,
  })
  expect(readConfig({}, { terminal: true }).logFormat).toBe('pretty')
})

describe('readConfig reads', () => {
  const good: [variables: Record<string, string>, config: Partial<Config>][] = [
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65535 }],
    [{ OCTAVO_HEALTH_PORT: '9100' }, { healthPort: 9100 }],
    [{ OCTAVO_DATA: '/var/lib/octavo' }, { dataFolder: '/var/lib/octavo' }],
    [{ OCTAVO_DATA: 'here' }, { dataFolder: resolve('here') }],
    [{ OCTAVO_URL: 'https://docs.example.com/base/' }, { url: 'https://docs.example.com/base' }],
    [{ OCTAVO_SITES_DOMAIN: 'Sites.example.com' }, { sitesDomain: 'sites.example.com' }],
    [
      { OCTAVO_HOSTNAMES: 'docs.example.com, *.Example.org' },
      { trustedHostnames: ['docs.example.com', '*.example.org'] },
    ],
    [
      { OCTAVO_DNS_SERVERS: '192.0.2.1, 192.0.2.1:53,2001:db8::1,[2001:db8::1]:53' },
      { dnsServers: ['192.0.2.1', '192.0.2.1:53', '2001:db8::1', '[2001:db8::1]:53'] },
    ],
    [{ DATABASE_URL: 'postgres://a@b/c' }, { databaseUrl: 'postgres://a@b/c' }],
    [{ DATABASE_URL: 'postgresql://a@b/c' }, { databaseUrl: 'postgresql://a@b/c' }],
    [{ OCTAVO_DATABASE_POOL: '25' }, { databasePool: 25 }],
    [{ OCTAVO_STATEMENT_TIMEOUT: '0' }, { statementTimeout: 0 }],
    [{ OCTAVO_CACHE_MEMORY: '64' }, { cacheMemory: 64 * 1024 ** 2 }],
    [{ OCTAVO_BOOTSTRAP_TOKEN: 'x'.repeat(20) }, { bootstrapToken: 'x'.repeat(20) }],
    [{ OCTAVO_ADMIN_EMAIL: 'Ada@Example.com' }, { adminEmail: 'ada@example.com' }],
    [{ ROLES: 'api, worker' }, { roles: new Set(['api', 'worker'] as const) }],
    [{ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' }, { allowPrivateNetwork: true }],
    [{ OCTAVO_SECRET_KEY: 'k'.repeat(32) }, { secretKey: 'k'.repeat(32) }],
    [{ OCTAVO_GIT_MAX_BYTES: '4096' }, { gitMaxBytes: 4096 }],
    [{ OCTAVO_GIT_TIMEOUT: '3000' }, { gitTimeout: 3_000_000 }],
    [{ PATH: '/opt/bin' }, { gitEnvironment: { PATH: '/opt/bin' } }],
    [
      { GIT_SSL_CAINFO: '/etc/ca.pem' },
      { gitEnvironment: { PATH: '/usr/local/bin:/usr/bin:/bin', GIT_SSL_CAINFO: '/etc/ca.pem' } },
    ],
    [{ OCTAVO_IMPORT_MAX_PAGES: '7' }, { importLimits: { maxPages: 7, maxSeconds: 1800 } }],
    [{ OCTAVO_IMPORT_MAX_SECONDS: '60' }, { importLimits: { maxPages: 5000, maxSeconds: 60 } }],
    [
      s3,
      {
        s3: {
          endpoint: 'https://s3.example.com',
          bucket: 'files',
          region: 'us-east-1',
          accessKeyId: 'key',
          secretAccessKey: 'very secret',
        },
      },
    ],
    [{ OCTAVO_LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
    [{ OCTAVO_LOG_FORMAT: 'pretty' }, { logFormat: 'pretty' }],
    [{ OCTAVO_BODY_LIMIT: '1024' }, { bodyLimit: 1024 }],
    [{ OCTAVO_RATE_LIMIT: '0' }, { rateLimit: 0 }],
    [{ OCTAVO_EVENTS_RATE_LIMIT: '0' }, { eventsRateLimit: 0 }],
    [{ OCTAVO_TRUSTED_PROXIES: '2' }, { trustedProxies: 2 }],
    [{ OCTAVO_BODY_MEMORY: '200000000' }, { bodyBudget: { perCaller: 100_000_000, total: 200_000_000 } }],
    [{ OCTAVO_BODY_LIMIT: '5000000', OCTAVO_BODY_MEMORY: '2000' }, { bodyBudget: { perCaller: 5e6, total: 5e6 } }],
    [
      { OCTAVO_BODY_TIMEOUT: '30', OCTAVO_HEADER_TIMEOUT: '5' },
      { bodyTimeout: 30_000, headerTimeout: 5000 },
    ],
    [{ OCTAVO_MAX_CONNECTIONS: '100', OCTAVO_MAX_CONNECTIONS_PER_ADDRESS: '50' }, { maxConnectionsPerAddress: 50 }],
    [{ OCTAVO_ORGANIZATION_STORAGE: '0', OCTAVO_STORAGE: '1' }, { storageQuota: { organization: 0, instance: 1 } }],
    [{ OCTAVO_METRICS_TOKEN: 'm'.repeat(20) }, { metricsToken: 'm'.repeat(20) }],
  ]
  test.each(good)('%o', (variables, config) => {
    expect(readConfig(variables)).toMatchObject(config)
  })

  test('OCTAVO_S3_REGION', () => {
    expect(readConfig({ ...s3, OCTAVO_S3_REGION: 'eu-west-1' }).s3?.region).toBe('eu-west-1')
  })

  test('an empty variable as unset', () => {
    const names = good.flatMap(([variables]) => Object.keys(variables))
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
  })
})

describe('readConfig rejects', () => {
  const bad: [name: string, value: string, told: string][] = [
    ['PORT', 'http', 'must be a whole number'],
    ['PORT', '65536', 'must be between 0 and 65535'],
    ['PORT', '-1', 'must be a whole number'],
    ['PORT', '3000.5', 'must be a whole number'],
    ['OCTAVO_URL', 'docs.example.com', 'must be an http(s) URL'],
    ['OCTAVO_URL', 'ftp://example.com', 'must be an http(s) URL'],
    ['OCTAVO_URL', 'https://example.com/?a=b', 'must not have a query string or a fragment'],
    ['OCTAVO_SITES_DOMAIN', 'https://example.com', 'must be a hostname'],
    ['OCTAVO_HOSTNAMES', 'docs.*.com', 'must be a list of hostnames, for example docs.example.com,*.example.org'],
    [
      'OCTAVO_DNS_SERVERS',
      'ns.example.com',
      'must be a list of IP addresses, for example 192.0.2.1,[2001:db8::1]:5353',
    ],
    [
      'OCTAVO_DNS_SERVERS',
      '192.0.2.1:65536',
      'must be a list of IP addresses, for example 192.0.2.1,[2001:db8::1]:5353',
    ],
    ['OCTAVO_DNS_SERVERS', '192.0.2.1,', 'must be a list of IP addresses, for example 192.0.2.1,[2001:db8::1]:5353'],
    ['DATABASE_URL', 'mysql://example.com', 'must start with postgres://'],
    ['OCTAVO_DATABASE_POOL', '1', 'must be between 2 and 1000'],
    ['OCTAVO_BOOTSTRAP_TOKEN', 'short', 'must have at least 20 characters'],
    ['OCTAVO_BOOTSTRAP_TOKEN', 'x'.repeat(201), 'must have at most 200 characters'],
    ['OCTAVO_BOOTSTRAP_TOKEN', 'with a blank in the middle', 'must not contain whitespace'],
    ['OCTAVO_ADMIN_EMAIL', 'nobody', 'must be an email address'],
    ['ROLES', 'api,cook,gardener', 'must be a comma-separated list of api, site, worker, scheduler'],
    ['ROLES', ',', 'must be a comma-separated list of api, site, worker, scheduler'],
    ['OCTAVO_ALLOW_PRIVATE_NETWORK', 'yes', 'must be 0 or 1'],
    ['OCTAVO_SECRET_KEY', 'short', 'must have at least 32 characters'],
    ['OCTAVO_GIT_MAX_BYTES', '1', 'must be between 1024 and 1099511627776'],
    ['OCTAVO_GIT_TIMEOUT', '0', 'must be between 1 and 3000'],
    ['OCTAVO_LOG_LEVEL', 'loud', 'must be one of debug, info, warn, error, silent'],
    ['OCTAVO_LOG_FORMAT', 'xml', 'must be json or pretty'],
    ['OCTAVO_BODY_LIMIT', '10', 'must be between 1024 and 1073741824'],
    ['OCTAVO_RATE_LIMIT', 'none', 'must be a whole number'],
    ['OCTAVO_TRUSTED_PROXIES', '11', 'must be between 0 and 10'],
    ['OCTAVO_METRICS_TOKEN', 'short', 'must have at least 20 characters'],
  ]
  test.each(bad)('%s=%s', (name, value, told) => {
    expect(() => readConfig({ [name]: value })).toThrow(`The configuration is invalid:\n  ${name} ${told}`)
  })

  test('an object store with a missing or invalid variable', () => {
    for (const missing of Object.keys(s3)) {
      expect(() => readConfig({ ...s3, [missing]: undefined })).toThrow(
        `The configuration is invalid:\n  ${missing} must be set, because other OCTAVO_S3_ variables are set`,
      )
    }
    expect(() => readConfig({ ...s3, OCTAVO_S3_ENDPOINT: 's3' })).toThrow('OCTAVO_S3_ENDPOINT must be an http(s) URL')
  })

  test('several wrong variables in one message that contains none of their values', () => {
    const wrong = { PORT: 'secret-1', OCTAVO_METRICS_TOKEN: 'secret-2', OCTAVO_BOOTSTRAP_TOKEN: 'secret-3' }
    const told = problemsOf(wrong)
    expect(told.split('\n').length).toBe(4)
    for (const name of Object.keys(wrong)) expect(told).toContain(`  ${name} must `)
    expect(told).not.toContain('secret')
  })
})

function problemsOf(variables: Record<string, string>): string {
  try {
    readConfig(variables)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
