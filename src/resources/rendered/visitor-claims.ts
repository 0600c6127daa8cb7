import { invalid } from '../../kernel/errors.ts'
import { buildVisitorClaims, signedClaimsLimits } from '../../publishing/claims.ts'
import { type PlainObject, copyPlainObject } from '../../publishing/plain-data.ts'

/** Parses the claims of a visitor in a request; undefined if there are none. */
export function parseVisitorClaims(text: string | undefined, path: string): PlainObject | undefined {
  if (text === undefined) return undefined
  const claims = copyPlainObject(parseJson(text), signedClaimsLimits)
  if (!claims) throw invalid(path, 'must be a JSON object with at most 10 levels')
  return buildVisitorClaims({ signed: claims, unsigned: claims['unsigned'] })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
