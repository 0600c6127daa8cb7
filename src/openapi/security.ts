import {
  type OpenApiSpec,
  type SpecObject,
  getEntries,
  getList,
  getObject,
  getOwn,
  getText,
  isSpecObject,
} from './spec.ts'

/** Schemes that are required together; empty if a request without authentication is allowed. */
export type SecurityRequirement = readonly RequiredScheme[]

export interface RequiredScheme {
  /** Key in the security schemes of the document. */
  name: string
  /** Undefined if the document does not describe it. */
  scheme: SecurityScheme | undefined
  scopes: readonly string[]
}

interface SchemeBase {
  description: string | undefined
}

export type SecurityScheme =
  | (SchemeBase & { type: 'apiKey'; location: 'header' | 'query' | 'cookie'; parameterName: string })
  | (SchemeBase & { type: 'http'; scheme: string; bearerFormat: string | undefined })
  | (SchemeBase & { type: 'oauth2'; flows: readonly OAuthFlow[] })
  | (SchemeBase & { type: 'openIdConnect'; url: string | undefined })
  | (SchemeBase & { type: 'mutualTLS' })

export interface OAuthFlow {
  type: string
  authorizationUrl: string | undefined
  tokenUrl: string | undefined
  scopes: readonly { name: string; description: string | undefined }[]
}

const maxAlternatives = 16
const maxSchemes = 8
const maxScopes = 100

/** Returns the security of an operation, or that of the document if it has none. */
export function readSecurity(spec: OpenApiSpec, operation: SpecObject): SecurityRequirement[] {
  const list = Array.isArray(getOwn(operation, 'security'))
    ? getList(operation, 'security')
    : getList(spec.root, 'security')
  return list
    .slice(0, maxAlternatives)
    .filter(isSpecObject)
    .map((requirement) =>
      getEntries(requirement, maxSchemes).map(([name, scopes]) => ({
        name,
        scheme: findSecurityScheme(spec, name),
        scopes: (Array.isArray(scopes) ? (scopes as unknown[]) : [])
          .slice(0, maxScopes)
          .filter((scope): scope is string => typeof scope === 'string'),
      })),
    )
}

function findSecurityScheme(spec: OpenApiSpec, name: string): SecurityScheme | undefined {
  const schemes = getObject(getObject(spec.root, 'components'), 'securitySchemes')
  const fields = spec.resolveObject(getOwn(schemes, name))
  const base = { description: getText(fields, 'description') }
  switch (fields['type']) {
    case 'apiKey': {
      const location = fields['in'] === 'query' || fields['in'] === 'cookie' ? fields['in'] : 'header'
      return { ...base, type: 'apiKey', location, parameterName: getText(fields, 'name') ?? name }
    }
    case 'http': {
      const scheme = (getText(fields, 'scheme') ?? 'bearer').toLowerCase()
      return { ...base, type: 'http', scheme, bearerFormat: getText(fields, 'bearerFormat') }
    }
    case 'oauth2':
      return { ...base, type: 'oauth2', flows: readFlows(fields) }
    case 'openIdConnect':
      return { ...base, type: 'openIdConnect', url: getText(fields, 'openIdConnectUrl') }
    case 'mutualTLS':
      return { ...base, type: 'mutualTLS' }
    default:
      return undefined
  }
}

function readFlows(fields: SpecObject): OAuthFlow[] {
  return getEntries(getObject(fields, 'flows'), maxSchemes).flatMap(([type, flow]) =>
    isSpecObject(flow)
      ? [
          {
            type,
            authorizationUrl: getText(flow, 'authorizationUrl'),
            tokenUrl: getText(flow, 'tokenUrl'),
            scopes: getEntries(getObject(flow, 'scopes'), maxScopes).map(([name, description]) => ({
              name,
              description: typeof description === 'string' ? description : undefined,
            })),
          },
        ]
      : [],
  )
}
