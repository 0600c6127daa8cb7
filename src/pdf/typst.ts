/** An expression in the code mode of Typst. */
export class Typst {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}

export type TypstValue = Typst | string | number | boolean | undefined | readonly TypstValue[]

/**
 * Makes an expression. Interpolated strings become string literals, so content is never interpreted as code; lists
 * become arguments separated by commas, and `undefined` becomes `none`.
 */
export function typst(parts: TemplateStringsArray, ...values: readonly TypstValue[]): Typst {
  return new Typst(parts.map((part, index) => (index === 0 ? part : print(values[index - 1]) + part)).join(''))
}

/** Makes an array. */
export const typstArray = (items: readonly TypstValue[]): Typst => (items.length === 0 ? typst`()` : typst`(${items},)`)

function print(value: TypstValue): string {
  if (value === undefined) return 'none'
  if (value instanceof Typst) return value.code
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return String(Number.isFinite(value) ? Math.round(value * 1000) / 1000 : 0)
  if (typeof value === 'boolean') return String(value)
  return value.map(print).join(', ')
}

/** Characters that would end a string literal, start an escape sequence, or cannot be part of a text. */
// oxlint-disable-next-line no-control-regex -- control characters are replaced
const special = /["\\\n\t]|[\0-\x1f\x7f-\x9f\ufffe\uffff]/g

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' }

const quote = (text: string): string =>
  `"${text.toWellFormed().replace(special, (character) => escapes[character] ?? '\u{fffd}')}"`
