import type { AdaptiveClaim, AdaptiveJSONSchema, AdaptivePrimitiveClaim } from '../contract/adaptive-schema.ts'
import { type PlainObject, isObject, copyPlainObject } from './plain-data.ts'

/** Limits of signed claims: the size that fits a token, and more nesting than is used in practice. */
export const signedClaimsLimits = { bytes: 8 * 1024, depth: 10 }
/** Limits of unsigned claims, which are sent in URLs and cookies. */
const unsignedClaimsLimits = { bytes: 4 * 1024, depth: 5 }

export interface ClaimsInput {
  /** Payload of a visitor's token whose signature was verified. */
  readonly signed?: unknown
  /** Claims that the visitor sent without a signature. */
  readonly unsigned?: unknown
  readonly schema?: AdaptiveJSONSchema | undefined
}

/**
 * Returns the value of `visitor.claims` in expressions. Unsigned claims are always and only under `unsigned`; with a schema,
 * claims that it does not declare are dropped from them.
 */
export function buildVisitorClaims({ signed, unsigned, schema }: ClaimsInput): PlainObject {
  return { ...copyPlainObject(signed, signedClaimsLimits), unsigned: convertUnsignedClaims(unsigned, schema) }
}

function convertUnsignedClaims(given: unknown, schema: AdaptiveJSONSchema | undefined): PlainObject {
  if (schema === undefined) return copyPlainObject(given, unsignedClaimsLimits) ?? {}
  const declared = Object.hasOwn(schema.properties, 'unsigned') ? schema.properties.unsigned : undefined
  return (declared && copyPlainObject(convertClaim(given, declared), unsignedClaimsLimits)) ?? {}
}

/** Converts a value to the declared type of its claim; undefined if it cannot be converted. */
function convertClaim(given: unknown, claim: AdaptiveClaim): unknown {
  switch (claim.type) {
    case 'object':
      return isObject(given) ? convertObjectClaim(given, claim.properties) : undefined
    case 'array': {
      const items = (Array.isArray(given) ? given : [given]).map((item) => convertPrimitiveClaim(item, claim.items))
      return items.includes(undefined) ? undefined : items
    }
    default:
      return convertPrimitiveClaim(given, claim)
  }
}

function convertObjectClaim(given: PlainObject, properties: Readonly<Record<string, AdaptiveClaim>>): PlainObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, claim]) => {
      const value = Object.hasOwn(given, name) ? convertClaim(given[name], claim) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const decimal = /^-?\d{1,30}(?:\.\d{1,30})?$/

/** Converts a primitive value: URLs contain only strings, and a parser may have guessed numbers and booleans. */
function convertPrimitiveClaim(given: unknown, claim: AdaptivePrimitiveClaim): string | number | boolean | undefined {
  switch (claim.type) {
    case 'boolean':
      return given === true || given === 'true' ? true : given === false || given === 'false' ? false : undefined
    case 'number': {
      const value = typeof given === 'string' && decimal.test(given) ? Number(given) : given
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    }
    default: {
      const text = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given
      return typeof text === 'string' && (claim.enum?.includes(text) ?? true) ? text : undefined
    }
  }
}
