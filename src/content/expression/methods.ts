import type { Budget } from './budget.ts'
import { ExpressionError } from './errors.ts'
import { describeValue, isList, isNullish, memberOf, toNumber, toPrimitive, toText } from './values.ts'
import type { Primitive, ExpressionValue } from './values.ts'

/** Function argument of a method. */
export type Callback = (item: ExpressionValue, index: number, list: readonly ExpressionValue[]) => ExpressionValue

type ArgumentValues = readonly (ExpressionValue | Callback)[]
type TextMethod = (text: string, args: readonly Primitive[], budget: Budget) => ExpressionValue
type ListMethod = (items: readonly ExpressionValue[], args: ArgumentValues, budget: Budget) => ExpressionValue

// Supported methods are those that GitBook supports or its authors use, and related ones that are equally safe: they do
// not modify values in place, and do not produce anything larger than their input. This excludes `repeat`, `padStart`
// and `sort`; and `replace`, because of its replacement patterns such as `$&` and `$'`. Arguments are converted as in
// JavaScript, except that lists and objects are rejected where a string or a number is expected.

const textMethods = {
  at: (text, [index]) => text.at(Number(index)),
  charAt: (text, [index]) => text.charAt(Number(index)),
  concat: (text, args, budget) => budget.concatenate([text, ...args.map(String)]),
  endsWith: (text, [part, end]) => text.endsWith(String(part), optionalNumber(end)),
  includes: (text, [part, from], budget) => text.includes(toSearchString(text, part, budget), optionalNumber(from)),
  indexOf: (text, [part, from], budget) => text.indexOf(toSearchString(text, part, budget), optionalNumber(from)),
  slice: (text, [start, end]) => text.slice(optionalNumber(start), optionalNumber(end)),
  split(text, [separator, limit], budget) {
    // Without a separator the whole string is the only piece, which the type declaration of `split` does not include.
    const separatorText = separator === undefined ? separator : toSearchString(text, separator, budget)
    const pieces = text.split(separatorText as string, optionalNumber(limit))
    budget.spendForList(pieces.length)
    return pieces
  },
  startsWith: (text, [part, from]) => text.startsWith(String(part), optionalNumber(from)),
  substring: (text, [start, end]) => text.substring(Number(start), optionalNumber(end)),
  toLowerCase: (text, _args, budget) => spendForResult(text.toLowerCase(), budget),
  toUpperCase: (text, _args, budget) => spendForResult(text.toUpperCase(), budget),
  trim: (text) => text.trim(),
} satisfies Record<string, TextMethod>

const listMethods = {
  at: (items, [index]) => items.at(toNumber(expectValue(index))),
  concat(items, args, budget) {
    const added = args.map(expectValue).flatMap((value) => (isList(value) ? copyItems(value, budget) : [value]))
    budget.spendForList(items.length + added.length)
    return [...items, ...added]
  },
  every: (items, [test]) => items.every(expectCallback(test)),
  filter: (items, [test]) => items.filter(expectCallback(test)),
  find: (items, [test]) => items.find(expectCallback(test)),
  includes: (items, [item, from], budget) =>
    spendForComparison(items, budget).includes(expectValue(item), optionalNumber(expectValue(from))),
  indexOf: (items, [item, from], budget) =>
    spendForComparison(items, budget).indexOf(expectValue(item), optionalNumber(expectValue(from))),
  join: (items, [separator], budget) =>
    budget.concatenate(
      items.map((item) => (isNullish(item) ? '' : toText(item))),
      separator === undefined ? ',' : toText(expectValue(separator)),
    ),
  map: (items, [change]) => items.map(expectCallback(change)),
  slice: (items, [start, end]) => items.slice(optionalNumber(expectValue(start)), optionalNumber(expectValue(end))),
  some: (items, [test]) => items.some(expectCallback(test)),
} satisfies Record<string, ListMethod>

type TextMethodName = keyof typeof textMethods
type ListMethodName = keyof typeof listMethods
export type MethodName = TextMethodName | ListMethodName

const isTextMethod = (name: string): name is TextMethodName => Object.hasOwn(textMethods, name)
const isListMethod = (name: string): name is ListMethodName => Object.hasOwn(listMethods, name)

export const isMethodName = (name: string): name is MethodName => isTextMethod(name) || isListMethod(name)

export function hasMethod(value: ExpressionValue, name: MethodName): boolean {
  if (typeof value === 'string') return isTextMethod(name)
  return isList(value) && isListMethod(name)
}

export function callMethod(
  value: ExpressionValue,
  name: MethodName,
  args: ArgumentValues,
  budget: Budget,
): ExpressionValue {
  for (const input of [value, ...args]) budget.spendForReading(input)
  if (typeof value === 'string' && isTextMethod(name)) {
    const method: TextMethod = textMethods[name]
    return method(value, args.map(expectValue).map(toPrimitive), budget)
  }
  if (isList(value) && isListMethod(name)) {
    const method: ListMethod = listMethods[name]
    return method(copyItems(value, budget), args, budget)
  }
  throw new ExpressionError(`"${name}" cannot be called on ${describeValue(value)}`)
}

/** Copies the items of a list as plain data. */
function copyItems(list: readonly ExpressionValue[], budget: Budget): ExpressionValue[] {
  budget.spend(list.length)
  return Array.from({ length: list.length }, (_, index) => memberOf(list, String(index)))
}

function expectValue(argument: ExpressionValue | Callback): ExpressionValue {
  if (typeof argument !== 'function') return argument
  throw new ExpressionError('Expected a value, not a function')
}

function expectCallback(argument: ExpressionValue | Callback): Callback {
  if (typeof argument === 'function') return argument
  throw new ExpressionError(`Expected a function such as "item => item", not ${describeValue(argument)}`)
}

const optionalNumber = (value: ExpressionValue): number | undefined =>
  value === undefined ? undefined : toNumber(value)

/** Converts the search string and spends steps for the worst case: it is compared at every position of the text. */
function toSearchString(text: string, value: Primitive, budget: Budget): string {
  const part = String(value)
  budget.spendCharacters(text.length * part.length)
  return part
}

function spendForResult(text: string, budget: Budget): string {
  budget.spendForString(text.length)
  return text
}

function spendForComparison(items: readonly ExpressionValue[], budget: Budget): readonly ExpressionValue[] {
  for (const item of items) budget.spendForReading(item)
  return items
}
