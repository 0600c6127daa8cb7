import { ExpressionError } from './errors.ts'

export type Primitive = string | number | boolean | null | undefined

/** Plain data that expressions operate on. */
export type ExpressionValue = Primitive | readonly ExpressionValue[] | { readonly [name: string]: ExpressionValue }

export const isList = (value: ExpressionValue): value is readonly ExpressionValue[] => Array.isArray(value)

export const isNullish = (value: ExpressionValue): value is null | undefined => value === undefined || value === null

export const isPrimitive = (value: ExpressionValue): value is Primitive => value === null || typeof value !== 'object'

/** Returns the value of an own property; undefined if it is inherited, computed by a getter or not plain data. */
export function memberOf(value: ExpressionValue, name: string): ExpressionValue {
  if (isNullish(value)) return undefined
  return toPlainData(Object.getOwnPropertyDescriptor(value, name)?.value)
}

/** Returns plain data unchanged; undefined for functions, symbols, class instances and the like. */
export function toPlainData(value: unknown): ExpressionValue {
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

function isPlainObject(value: object | null): value is Exclude<ExpressionValue, undefined> & (object | null) {
  if (value === null || Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns a primitive unchanged; throws an error for lists and objects, because JavaScript's `[object Object]` is not useful. */
export function toPrimitive(value: ExpressionValue): Primitive {
  if (isPrimitive(value)) return value
  throw new ExpressionError(`${capitalize(describeValue(value))} cannot be used as a string or a number`)
}

export const toText = (value: ExpressionValue): string => String(toPrimitive(value))

export const toNumber = (value: ExpressionValue): number => Number(toPrimitive(value))

/** Compares primitives like JavaScript's `==`; a list or an object equals only itself. */
export function looselyEqual(left: ExpressionValue, right: ExpressionValue): boolean {
  if (isNullish(left) || isNullish(right)) return isNullish(left) && isNullish(right)
  if (typeof left === typeof right || !isPrimitive(left) || !isPrimitive(right)) return left === right
  return Number(left) === Number(right)
}

export function describeValue(value: ExpressionValue): string {
  if (isNullish(value)) return 'a missing value'
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

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
