import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { ExpressionError, evaluate, parseExpression } from '../../src/content/expression/index.ts'
import { compileJavaScript, exampleScope, createExpressionGenerator } from '../support/expressions.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const primitives = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  2,
  3.7,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  ' ',
  '0',
  '1',
  ' 2 ',
  '0x10',
  'a',
  'B',
  'true',
  'null',
  'abcabc',
]

type Data = Record<string, unknown>

/** Returns the scopes in which JavaScript gives the expression another value. All scopes must have the same names. */
function differences(source: string, scopes: readonly Data[]) {
  const javaScript = compileJavaScript(source, ...Object.keys(scopes[0] ?? {}))
  const expression = parseExpression(source)
  const answers = scopes.map((scope) => ({
    source,
    scope,
    ours: evaluate(expression, scope),
    javaScript: javaScript(...Object.values(scope)),
  }))
  return answers.filter((answer) => !isDeepStrictEqual(answer.ours, answer.javaScript))
}

test.each([
  '1 + 2 * 3 - 4 / 5 % 6',
  '(1 + 2) * 3',
  '10 - 3 - 2',
  '100 / 10 / 2',
  '1 + 2 + "3" + 4 + 5',
  '1 < 2 === true',
  '3 > 2 > 1',
  '!0 === true',
  '!(1 === 1) || 2',
  '- -1',
  '-"3" + +"4"',
  '0 || "" || null',
  '1 && 0 && 2',
  '0 && 1 || 2 && 3',
  'null ?? undefined ?? 0 ?? 1',
  '(null ?? 0) || 5',
  '(1 && null) ?? "x"',
  '1 ? 2 ? "a" : "b" : "c"',
  '0 ? "a" : 0 ? "b" : "c"',
  'true ?.5:1',
  '1 ? [2] : [3]',
  '0x1F + 0b101 + 0o17 + 1e3 + 1.5e-2 + .5 + 5. + 0',
  '5..length',
  String.raw`"\n\t\r\b\f\v\0\\\"\'\x41\u0042\u{1F600}\q"`,
  "'one \\\r\ntwo \\\nthree'",
  '`a\r\nb\rc`',
  '`\\${1} $\\{2} $ $$ \\u0041 \\``',
  '`a${`b${`c${1 + 1}`}`}d`',
  '`${{ a: `}` }.a}${"}"}`',
  '{ a: 1, "b": 2, 3: 3, 4.0: 4, ["c" + "d"]: 5, if: 6, null: 7, }',
  '[1, [2, [3]], { a: [] },]',
  '{ a: { b: [10, 20] } }.a.b[1]',
  '[1, 2, 3]["length"]',
  '"héllo"[1]',
  '"abc"[5]',
  'null?.a',
  'null?.a.b.c[1].at(2)',
  'undefined?.[1 + 1]',
  '[null][0]?.a.b',
  '"abc"?.at(-1)',
  '"abc".at?.(0)',
  '[1, 2, 3].map((item, index, list) => item * index + list.length)',
  '[1, 2, 3].map(() => 0)',
  '[1, 2, 3].filter(x => x % 2).map(x => [4, 5].map(y => x * y).join("+")).join()',
  '[[1, 2], [3]].map(x => x.length)',
  '[1, 2, 3].some(x => x > 2) && [].every(x => false)',
  '[{ id: 1 }, { id: 2 }].find(x => x.id === 2).id',
  '[1, 2].map(x => ({ x, y: x + 1 }))',
  '[1].map(x => [2].map(x => x))',
  '"a,b,,c".split(",")',
  '"abc".split("")',
  '"abc".split()',
  '"abc".split("", 2)',
  '"ß".toUpperCase()',
  '[1, null, undefined, true, "x"].join(" ")',
  '[NaN].includes(NaN)',
  '[NaN].indexOf(NaN)',
])('%s evaluates as in JavaScript', (source) => {
  expect(differences(source, [{}])).toEqual([])
})

