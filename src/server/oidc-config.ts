import { z } from 'zod'
import type { OidcProvider } from '../sign-in/oidc/provider.ts'

/** Hosts for which an issuer may use HTTP: requests to this machine cannot be intercepted. */
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function isSecureIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname))
}

/** URL of a provider. */
export const OidcIssuer = z
  .string()
  .refine(isSecureIssuer, 'must be an https URL')
  .refine((value) => !/[?#]|\/\.well-known\//.test(value), 'must not have a query string, a fragment or /.well-known/')

const Domain = z
  .string()
  .toLowerCase()
  .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a domain')

const Provider = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must consist of lower-case letters, digits and hyphens'),
    label: z.string().min(1).max(64),
    issuer: OidcIssuer,
    clientId: z.string().min(1),
    clientSecret: z.string().min(1),
    allowSignUp: z.boolean().default(false),
    domains: z.array(Domain).min(1).optional(),
    trustEmail: z.boolean().default(false),
  })
  .refine(({ trustEmail, domains }) => !trustEmail || domains, {
    path: ['trustEmail'],
    error: 'needs domains',
  })
  .transform(({ domains, ...provider }): OidcProvider => ({ ...provider, domains }))

/** List of providers as JSON. */
export const OidcProviders = z.string().transform((value, context): OidcProvider[] => {
  const parsed = z.array(Provider).max(20).safeParse(parseJson(value))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    context.addIssue(`must be a JSON array of providers: ${issue?.path.join('.')} ${issue?.message}`)
    return z.NEVER
  }
  if (new Set(parsed.data.map(({ id }) => id)).size === parsed.data.length) return parsed.data
  context.addIssue('must not contain two providers with the same id')
  return z.NEVER
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Variables of a single provider, for which no JSON is needed. */
const singleProviderVariables = ['OCTAVO_OIDC_ISSUER', 'OCTAVO_OIDC_CLIENT_ID', 'OCTAVO_OIDC_CLIENT_SECRET'] as const

/** ID of the provider that is configured by single variables. */
const singleProviderId = 'sso'

interface OidcVariables {
  OCTAVO_OIDC?: OidcProvider[] | undefined
  OCTAVO_OIDC_ISSUER?: string | undefined
  OCTAVO_OIDC_CLIENT_ID?: string | undefined
  OCTAVO_OIDC_CLIENT_SECRET?: string | undefined
  OCTAVO_OIDC_LABEL?: string | undefined
}

/** Returns the variables of the single provider that are missing, unless all are. */
export function findOidcProblems(environment: Record<string, string | undefined>): string[] {
  const missing = singleProviderVariables.filter((name) => !environment[name])
  if (missing.length === singleProviderVariables.length) return []
  return missing.map((name) => `${name} must be set, because other OCTAVO_OIDC_ variables are set`)
}

/** Returns all configured providers. */
export function toOidcProviders(variables: OidcVariables): OidcProvider[] {
  const {
    OCTAVO_OIDC: listed = [],
    OCTAVO_OIDC_ISSUER: issuer,
    OCTAVO_OIDC_CLIENT_ID: clientId,
    OCTAVO_OIDC_CLIENT_SECRET: clientSecret,
    OCTAVO_OIDC_LABEL: label = 'single sign-on',
  } = variables
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return listed
  const single = { allowSignUp: false, domains: undefined, trustEmail: false }
  const others = listed.filter(({ id }) => id !== singleProviderId)
  return [{ id: singleProviderId, label, issuer, clientId, clientSecret, ...single }, ...others]
}
