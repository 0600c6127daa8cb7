import type { Budget } from './budget.ts'
import { ExpressionError } from './errors.ts'
import { describe, isList, isMissing, memberOf, toNumber, toPrimitive, toText } from './values.ts'
import type { Primitive, Value } from './values.ts'

/** Function argument of a method. */
export type Callback = (item: Value, index: number, list: readonly Value[]) => Value

type Given = readonly (Value | Callback)[]
type TextMethod = (text: string, given: readonly Primitive[], budget: Budget) => Value
type ListMethod = (items: readonly Value[], given: Given, budget: Budget) => Value

// Supported methods are those that GitBook supports or its authors use, and related ones that are equally safe: they do
// not modify values in place, and do not produce anything larger than their input. This excludes `repeat`, `padStart`
// and `sort`; and `replace`, because of its replacement patterns such as `$&` and `$'`. Arguments are converted as in
// JavaScript, except that lists and objects are rejected where a string or a number is expected.

const textMethods = {
  at: (text, [index]) => text.at(Number(index)),
  charAt: (text, [index]) => text.charAt(Number(index)),
  concat: (text, given, budget) => budget.concatenate([text, ...given.map(String)]),
  endsWith: (text, [part, end]) => text.endsWith(String(part), optionalNumber(end)),
  includes: (text, [part, from], budget) => text.includes(sought(text, part, budget), optionalNumber(from)),
  indexOf: (text, [part, from], budget) => text.indexOf(sought(text, part, budget), optionalNumber(from)),
  slice: (text, [start, end]) => text.slice(optionalNumber(start), optionalNumber(end)),
  split(text, [separator, limit], budget) {
    // Without a separator the whole string is the only piece, which the type declaration of `split` does not include.
    const between = separator === undefined ? separator : sought(text, separator, budget)
    const pieces = text.split(between as string, optionalNumber(limit))
    budget.spendList(pieces.length)
    return pieces
  },
  startsWith: (text, [part, from]) => text.startsWith(String(part), optionalNumber(from)),
  substring: (text, [start, end]) => text.substring(Number(start), optionalNumber(end)),
  toLowerCase: (text, _given, budget) => made(text.toLowerCase(), budget),
  toUpperCase: (text, _given, budget) => made(text.toUpperCase(), budget),
  trim: (text) => text.trim(),
} satisfies Record<string, TextMethod>

const listMethods = {
  at: (items, [index]) => items.at(toNumber(asValue(index))),
  concat(items, given, budget) {
    const added = given.map(asValue).flatMap((value) => (isList(value) ? itemsOf(value, budget) : [value]))
    budget.spendList(items.length + added.length)
    return [...items, ...added]
  },
  every: (items, [test]) => items.every(asCallback(test)),
  filter: (items, [test]) => items.filter(asCallback(test)),
  find: (items, [test]) => items.find(asCallback(test)),
  includes: (items, [item, from], budget) =>
    compared(items, budget).includes(asValue(item), optionalNumber(asValue(from))),
  indexOf: (items, [item, from], budget) =>
    compared(items, budget).indexOf(asValue(item), optionalNumber(asValue(from))),
  join: (items, [separator], budget) =>
    budget.concatenate(
      items.map((item) => (isMissing(item) ? '' : toText(item))),
      separator === undefined ? ',' : toText(asValue(separator)),
    ),
  map: (items, [change]) => items.map(asCallback(change)),
  slice: (items, [start, end]) => items.slice(optionalNumber(asValue(start)), optionalNumber(asValue(end))),
  some: (items, [test]) => items.some(asCallback(test)),
} satisfies Record<string, ListMethod>

type TextMethodName = keyof typeof textMethods
type ListMethodName = keyof typeof listMethods
export type MethodName = TextMethodName | ListMethodName

const isTextMethod = (name: string): name is TextMethodName => Object.hasOwn(textMethods, name)
const isListMethod = (name: string): name is ListMethodName => Object.hasOwn(listMethods, name)

export const isMethod = (name: string): name is MethodName => isTextMethod(name) || isListMethod(name)

export function hasMethod(value: Value, name: MethodName): boolean {
  if (typeof value === 'string') return isTextMethod(name)
  return isList(value) && isListMethod(name)
}

export function callMethod(value: Value, name: MethodName, given: Given, budget: Budget): Value {
  for (const one of [value, ...given]) budget.spendReading(one)
  if (typeof value === 'string' && isTextMethod(name)) {
    const method: TextMethod = textMethods[name]
    return method(value, given.map(asValue).map(toPrimitive), budget)
  }
  if (isList(value) && isListMethod(name)) {
    const method: ListMethod = listMethods[name]
    return method(itemsOf(value, budget), given, budget)
  }
  throw new ExpressionError(`"${name}" cannot be called on ${describe(value)}`)
}

/** Copies the items of a list as plain data. */
function itemsOf(list: readonly Value[], budget: Budget): Value[] {
  budget.spend(list.length)
  return Array.from({ length: list.length }, (_, index) => memberOf(list, String(index)))
}

function asValue(given: Value | Callback): Value {
  if (typeof given !== 'function') return given
  throw new ExpressionError('Expected a value, not a function')
}

function asCallback(given: Value | Callback): Callback {
  if (typeof given === 'function') return given
  throw new ExpressionError(`Expected a function such as "item => item", not ${describe(given)}`)
}

const optionalNumber = (value: Value): number | undefined => (value === undefined ? undefined : toNumber(value))

/** Converts the search string and spends steps for the worst case: it is compared at every position of the text. */
function sought(text: string, value: Primitive, budget: Budget): string {
  const part = String(value)
  budget.spendCharacters(text.length * part.length)
  return part
}

function made(text: string, budget: Budget): string {
  budget.spendText(text.length)
  return text
}

function compared(items: readonly Value[], budget: Budget): readonly Value[] {
  for (const item of items) budget.spendReading(item)
  return items
}