test('every operator evaluates every pair of primitives as JavaScript does', () => {
  const operators = ['===', '!==', '==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '&&', '||', '??']
  const pairs = primitives.flatMap((left) => primitives.map((right) => ({ left, right })))
  expect(operators.flatMap((operator) => differences(`left ${operator} right`, pairs))).toEqual([])
})

test('every method converts its arguments as JavaScript does', () => {
  const pairs = primitives.flatMap((first) => primitives.map((second) => ({ first, second })))
  const tried = (receivers: readonly unknown[], methods: string) =>
    methods.split(' ').flatMap((method) =>
      differences(
        `receiver.${method}(first, second)`,
        receivers.flatMap((receiver) => pairs.map((pair) => ({ receiver, ...pair }))),
      ),
    )
  const texts = ['', 'abcabc', ' Été 1 null undefined ']
  expect(tried(texts, 'at charAt concat endsWith includes indexOf slice split startsWith substring')).toEqual([])
  const lists = [[], primitives, ['a', 'b', 'c', 'a']]
  expect(tried(lists, 'at concat includes indexOf join slice')).toEqual([])
})

test('random expressions evaluate as in JavaScript', () => {
  const chance = seededRandom(20240817)
  const write = createExpressionGenerator(chance)
  const kinds = new Map<string, number>()
  for (let round = 0; round < 3000; round += 1) {
    const source = write(randomInteger(chance, 1, 4))
    expect(differences(source, [exampleScope])).toEqual([])
    const kind = typeof evaluate(parseExpression(source), exampleScope)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  for (const kind of ['string', 'number', 'boolean', 'object', 'undefined']) {
    expect(kinds.get(kind), `expressions with a value of type ${kind}`).toBeGreaterThan(100)
  }
})

/** Returns whether `read` succeeds. Rethrows errors of any other class than `refusal`. */
function succeeds(read: () => unknown, refusal: typeof ExpressionError | typeof SyntaxError): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof refusal) return false
    throw error
  }
}

const isOurs = (source: string) => succeeds(() => parseExpression(source), ExpressionError)
const isJavaScript = (source: string) => succeeds(() => compileJavaScript(source), SyntaxError)

test('accepts random tokens only if they are valid JavaScript and throws ExpressionError otherwise', () => {
  const words = (
    'a b at map true null this new in typeof async 1 2.5 "s" `t` `${ }` ( ) ( ) [ ] { } , . . : ? ?. ?? || && ! + - * / ' +
    '=== < => = ; ... & ** ++ \\ # @'
  ).split(' ')
  const chance = seededRandom(4711)
  const soups = Array.from({ length: 30_000 }, () => {
    const soup = Array.from(
      { length: randomInteger(chance, 1, 7) },
      () => words[randomInteger(chance, 0, words.length - 1)],
    )
    return soup.join(chance() < 0.5 ? ' ' : '')
  })
  const accepted = soups.filter(isOurs)
  expect(accepted.length).toBeGreaterThan(500)
  expect(accepted.filter((source) => !isJavaScript(source))).toEqual([])
})

test('accepts an expression with a removed, doubled or replaced part only if it is valid JavaScript', () => {
  const chance = seededRandom(99)
  const write = createExpressionGenerator(chance)
  const broken = Array.from({ length: 3000 }, () => {
    const whole = write(randomInteger(chance, 1, 3))
    const from = randomInteger(chance, 0, whole.length)
    const to = Math.min(whole.length, from + randomInteger(chance, 0, 3))
    const pieces = ['', '', whole.slice(from, to).repeat(2), '(', ')', '??', '=>', '`', '}', '.', '?']
    return `${whole.slice(0, from)}${pieces[randomInteger(chance, 0, pieces.length - 1)]}${whole.slice(to)}`
  })
  const accepted = broken.filter(isOurs)
  expect(accepted.length).toBeGreaterThan(500)
  expect(accepted.filter((source) => !isJavaScript(source))).toEqual([])
})
