import { expect, test } from 'vitest'
import {
  type Expression,
  ExpressionError,
  type EvaluationLimits,
  type ExpressionScope,
  evaluateCondition,
  defaultEvaluationLimits,
  evaluate,
  findInputPaths,
  maxExpressionNesting,
  maxExpressionLength,
  parseExpression,
} from '../../src/content/expression/index.ts'

const errorOf = (source: string, scope: ExpressionScope = {}) => evaluateCondition(source, scope).error
const tooManySteps = `The expression exceeds the maximum of ${defaultEvaluationLimits.steps} steps`
const tooLongText = `The expression produces a string of more than ${defaultEvaluationLimits.length} characters`

function isEnough(source: string | Expression, scope: ExpressionScope, limits: Partial<EvaluationLimits>): boolean {
  const expression = typeof source === 'string' ? parseExpression(source) : source
  try {
    evaluate(expression, scope, limits)
    return true
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

/** Returns the number of steps of an evaluation: the smallest limit with which it succeeds. */
function stepsOf(source: string, scope: ExpressionScope = {}): number {
  const expression = parseExpression(source)
  let [tooFew, enough] = [0, 1_000_000]
  expect(isEnough(expression, scope, { steps: enough })).toBe(true)
  while (enough - tooFew > 1) {
    const steps = Math.floor((tooFew + enough) / 2)
    if (isEnough(expression, scope, { steps })) enough = steps
    else tooFew = steps
  }
  return enough
}

const inherited = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__lookupGetter__',
  'caller',
  'push',
]

test.each(inherited)('the inherited member "%s" is undefined on every value', (name) => {
  const scope = { object: { a: 1 }, list: [1], text: 'a', number: 1, bare: Object.create(null) as object }
  for (const receiver of [...Object.keys(scope), '[]', '{}', '"a"', '`a`', 'true', 'null', '(1)', '[1].map(x => x)']) {
    expect(evaluate(parseExpression(`${receiver}.${name}`), scope), receiver).toBeUndefined()
    expect(evaluate(parseExpression(`${receiver}["${name}"]`), scope), receiver).toBeUndefined()
    expect(evaluate(parseExpression(`${receiver}[key]`), { ...scope, key: name }), receiver).toBeUndefined()
    expect(evaluate(parseExpression(`${receiver}.${name}.${name}?.a.b`), scope), receiver).toBeUndefined()
  }
  expect(evaluate(parseExpression(name), scope)).toBeUndefined()
})

test.each(['globalThis', 'process', 'Object', 'Function', 'require', 'eval', 'arguments', 'Math', 'JSON'])(
  'the global name %s is undefined',
  (name) => {
    expect(evaluate(parseExpression(name), {})).toBeUndefined()
    expect(evaluate(parseExpression(`[1].map(x => ${name})`), {})).toEqual([undefined])
  },
)

test('expressions can read only plain data of the scope', () => {
  const calls: string[] = []
  class Secret {
    readonly token = 'secret'
  }
  const tricky = {
    run: () => calls.push('run'),
    get computed() {
      return calls.push('computed')
    },
    secret: new Secret(),
    date: new Date(0),
    map: new Map([['a', 1]]),
    symbol: Symbol('a'),
    big: 1n,
    inside: [new Secret(), () => 1, 'plain'],
  }
  for (const name of ['run', 'computed', 'secret', 'secret.token', 'date', 'map', 'symbol', 'big', 'inside[0]']) {
    expect(evaluate(parseExpression(`tricky.${name}`), { tricky }), name).toBeUndefined()
    expect(evaluate(parseExpression(name), tricky), name).toBeUndefined()
  }
  expect(evaluate(parseExpression('tricky.inside.map(x => x)'), { tricky })).toEqual([undefined, undefined, 'plain'])
  expect(evaluate(parseExpression('tricky.inside.find(x => x.token)'), { tricky })).toBeUndefined()
  expect(evaluate(parseExpression('tricky.inside.concat(tricky.inside).at(0)'), { tricky })).toBeUndefined()
  expect(calls).toEqual([])
})

test('own properties may have any name and do not change prototypes', () => {
  const claims = JSON.parse('{ "__proto__": { "admin": true }, "constructor": "c" }') as object
  expect(evaluate(parseExpression('claims.__proto__.admin'), { claims })).toBe(true)
  expect(evaluate(parseExpression('claims.admin'), { claims })).toBeUndefined()
  expect(evaluate(parseExpression('claims.constructor'), { claims })).toBe('c')
  const made = evaluate(
    parseExpression('{ "__proto__": { admin: true }, ["__proto__"]: { admin: true } }'),
    {},
  ) as object
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  expect(evaluate(parseExpression('made.admin'), { made })).toBeUndefined()
  expect(evaluate(parseExpression('[{ admin: true }].map(__proto__ => admin)'), {})).toEqual([undefined])
})

test('evaluation does not change the scope', () => {
  const list = Object.freeze([3, 1, 2])
  const scope = Object.freeze({ list, object: Object.freeze({ a: list }) })
  expect(
    evaluate(
      parseExpression('list.concat(4).slice(1).filter(x => x > 1).map(x => [x]).length + object.a.length'),
      scope,
    ),
  ).toBe(5)
  expect(scope).toEqual({ list: [3, 1, 2], object: { a: [3, 1, 2] } })
})

test('accepts a source of the maximum length and rejects a longer one', () => {
  const source = `"${'a'.repeat(maxExpressionLength - 2)}"`
  expect(evaluate(parseExpression(source), {})).toHaveLength(maxExpressionLength - 2)
  expect(errorOf(` ${source}`)).toBe('An expression can have at most 10000 characters (at character 10001)')
})

test.each([
  '(',
  '[',
  '!',
  '-',
  '- ',
  '{a:',
  '[{a:',
  'a[',
  'a.at(',
  '`${',
  'a?',
  'a?b:',
  '[].map(x=>',
  '!(',
  'a+(',
  '[`${{a:a.at(',
])('rejects "%s" repeated to the maximum length', (piece) => {
  const source = piece.repeat(Math.floor(maxExpressionLength / piece.length))
  // Two minus signs without a space are a different operator.
  expect(errorOf(source)).toMatch(
    piece === '-' ? /^The operator "--"/ : /^An expression can be nested at most 100 levels deep/,
  )
})

test.each([
  ['(', '1', ')'],
  ['[', '', ']'],
  ['!', '1', ''],
  ['1?', '1', ':1'],
  ['0?1:', '1', ''],
  ['{a:', '1', '}'],
  ['`${', '1', '}`'],
  ['""[', '1', ']'],
  ['"a".concat(', '1', ')'],
  ['0||1&&0==0<1+1*(', '1', ')'],
])('accepts "%s" nested to the limit and rejects deeper nesting', (before, middle, after) => {
  const nested = (depth: number) => before.repeat(depth) + middle + after.repeat(depth)
  expect(errorOf(nested(maxExpressionNesting))).toBeUndefined()
  expect(findInputPaths(parseExpression(nested(maxExpressionNesting)))).toEqual([])
  expect(errorOf(nested(maxExpressionNesting + 1))).toMatch(/^An expression can be nested at most 100 levels deep/)
})

test('accepts functions nested to the limit and rejects deeper nesting', () => {
  // The arguments of a method count as one level, and the body of a function in them as another.
  const [deepest, deeper] = [maxExpressionNesting / 2, maxExpressionNesting / 2 + 1].map(
    (depth) => `${'[1].map(x=>'.repeat(depth)}x${')'.repeat(depth)}`,
  ) as [string, string]
  expect(errorOf(deepest)).toBeUndefined()
  expect(errorOf(deeper)).toMatch(/^An expression can be nested/)
})

test('long lists and chains do not count as nesting and take a linear number of steps', () => {
  const cases: ((length: number) => string)[] = [
    (length) => `a${'.a'.repeat(length)}`,
    (length) => `a${'?.a'.repeat(length)}`,
    (length) => `a${'[0]'.repeat(length)}`,
    (length) => `1${'+1'.repeat(length)}`,
    (length) => `0${'||0'.repeat(length)}`,
    (length) => `1${'&&1'.repeat(length)}`,
    (length) => `null${'??null'.repeat(length)}`,
    (length) => `1${'*1/1'.repeat(length)}`,
    (length) => `[${'1,'.repeat(length)}]`,
    (length) => `\`${'${1}'.repeat(length)}\``,
    (length) => `""${'.trim()'.repeat(length)}`,
  ]
  for (const write of cases) {
    const [none, once, twice] = [stepsOf(write(0)), stepsOf(write(600)), stepsOf(write(1200))]
    expect(twice - once, write(1)).toBeLessThan((once - none) * 1.1)
    expect(twice, write(1)).toBeLessThan(1200 * 5)
  }
  expect(evaluate(parseExpression(`1${'+1'.repeat(4999)}`), {})).toBe(5000)
  expect(findInputPaths(parseExpression(`a${'+a'.repeat(4999)}`))).toEqual([['a']])
  expect(findInputPaths(parseExpression(`a${'.a'.repeat(4999)}`))[0]).toHaveLength(5000)
})

test('operands that are not evaluated take no steps', () => {
  const dear = `[${'1,'.repeat(1000)}].map(x => x)`
  expect(stepsOf(`0 && ${dear}`)).toBeLessThan(10)
  expect(stepsOf(`1 || ${dear}`)).toBeLessThan(10)
  expect(stepsOf(`1 ?? ${dear}`)).toBeLessThan(10)
  expect(stepsOf(`1 ? 2 : ${dear}`)).toBeLessThan(10)
  expect(stepsOf(`absent?.at(${dear})`)).toBeLessThan(10)
})

test('rejects a string that doubles beyond the length limit', () => {
  const scope = { texts: ['a'.repeat(100)] }
  expect(evaluate(parseExpression(`texts${'.map(x=>x+x)'.repeat(9)}[0].length`), scope)).toBe(51_200)
  for (const times of [10, 60, 800]) expect(errorOf(`texts${'.map(x=>x+x)'.repeat(times)}`, scope)).toBe(tooLongText)
  expect(errorOf(`["aaaaaaaaaa"]${'.map(x=>`${x}${x}${x}`)'.repeat(60)}`)).toBe(tooLongText)
  expect(errorOf(`["aaaaaaaaaa"]${'.map(x=>x.concat(x,x))'.repeat(60)}`)).toBe(tooLongText)
  expect(errorOf(`["aaaaaaaaaa"]${'.map(x=>[x,x].join(x))'.repeat(60)}`)).toBe(tooLongText)
})

test('rejects lists that multiply beyond the limits', () => {
  expect(errorOf(`[[1,2,3]]${'.map(x=>x.concat(x))'.repeat(100)}`)).toMatch(/^The expression (exceeds|produces a list)/)
  const list = `[${'1,'.repeat(100)}]`
  expect(errorOf(`[${list}].map(l=>l.map(a=>l.map(b=>l.map(c=>l.map(d=>1)))))`)).toBe(tooManySteps)
  expect(isEnough('"aaaa".split("")', {}, { length: 4 })).toBe(true)
  expect(isEnough('"aaaa".split("")', {}, { length: 3 })).toBe(false)
  expect(isEnough('[1,2].concat([3],4)', {}, { length: 4 })).toBe(true)
  expect(isEnough('[1,2].concat([3],4)', {}, { length: 3 })).toBe(false)
  expect(isEnough('"ß".toUpperCase()', {}, { length: 1 })).toBe(false)
})

test('counts steps by the length of strings, so that many long strings exceed the limit', () => {
  const scope = { text: 'a'.repeat(50_000), list: Array.from({ length: 1000 }, (_, index) => index) }
  for (const source of [
    'list.map(i => text + i)',
    'list.map(i => `${text}`)',
    'list.map(i => text.toUpperCase())',
    'list.map(i => text.concat(i))',
    'list.map(i => [text, i].join())',
    'list.map(i => text + "" === text)',
    'list.every(i => text < "b")',
    'list.every(i => text != i)',
    'list.map(i => -text)',
    'list.some(i => [text].includes(i))',
  ]) {
    expect(errorOf(source, scope), source).toBe(tooManySteps)
  }
})

test('counts the comparisons that a search may need as steps', () => {
  const scope = { text: 'a'.repeat(20_000), part: `b${'a'.repeat(10_000)}`, short: 'ab' }
  for (const method of ['includes', 'indexOf', 'split']) {
    expect(errorOf(`text.${method}(part)`, scope), method).toBe(tooManySteps)
    expect(stepsOf(`text.${method}(short)`, scope), method).toBeLessThan(1000)
  }
})

test('counts steps only for the parts of large data that are read', () => {
  const scope = { list: Array.from({ length: 60_000 }, () => 1), sparse: [] as number[], text: 'a'.repeat(1_000_000) }
  scope.sparse.length = 2 ** 32 - 1
  expect(stepsOf('list[59999] + list.length + sparse.length + text.length + text[7]', scope)).toBeLessThan(30)
  expect(stepsOf('list.includes(1)', scope)).toBeGreaterThan(60_000)
  expect(errorOf('list.map(x => x)', scope)).toBe(tooManySteps)
  expect(errorOf('sparse.some(x => x)', scope)).toBe(tooManySteps)
  expect(errorOf('[].concat(sparse)', scope)).toBe(tooManySteps)
})

test('counts the parameters of a function as steps', () => {
  const parameters = Array.from({ length: 1000 }, (_, index) => `p${index}`).join(',')
  expect(stepsOf(`[1,2,3].map((${parameters}) => 1)`)).toBeGreaterThan(3000)
})

test('the caller can set lower limits', () => {
  expect(isEnough('1 + 1', {}, { steps: 3 })).toBe(true)
  expect(() => evaluate(parseExpression('1 + 1 + 1'), {}, { steps: 3 })).toThrow(
    'The expression exceeds the maximum of 3 steps',
  )
  expect(() => evaluate(parseExpression('"ab" + "cd"'), {}, { length: 3 })).toThrow(
    'The expression produces a string of more than 3 characters',
  )
  expect(() => evaluate(parseExpression('"abcd".split("")'), {}, { length: 3 })).toThrow(
    'The expression produces a list of more than 3 items',
  )
})
