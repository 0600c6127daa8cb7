import { ExpressionError } from './errors.ts'

export type Primitive = string | number | boolean | null | undefined

/** Plain data that expressions operate on. */
export type Value = Primitive | readonly Value[] | { readonly [name: string]: Value }

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isMissing = (value: Value): value is null | undefined => value === undefined || value === null

export const isPrimitive = (value: Value): value is Primitive => value === null || typeof value !== 'object'

/** Returns the value of an own property; undefined if it is inherited, computed by a getter or not plain data. */
export function memberOf(value: Value, name: string): Value {
  if (isMissing(value)) return undefined
  return plain(Object.getOwnPropertyDescriptor(value, name)?.value)
}

/** Returns plain data unchanged; undefined for functions, symbols, class instances and the like. */
export function plain(value: unknown): Value {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value
    case 'object':
      return isPlainObject(value) ? value : undefined
    default:
      return undefined
  }
}

function isPlainObject(value: object | null): value is Exclude<Value, undefined> & (object | null) {
  if (value === null || Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns a primitive unchanged; throws an error for lists and objects, because JavaScript's `[object Object]` is not useful. */
export function toPrimitive(value: Value): Primitive {
  if (isPrimitive(value)) return value
  throw new ExpressionError(`${sentenceStart(describe(value))} cannot be used as a string or a number`)
}

export const toText = (value: Value): string => String(toPrimitive(value))

export const toNumber = (value: Value): number => Number(toPrimitive(value))

/** Compares primitives like JavaScript's `==`; a list or an object equals only itself. */
export function looselyEqual(left: Value, right: Value): boolean {
  if (isMissing(left) || isMissing(right)) return isMissing(left) && isMissing(right)
  if (typeof left === typeof right || !isPrimitive(left) || !isPrimitive(right)) return left === right
  return Number(left) === Number(right)
}

export function describe(value: Value): string {
  if (isMissing(value)) return 'a missing value'
  if (isList(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return 'a string'
    case 'number':
      return 'a number'
    case 'boolean':
      return `the value ${value}`
    default:
      return 'an object'
  }
}

const sentenceStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
