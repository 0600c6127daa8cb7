import type { AdaptiveClaim, AdaptiveJSONSchema, AdaptivePrimitiveClaim } from '../contract/adaptive-schema.ts'
import { type PlainObject, isObject, plainObject } from './plain-data.ts'

/** As much as a token can carry, and more nesting than anybody uses. */
export const signedLimits = { bytes: 8 * 1024, depth: 10 }
/** They come with addresses and cookies. */
const unsignedLimits = { bytes: 4 * 1024, depth: 5 }

export interface ClaimsInput {
  /** The payload of a visitor's token, once its signature was checked */
  readonly signed?: unknown
  /** What a visitor says of themselves */
  readonly unsigned?: unknown
  readonly schema?: AdaptiveJSONSchema | undefined
}

/**
 * What expressions see as `visitor.claims`. What visitors say of themselves stands under `unsigned` and nowhere else, and
 * nothing else stands there. With a schema, only what it declares is taken of it.
 */
export function visitorClaims({ signed, unsigned, schema }: ClaimsInput): PlainObject {
  return { ...plainObject(signed, signedLimits), unsigned: unsignedClaims(unsigned, schema) }
}

function unsignedClaims(given: unknown, schema: AdaptiveJSONSchema | undefined): PlainObject {
  if (schema === undefined) return plainObject(given, unsignedLimits) ?? {}
  const declared = Object.hasOwn(schema.properties, 'unsigned') ? schema.properties.unsigned : undefined
  return (declared && plainObject(fitting(given, declared), unsignedLimits)) ?? {}
}

/** The value as its claim declares it; undefined if it cannot be read as that. */
function fitting(given: unknown, claim: AdaptiveClaim): unknown {
  switch (claim.type) {
    case 'object':
      return isObject(given) ? fittingObject(given, claim.properties) : undefined
    case 'array': {
      const items = (Array.isArray(given) ? given : [given]).map((item) => fittingPrimitive(item, claim.items))
      return items.includes(undefined) ? undefined : items
    }
    default:
      return fittingPrimitive(given, claim)
  }
}

function fittingObject(given: PlainObject, properties: Readonly<Record<string, AdaptiveClaim>>): PlainObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, claim]) => {
      const value = Object.hasOwn(given, name) ? fitting(given[name], claim) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const decimal = /^-?\d{1,30}(?:\.\d{1,30})?$/

/** Addresses hold texts only, and those who read them may have guessed at numbers and booleans. */
function fittingPrimitive(given: unknown, claim: AdaptivePrimitiveClaim): string | number | boolean | undefined {
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
