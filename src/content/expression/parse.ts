import { ExpressionError, unreachable } from './errors.ts'
import { isMethodName } from './methods.ts'
import type {
  Argument,
  ArrowFunction,
  BinaryOperator,
  MethodCall,
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
const operatorPrecedence: Readonly<Record<BinaryOperator, number>> = {
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

const isBinaryOperator = (text: string): text is BinaryOperator => Object.hasOwn(operatorPrecedence, text)

const lowestPrecedence = operatorPrecedence['||']

const literalKeywords: ReadonlyMap<string, Primitive> = new Map<string, Primitive>([
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
  return new Parser(tokenize(source)).parse()
}

/** Parses an expression; if that fails, tries again without the backslash of `\_`, which some Markdown editors add to names. */
export function parseExpressionLeniently(source: string): Expression {
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
export const isExpression = (source: string): boolean =>
  catchExpressionError(() => parseExpressionLeniently(source)) === undefined

/** Returns the error in an expression; undefined if it is valid. */
export const findExpressionError = (source: string): string | undefined =>
  catchExpressionError(() => parseExpression(source))

function catchExpressionError(parse: () => unknown): string | undefined {
  try {
    parse()
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** Pratt parser. It never backtracks, and looks ahead only over the parameters of a function, so it takes linear time. */
class Parser {
  readonly #tokens: readonly ExpressionToken[]
  #position = 0
  #depth = 0

  constructor(tokens: readonly ExpressionToken[]) {
    this.#tokens = tokens
  }

  parse(): Expression {
    const expression = this.#parseExpression()
    if (this.#peek().kind !== 'end') this.#failUnexpected()
    return expression
  }

  #parseExpression(): Expression {
    const test = this.#parseOperation(lowestPrecedence)
    if (!this.#accept('?')) return test
    const whenTrue = this.#parseNested()
    this.#expect(':')
    const whenFalse = this.#parseNested()
    return { kind: 'conditional', test, whenTrue, whenFalse }
  }

  /** Parses operands joined by operators that bind at least as tightly as `minPrecedence`. */
  #parseOperation(minPrecedence: number): Expression {
    const used = new Set<BinaryOperator>()
    let left = this.#parseUnary()
    let runPrecedence = 0
    let run: { operator: BinaryOperator; operand: Expression }[] = []
    for (let operator = this.#peekOperator(minPrecedence); operator; operator = this.#peekOperator(minPrecedence)) {
      used.add(operator)
      if (used.has('??') && (used.has('||') || used.has('&&'))) {
        this.#fail('"??" cannot be combined with "||" or "&&" without parentheses')
      }
      if (operatorPrecedence[operator] !== runPrecedence) {
        runPrecedence = operatorPrecedence[operator]
        run = []
        left = { kind: 'operation', first: left, rest: run }
      }
      this.#position += 1
      // The operand of "??" ends before an "&&", so that the check above rejects the combination.
      run.push({
        operator,
        operand: this.#parseOperation(operator === '??' ? operatorPrecedence['==='] : runPrecedence + 1),
      })
    }
    return left
  }

  #peekOperator(minPrecedence: number): BinaryOperator | undefined {
    const { kind, text } = this.#peek()
    return kind === 'mark' && isBinaryOperator(text) && operatorPrecedence[text] >= minPrecedence ? text : undefined
  }

  #parseUnary(): Expression {
    const operator = this.#accept('!') ?? this.#accept('-') ?? this.#accept('+')
    if (operator === undefined) return this.#parseChain()
    this.#enterNesting()
    const operand = this.#parseUnary()
    this.#leaveNesting()
    return { kind: 'unary', operator, operand }
  }

  #parseChain(): Expression {
    const base = this.#parsePrimary()
    const links: ChainLink[] = []
    for (let link = this.#parseLink(); link !== undefined; link = this.#parseLink()) links.push(link)
    return links.length === 0 ? base : { kind: 'chain', base, links }
  }

  #parseLink(): ChainLink | undefined {
    const token = this.#peek()
    if (token.kind === 'template' && token.first) this.#fail('Tagged templates are not supported')
    if (this.#isNext('(') || (this.#isNext('?.') && this.#isNext('(', 1))) {
      this.#fail('Only methods can be called, for example value.includes("x")')
    }
    const optional = this.#accept('?.') !== undefined
    if (this.#accept('[')) return this.#parseElement(optional)
    if (optional || this.#accept('.')) return this.#parseMemberOrCall(optional)
    return undefined
  }

  #parseElement(optional: boolean): ChainLink {
    const index = this.#parseNested()
    this.#expect(']')
    if (index.kind === 'literal' && typeof index.value === 'string') {
      return { kind: 'member', name: index.value, optional }
    }
    return { kind: 'element', index, optional }
  }

  #parseMemberOrCall(optional: boolean): ChainLink {
    const token = this.#peek()
    if (token.kind !== 'name') this.#failUnexpected()
    const name = token.text
    this.#position += 1
    const tolerant = this.#isNext('?.') && this.#isNext('(', 1)
    if (!tolerant && !this.#isNext('(')) return { kind: 'member', name, optional }
    if (!isMethodName(name)) throw new ExpressionError(`Unknown method "${name}"`, token.at)
    this.#position += tolerant ? 2 : 1
    return { kind: 'call', method: name, arguments: this.#parseArguments(), optional, tolerant } satisfies MethodCall
  }

  #parseArguments(): readonly Argument[] {
    return this.#parseListUntil(')', () => this.#parseFunction() ?? this.#parseExpression())
  }

  #parseFunction(): ArrowFunction | undefined {
    const length = this.#countParameterTokens()
    if (length === undefined) return undefined
    const names = this.#tokens.slice(this.#position, this.#position + length).filter(({ kind }) => kind === 'name')
    const parameters = new Set<string>()
    for (const { text, at } of names) {
      rejectReservedWord(text, at)
      if (literalKeywords.has(text) || parameters.has(text)) {
        throw new ExpressionError(`"${text}" cannot be used as a parameter name`, at)
      }
      parameters.add(text)
    }
    this.#position += length + 1
    if (this.#isNext('{')) this.#fail('The body of a function must be an expression without braces')
    return { kind: 'function', parameters: [...parameters], body: this.#parseNested() }
  }

  /** Returns the number of tokens before the `=>` of a function; undefined if no function starts here. */
  #countParameterTokens(): number | undefined {
    if (this.#peek().kind === 'name') return this.#isNext('=>', 1) ? 1 : undefined
    if (!this.#isNext('(')) return undefined
    let length = 1
    while (this.#peek(length).kind === 'name' && this.#isNext(',', length + 1)) length += 2
    if (this.#peek(length).kind === 'name') length += 1
    return this.#isNext(')', length) && this.#isNext('=>', length + 1) ? length + 1 : undefined
  }

  #parsePrimary(): Expression {
    const token = this.#peek()
    switch (token.kind) {
      case 'literal':
        this.#position += 1
        return { kind: 'literal', value: token.value }
      case 'name':
        rejectReservedWord(token.text, token.at)
        this.#position += 1
        if (literalKeywords.has(token.text)) return { kind: 'literal', value: literalKeywords.get(token.text) }
        return { kind: 'name', name: token.text }
      case 'template':
        return token.first ? this.#parseTemplate(token) : this.#failUnexpected()
      case 'mark':
        return this.#parseBracketed()
      case 'end':
        return this.#failUnexpected()
      default:
        return unreachable(token)
    }
  }

  #parseBracketed(): Expression {
    if (this.#accept('(')) {
      const inner = this.#parseNested()
      this.#expect(')')
      return inner
    }
    if (this.#accept('[')) {
      return { kind: 'list', items: this.#parseListUntil(']', () => this.#parseExpression()) }
    }
    if (this.#accept('{')) {
      return { kind: 'object', entries: this.#parseListUntil('}', () => this.#parseObjectEntry()) }
    }
    return this.#failUnexpected()
  }

  #parseObjectEntry(): ObjectEntry {
    const token = this.#peek()
    const key = this.#parseObjectKey()
    if (this.#accept(':')) return { key, value: this.#parseExpression() }
    if (token.kind !== 'name') this.#failUnexpected()
    rejectReservedWord(token.text, token.at)
    if (literalKeywords.has(token.text)) this.#failUnexpected()
    return { key, value: { kind: 'name', name: token.text } }
  }

  #parseObjectKey(): Expression {
    const token = this.#peek()
    if (this.#accept('[')) {
      const key = this.#parseExpression()
      this.#expect(']')
      return key
    }
    if (token.kind !== 'name' && token.kind !== 'literal') return this.#failUnexpected()
    this.#position += 1
    return { kind: 'literal', value: token.kind === 'literal' ? token.value : token.text }
  }

  #parseTemplate(head: TemplateToken): Expression {
    this.#position += 1
    const rest: TemplatePart[] = []
    for (let piece = head; !piece.last;) {
      const hole = this.#parseNested()
      const token = this.#peek()
      if (token.kind !== 'template' || token.first) this.#failUnexpected()
      this.#position += 1
      rest.push({ hole, text: token.value })
      piece = token
    }
    return rest.length === 0 ? { kind: 'literal', value: head.value } : { kind: 'template', first: head.value, rest }
  }

  #parseListUntil<T>(end: Punctuator, parseItem: () => T): readonly T[] {
    const items: T[] = []
    this.#enterNesting()
    while (!this.#accept(end)) {
      items.push(parseItem())
      if (!this.#isNext(end) && !this.#accept(',')) this.#failUnexpected(`; expected "${end}"`)
    }
    this.#leaveNesting()
    return items
  }

  #parseNested(): Expression {
    this.#enterNesting()
    const expression = this.#parseExpression()
    this.#leaveNesting()
    return expression
  }

  #enterNesting(): void {
    this.#depth += 1
    if (this.#depth > maxExpressionNesting)
      this.#fail(`An expression can be nested at most ${maxExpressionNesting} levels deep`)
  }

  #leaveNesting(): void {
    this.#depth -= 1
  }

  #peek(ahead = 0): ExpressionToken {
    return this.#tokens[this.#position + ahead] ?? (this.#tokens.at(-1) as ExpressionToken)
  }

  #isNext(punctuator: Punctuator, ahead = 0): boolean {
    const token = this.#peek(ahead)
    return token.kind === 'mark' && token.text === punctuator
  }

  #accept<M extends Punctuator>(punctuator: M): M | undefined {
    if (!this.#isNext(punctuator)) return undefined
    this.#position += 1
    return punctuator
  }

  #expect(punctuator: Punctuator): void {
    if (!this.#accept(punctuator)) this.#failUnexpected(`; expected "${punctuator}"`)
  }

  #failUnexpected(hint = ''): never {
    const { kind, text, at } = this.#peek()
    const isQuoted = kind === 'name' || kind === 'mark'
    if (kind === 'name') rejectReservedWord(text, at)
    if (kind === 'end') this.#fail(`Unexpected end of the expression${hint}`)
    if (text === '=>')
      this.#fail('A function can only be used as an argument of a method, and its parameters must be plain names')
    this.#fail(`Unexpected ${isQuoted ? `"${toExcerpt(text)}"` : toExcerpt(text)}${hint}`)
  }

  #fail(message: string): never {
    throw new ExpressionError(message, this.#peek().at)
  }
}

function rejectReservedWord(word: string, at: number): void {
  if (reservedWords.has(word)) throw new ExpressionError(`"${word}" is not supported`, at)
}

const maxExcerptLength = 20

const toExcerpt = (text: string) => (text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength)}…` : text)
