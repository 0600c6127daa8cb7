import type { AdaptiveClaim, AdaptiveJSONSchema, AdaptivePrimitiveClaim } from '../../../contract/adaptive-schema.ts'
import type { VisitorClaims } from './visitor-claims.ts'

/** A claim that a site declares, with a value that a field can edit. */
export interface DeclaredClaim {
  name: string
  isSigned: boolean
  claim: AdaptivePrimitiveClaim
}

/** Lists the claims of a schema without lists and objects, which are edited as JSON. */
export function listDeclaredClaims({ properties }: AdaptiveJSONSchema): DeclaredClaim[] {
  const { unsigned, ...signed } = properties
  return [...toClaims(signed, true), ...(unsigned?.type === 'object' ? toClaims(unsigned.properties, false) : [])]
}

const toClaims = (claims: Readonly<Record<string, AdaptiveClaim>>, isSigned: boolean): DeclaredClaim[] =>
  Object.entries(claims).flatMap(([name, claim]) =>
    claim.type === 'object' || claim.type === 'array' ? [] : [{ name, isSigned, claim }],
  )

const unsignedOf = ({ unsigned }: VisitorClaims): VisitorClaims =>
  typeof unsigned === 'object' && unsigned !== null ? (unsigned as VisitorClaims) : {}

export const readClaim = (claims: VisitorClaims, { name, isSigned }: DeclaredClaim): unknown =>
  (isSigned ? claims : unsignedOf(claims))[name]

/** Returns claims with a changed value for one of them; undefined removes it. */
export function withClaim(claims: VisitorClaims, { name, isSigned }: DeclaredClaim, value: unknown): VisitorClaims {
  const { [name]: _, ...others } = isSigned ? claims : unsignedOf(claims)
  const changed = value === undefined ? others : { ...others, [name]: value }
  if (isSigned) return changed
  const { unsigned: __, ...signed } = claims
  return Object.keys(changed).length > 0 ? { ...signed, unsigned: changed } : signed
}
