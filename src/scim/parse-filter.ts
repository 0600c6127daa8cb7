import { type AttributePath, resolveAttributePath } from './attribute-path.ts'
import { ScimError } from './errors.ts'
import { type ComparisonOperator, type Filter, type FilterValue, comparisonOperators } from './filter.ts'

/** Maximum number of characters of a filter. */
const maxLength = 4096
/** Maximum nesting of parentheses and brackets. */
const maxDepth = 16
/** Maximum number of comparisons. */
const maxTerms = 50

/** Target of a PATCH operation: an attribute, or the elements of one that match a filter. */
export interface PatchPath extends AttributePath {
  filter?: Filter
}

/** Parses a filter. Its length, depth and number of comparisons are limited. */
export function parseFilter(text: string): Filter {
  const parser = new FilterParser(text)
  const filter = parser.parseAlternatives(0)
  parser.expectEnd()
  return filter
}

/** Parses the path of a PATCH operation, for example `emails[type eq "work"].value`. */
export function parsePatchPath(text: string): PatchPath {
  try {
    return new FilterParser(text).parsePath()
  } catch (error) {
    throw error instanceof ScimError ? new ScimError('invalidPath', `path: ${error.message}`) : error
  }
}

const patterns = {
  space: /\s+/y,
  // Names of schemas contain colons and a version with a dot.
  name: /[a-z$][\w$.:-]*/iy,
  subAttribute: /\.([a-z$][\w$-]*)/iy,
  string: /"(?:[^"\\]|\\.)*"/y,
  number: /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])/iy,
}

const literals = new Map<string, FilterValue>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Recursive descent over the text; `not` has precedence over `and`, and `and` over `or`. */
class FilterParser {
  readonly #text: string
  #offset = 0
  #termCount = 0

  constructor(text: string) {
    if (text.length > maxLength) throw invalidFilter(`The filter has more than ${maxLength} characters`)
    if (text.includes('\0') || !text.isWellFormed()) throw invalidFilter('The filter contains an invalid character')
    this.#text = text
  }

  parseAlternatives(depth: number): Filter {
    return this.#parseList('or', () => this.#parseList('and', () => this.#parseUnary(depth)))
  }

  parsePath(): PatchPath {
    const path = resolveAttributePath(this.#readName())
    if (!this.#skip('[')) {
      this.expectEnd()
      return path
    }
    const filter = this.parseAlternatives(1)
    this.#expect(']')
    const subAttribute = this.#read('subAttribute')?.slice(1).toLowerCase()
    this.expectEnd()
    return { ...path, filter, ...(subAttribute !== undefined && { subAttribute }) }
  }

  expectEnd(): void {
    this.#read('space')
    if (this.#offset < this.#text.length) throw this.#unexpected('the end')
  }

  #parseList(kind: 'and' | 'or', parseItem: () => Filter): Filter {
    const filters = [parseItem()]
    while (this.#skipWord(kind)) filters.push(parseItem())
    return filters.length === 1 ? (filters[0] as Filter) : { kind, filters }
  }

  #parseUnary(depth: number): Filter {
    if (depth > maxDepth) throw invalidFilter(`The filter is nested deeper than ${maxDepth} levels`)
    if (this.#skip('(')) return this.#parseGroup(depth)
    const name = this.#readName()
    if (name.toLowerCase() === 'not' && this.#skip('(')) return { kind: 'not', filter: this.#parseGroup(depth) }
    const path = resolveAttributePath(name)
    if (!this.#skip('[')) return this.#parseTerm(path)
    const filter = this.parseAlternatives(depth + 1)
    this.#expect(']')
    const subAttribute = this.#read('subAttribute')?.slice(1)
    if (subAttribute === undefined) return { kind: 'element', path, filter }
    // Entra ID sends `emails[type eq "work"].value eq "…"`, which the grammar of the standard does not have.
    const term = this.#parseTerm({ attribute: subAttribute.toLowerCase() })
    return { kind: 'element', path, filter: { kind: 'and', filters: [filter, term] } }
  }

  #parseGroup(depth: number): Filter {
    const filter = this.parseAlternatives(depth + 1)
    this.#expect(')')
    return filter
  }

  #parseTerm(path: AttributePath): Filter {
    if (++this.#termCount > maxTerms) throw invalidFilter(`The filter has more than ${maxTerms} comparisons`)
    const operator = this.#readName().toLowerCase()
    if (operator === 'pr') return { kind: 'present', path }
    if (!isComparisonOperator(operator)) throw invalidFilter(`${operator} is not an operator`)
    return { kind: 'compare', path, operator, value: this.#readValue() }
  }

  #readName(): string {
    this.#read('space')
    const name = this.#read('name')
    if (name === undefined) throw this.#unexpected('a name')
    return name
  }

  #readValue(): FilterValue {
    this.#read('space')
    const string = this.#read('string')
    if (string !== undefined) return parseString(string)
    const number = this.#read('number')
    if (number !== undefined) return Number(number)
    const literal = literals.get(this.#read('name')?.toLowerCase() ?? '')
    if (literal === undefined) throw this.#unexpected('a value')
    return literal
  }

  /** Consumes the match of a pattern at the current offset. */
  #read(kind: keyof typeof patterns): string | undefined {
    const pattern = patterns[kind]
    pattern.lastIndex = this.#offset
    const found = pattern.exec(this.#text)?.[0]
    this.#offset += found?.length ?? 0
    return found
  }

  #skip(character: string): boolean {
    const start = this.#offset
    this.#read('space')
    if (this.#text[this.#offset] === character) {
      this.#offset++
      return true
    }
    this.#offset = start
    return false
  }

  #skipWord(word: string): boolean {
    const start = this.#offset
    this.#read('space')
    if (this.#read('name')?.toLowerCase() === word) return true
    this.#offset = start
    return false
  }

  #expect(character: string): void {
    if (!this.#skip(character)) throw this.#unexpected(`\`${character}\``)
  }

  #unexpected(expected: string): ScimError {
    return invalidFilter(`Expected ${expected} at position ${this.#offset + 1}`)
  }
}

const invalidFilter = (message: string) => new ScimError('invalidFilter', message)

const isComparisonOperator = (name: string): name is ComparisonOperator =>
  (comparisonOperators as readonly string[]).includes(name)

function parseString(literal: string): string {
  let text: string
  try {
    text = JSON.parse(literal) as string
  } catch {
    throw invalidFilter('A string is not valid JSON')
  }
  if (text.includes('\0') || !text.isWellFormed()) throw invalidFilter('A string contains an invalid character')
  return text
}
