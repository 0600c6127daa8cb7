import { ExpressionError, unreachable } from './errors.ts'
import { isMethod } from './methods.ts'
import type {
  Argument,
  ArrowFunction,
  BinaryOperator,
  Call,
  Expression,
  ChainLink,
  ObjectEntry,
  TemplatePart,
} from './syntax.ts'
import { tokenize } from './tokens.ts'
import type { ExpressionToken, Punctuator, TemplateToken } from './tokens.ts'
import type { Primitive } from './values.ts'

/** Maximum nesting of brackets, prefixes, conditionals and functions; it also limits the recursion of every tree traversal. */
export const maxExpressionNesting = 100

/** Precedence of operators; a higher number binds tighter. */
const bindingPower: Readonly<Record<BinaryOperator, number>> = {
  '??': 1,
  '||': 1,
  '&&': 2,
  '===': 3,
  '!==': 3,
  '==': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}

const isOperator = (text: string): text is BinaryOperator => Object.hasOwn(bindingPower, text)

const loosest = bindingPower['||']

const literalWords: ReadonlyMap<string, Primitive> = new Map<string, Primitive>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])

/** Words of JavaScript that are neither values nor names in expressions. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends finally for ' +
    'function if implements import in instanceof interface let new package private protected public return static ' +
    'super switch this throw try typeof var void while with yield'
  ).split(' '),
)

/** Parses one JavaScript expression of the supported subset; throws an `ExpressionError` with the position if it fails. */
export function parseExpression(source: string): Expression {
  return new Parser(tokenize(source)).whole()
}

/** Parses an expression; if that fails, tries again without the backslash of `\_`, which some Markdown editors add to names. */
export function parseForgiving(source: string): Expression {
  try {
    return parseExpression(source)
  } catch (error) {
    if (!(error instanceof ExpressionError) || !source.includes(String.raw`\_`)) throw error
    try {
      return parseExpression(source.replaceAll(String.raw`\_`, '_'))
    } catch {
      throw error
    }
  }
}

/** Whether a text can be parsed as an expression. */
export const isExpression = (source: string): boolean => problemOf(() => parseForgiving(source)) === undefined

/** Returns the error in an expression; undefined if it is valid. */
export const problemIn = (source: string): string | undefined => problemOf(() => parseExpression(source))

function problemOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** Pratt parser. It never backtracks, and looks ahead only over the parameters of a function, so it takes linear time. */
class Parser {
  readonly #tokens: readonly ExpressionToken[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly ExpressionToken[]) {
    this.#tokens = tokens
  }

  whole(): Expression {
    const expression = this.#expression()
    if (this.#token().kind !== 'end') this.#unexpected()
    return expression
  }

  #expression(): Expression {
    const test = this.#operation(loosest)
    if (!this.#take('?')) return test
    const whenTrue = this.#nested()
    this.#expect(':')
    const whenFalse = this.#nested()
    return { kind: 'conditional', test, whenTrue, whenFalse }
  }

  /** Parses operands joined by operators that bind at least as tightly as `power`. */
  #operation(power: number): Expression {
    const used = new Set<BinaryOperator>()
    let left = this.#prefixed()
    let runPower = 0
    let run: { operator: BinaryOperator; operand: Expression }[] = []
    for (let operator = this.#operator(power); operator; operator = this.#operator(power)) {
      used.add(operator)
      if (used.has('??') && (used.has('||') || used.has('&&'))) {
        this.#fail('"??" cannot be combined with "||" or "&&" without parentheses')
      }
      if (bindingPower[operator] !== runPower) {
        runPower = bindingPower[operator]
        run = []
        left = { kind: 'operation', first: left, rest: run }
      }
      this.#next += 1
      // The operand of "??" ends before an "&&", so that the check above rejects the combination.
      run.push({ operator, operand: this.#operation(operator === '??' ? bindingPower['==='] : runPower + 1) })
    }
    return left
  }

  #operator(power: number): BinaryOperator | undefined {
    const { kind, text } = this.#token()
    return kind === 'mark' && isOperator(text) && bindingPower[text] >= power ? text : undefined
  }

  #prefixed(): Expression {
    const operator = this.#take('!') ?? this.#take('-') ?? this.#take('+')
    if (operator === undefined) return this.#chain()
    this.#enter()
    const operand = this.#prefixed()
    this.#leave()
    return { kind: 'unary', operator, operand }
  }

  #chain(): Expression {
    const base = this.#primary()
    const links: ChainLink[] = []
    for (let link = this.#link(); link !== undefined; link = this.#link()) links.push(link)
    return links.length === 0 ? base : { kind: 'chain', base, links }
  }

  #link(): ChainLink | undefined {
    const token = this.#token()
    if (token.kind === 'template' && token.first) this.#fail('Tagged templates are not supported')
    if (this.#is('(') || (this.#is('?.') && this.#is('(', 1))) {
      this.#fail('Only methods can be called, for example value.includes("x")')
    }
    const optional = this.#take('?.') !== undefined
    if (this.#take('[')) return this.#element(optional)
    if (optional || this.#take('.')) return this.#memberOrCall(optional)
    return undefined
  }

  #element(optional: boolean): ChainLink {
    const index = this.#nested()
    this.#expect(']')
    if (index.kind === 'literal' && typeof index.value === 'string') {
      return { kind: 'member', name: index.value, optional }
    }
    return { kind: 'element', index, optional }
  }

  #memberOrCall(optional: boolean): ChainLink {
    const token = this.#token()
    if (token.kind !== 'name') this.#unexpected()
    const name = token.text
    this.#next += 1
    const tolerant = this.#is('?.') && this.#is('(', 1)
    if (!tolerant && !this.#is('(')) return { kind: 'member', name, optional }
    if (!isMethod(name)) throw new ExpressionError(`Unknown method "${name}"`, token.at)
    this.#next += tolerant ? 2 : 1
    return { kind: 'call', method: name, arguments: this.#arguments(), optional, tolerant } satisfies Call
  }

  #arguments(): readonly Argument[] {
    return this.#listUntil(')', () => this.#function() ?? this.#expression())
  }

  #function(): ArrowFunction | undefined {
    const length = this.#parametersLength()
    if (length === undefined) return undefined
    const names = this.#tokens.slice(this.#next, this.#next + length).filter(({ kind }) => kind === 'name')
    const parameters = new Set<string>()
    for (const { text, at } of names) {
      refuseReserved(text, at)
      if (literalWords.has(text) || parameters.has(text)) {
        throw new ExpressionError(`"${text}" cannot be used as a parameter name`, at)
      }
      parameters.add(text)
    }
    this.#next += length + 1
    if (this.#is('{')) this.#fail('The body of a function must be an expression without braces')
    return { kind: 'function', parameters: [...parameters], body: this.#nested() }
  }

  /** Returns the number of tokens before the `=>` of a function; undefined if no function starts here. */
  #parametersLength(): number | undefined {
    if (this.#token().kind === 'name') return this.#is('=>', 1) ? 1 : undefined
    if (!this.#is('(')) return undefined
    let length = 1
    while (this.#token(length).kind === 'name' && this.#is(',', length + 1)) length += 2
    if (this.#token(length).kind === 'name') length += 1
    return this.#is(')', length) && this.#is('=>', length + 1) ? length + 1 : undefined
  }

  #primary(): Expression {
    const token = this.#token()
    switch (token.kind) {
      case 'literal':
        this.#next += 1
        return { kind: 'literal', value: token.value }
      case 'name':
        refuseReserved(token.text, token.at)
        this.#next += 1
        if (literalWords.has(token.text)) return { kind: 'literal', value: literalWords.get(token.text) }
        return { kind: 'name', name: token.text }
      case 'template':
        return token.first ? this.#template(token) : this.#unexpected()
      case 'mark':
        return this.#bracketed()
      case 'end':
        return this.#unexpected()
      default:
        return unreachable(token)
    }
  }

  #bracketed(): Expression {
    if (this.#take('(')) {
      const inner = this.#nested()
      this.#expect(')')
      return inner
    }
    if (this.#take('[')) {
      return { kind: 'list', items: this.#listUntil(']', () => this.#expression()) }
    }
    if (this.#take('{')) {
      return { kind: 'object', entries: this.#listUntil('}', () => this.#entry()) }
    }
    return this.#unexpected()
  }

  #entry(): ObjectEntry {
    const token = this.#token()
    const key = this.#key()
    if (this.#take(':')) return { key, value: this.#expression() }
    if (token.kind !== 'name') this.#unexpected()
    refuseReserved(token.text, token.at)
    if (literalWords.has(token.text)) this.#unexpected()
    return { key, value: { kind: 'name', name: token.text } }
  }

  #key(): Expression {
    const token = this.#token()
    if (this.#take('[')) {
      const key = this.#expression()
      this.#expect(']')
      return key
    }
    if (token.kind !== 'name' && token.kind !== 'literal') return this.#unexpected()
    this.#next += 1
    return { kind: 'literal', value: token.kind === 'literal' ? token.value : token.text }
  }

  #template(head: TemplateToken): Expression {
    this.#next += 1
    const rest: TemplatePart[] = []
    for (let piece = head; !piece.last;) {
      const hole = this.#nested()
      const token = this.#token()
      if (token.kind !== 'template' || token.first) this.#unexpected()
      this.#next += 1
      rest.push({ hole, text: token.value })
      piece = token
    }
    return rest.length === 0 ? { kind: 'literal', value: head.value } : { kind: 'template', first: head.value, rest }
  }

  #listUntil<T>(end: Punctuator, read: () => T): readonly T[] {
    const items: T[] = []
    this.#enter()
    while (!this.#take(end)) {
      items.push(read())
      if (!this.#is(end) && !this.#take(',')) this.#unexpected(`; expected "${end}"`)
    }
    this.#leave()
    return items
  }

  #nested(): Expression {
    this.#enter()
    const expression = this.#expression()
    this.#leave()
    return expression
  }

  #enter(): void {
    this.#depth += 1
    if (this.#depth > maxExpressionNesting)
      this.#fail(`An expression can be nested at most ${maxExpressionNesting} levels deep`)
  }

  #leave(): void {
    this.#depth -= 1
  }

  #token(ahead = 0): ExpressionToken {
    return this.#tokens[this.#next + ahead] ?? (this.#tokens.at(-1) as ExpressionToken)
  }

  #is(mark: Punctuator, ahead = 0): boolean {
    const token = this.#token(ahead)
    return token.kind === 'mark' && token.text === mark
  }

  #take<M extends Punctuator>(mark: M): M | undefined {
    if (!this.#is(mark)) return undefined
    this.#next += 1
    return mark
  }

  #expect(mark: Punctuator): void {
    if (!this.#take(mark)) this.#unexpected(`; expected "${mark}"`)
  }

  #unexpected(hint = ''): never {
    const { kind, text, at } = this.#token()
    const isQuoted = kind === 'name' || kind === 'mark'
    if (kind === 'name') refuseReserved(text, at)
    if (kind === 'end') this.#fail(`Unexpected end of the expression${hint}`)
    if (text === '=>')
      this.#fail('A function can only be used as an argument of a method, and its parameters must be plain names')
    this.#fail(`Unexpected ${isQuoted ? `"${excerpt(text)}"` : excerpt(text)}${hint}`)
  }

  #fail(sentence: string): never {
    throw new ExpressionError(sentence, this.#token().at)
  }
}

function refuseReserved(word: string, at: number): void {
  if (reservedWords.has(word)) throw new ExpressionError(`"${word}" is not supported`, at)
}

const longestExcerpt = 20

const excerpt = (text: string) => (text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text)
