import { expect, test } from 'vitest'
import {
  evaluateCondition,
  evaluate,
  evaluateInlineExpression,
  findInputPaths,
  makeExpressionScope,
  parseExpression,
} from '../../src/content/expression/index.ts'

const visitorWith = (unsigned: Record<string, unknown>) => makeExpressionScope({ visitorClaims: { unsigned } })
const anyone = makeExpressionScope({})

test('a condition compares a claim of the visitor', () => {
  const source = 'visitor.claims.isBetaUser == true'
  expect(evaluateCondition(source, makeExpressionScope({ visitorClaims: { isBetaUser: true } }))).toEqual({
    value: true,
  })
  expect(evaluateCondition(source, makeExpressionScope({ visitorClaims: { isBetaUser: false } }))).toEqual({
    value: false,
  })
  expect(evaluateCondition(source, anyone)).toEqual({ value: false })
})

test('a condition compares an unsigned claim', () => {
  const source = 'visitor.claims.unsigned.language === "fr"'
  expect(evaluateCondition(source, visitorWith({ language: 'fr' }))).toEqual({ value: true })
  expect(evaluateCondition(source, visitorWith({ language: 'de' }))).toEqual({ value: false })
  expect(evaluateCondition(source, anyone)).toEqual({ value: false })
})

test('comparisons with !== and negations with ! are true for a visitor without claims', () => {
  const neither = '"OM4ADO" !== visitor.claims.unsigned.product && "OAM" !== visitor.claims.unsigned.product'
  expect(evaluateCondition(neither, anyone)).toEqual({ value: true })
  expect(evaluateCondition(neither, visitorWith({ product: 'OAM' }))).toEqual({ value: false })
  expect(evaluateCondition('!visitor.claims.unsigned.persona', anyone)).toEqual({ value: true })
  expect(evaluateCondition('!visitor.claims.unsigned.persona', visitorWith({ persona: 'new' }))).toEqual({
    value: false,
  })
  expect(evaluateCondition('visitor.claims.unsigned.persona', anyone)).toEqual({ value: false })
})

test.each([
  'visitor.claims.unsigned.plan ? " on the " + visitor.claims.unsigned.plan.charAt(0).toUpperCase() + visitor.claims.unsigned.plan.slice(1) + " plan" : ""',
  'visitor.claims.unsigned.plan ? ` on the ${visitor.claims.unsigned.plan.charAt(0).toUpperCase() + visitor.claims.unsigned.plan.slice(1)} plan` : ""',
])('renders a claim in a sentence, and no text for a visitor without the claim: %s', (source) => {
  expect(evaluateInlineExpression(source, visitorWith({ plan: 'growth' }))).toBe(' on the Growth plan')
  expect(evaluateInlineExpression(source, anyone)).toBe('')
})

test('a chain of ?: selects one of several texts', () => {
  const source =
    'visitor.claims.unsigned.persona === "prospect" ? "a prospect" : visitor.claims.unsigned.persona === "new" ? "a new user" : ""'
  expect(evaluateInlineExpression(source, visitorWith({ persona: 'prospect' }))).toBe('a prospect')
  expect(evaluateInlineExpression(source, visitorWith({ persona: 'new' }))).toBe('a new user')
  expect(evaluateInlineExpression(source, visitorWith({ persona: 'partner' }))).toBe('')
})

test('renders variables of the space and the page', () => {
  const scope = makeExpressionScope({
    spaceVariables: {
      PW_IMAGE_ROUTE: 'mcr.io/pw',
      LATEST_PW_IMAGE_VERSION: 'v1.2',
      latest_version: 'v3.0.4',
      days: 30,
    },
    pageVariables: { audience: 'admins' },
  })
  expect(evaluateInlineExpression('space.vars.PW_IMAGE_ROUTE + ":" + space.vars.LATEST_PW_IMAGE_VERSION', scope)).toBe(
    'mcr.io/pw:v1.2',
  )
  expect(evaluateInlineExpression('space.vars.latest_version === "v3.0.4" ? "Latest" : "Outdated"', scope)).toBe(
    'Latest',
  )
  expect(evaluateInlineExpression('space.vars.days', scope)).toBe('30')
  expect(evaluateInlineExpression('page.vars.audience', scope)).toBe('admins')
})

test('accepts underscores that are escaped as in Markdown', () => {
  const scope = makeExpressionScope({ spaceVariables: { PW_IMAGE_ROUTE: 'mcr.io/pw', a_b: 1 } })
  expect(evaluateInlineExpression(String.raw`space.vars.PW\_IMAGE\_ROUTE + "\_"`, scope)).toBe('mcr.io/pw_')
  expect(evaluateCondition(String.raw`space.vars.PW\_IMAGE\_ROUTE === "mcr.io/pw"`, scope)).toEqual({ value: true })
})

test('renders an invalid source with escaped underscores unchanged and reports the error of that source', () => {
  const source = String.raw`space.vars.PW\_IMAGE +`
  expect(evaluateInlineExpression(source, anyone)).toBe(String.raw`{{space.vars.PW\_IMAGE +}}`)
  expect(evaluateCondition(source, anyone)).toEqual({
    value: false,
    error: String.raw`Unexpected "\" (at character 14)`,
  })
})

test('an empty condition is true', () => {
  expect(evaluateCondition('', anyone)).toEqual({ value: true })
  expect(evaluateCondition(' \n\t', anyone)).toEqual({ value: true })
})

test.each([
  ['""', false],
  ['"no"', true],
  ['0', false],
  ['NaN', false],
  ['-1', true],
  ['null', false],
  ['undefined', false],
  ['[]', true],
  ['{}', true],
])('the condition %s is %s', (source, value) => {
  expect(evaluateCondition(source, anyone)).toEqual({ value })
})

test('a condition that fails is false and has an error', () => {
  expect(evaluateCondition('visitor.claims.unsigned.groups.includes("a")', anyone)).toEqual({
    value: false,
    error: '"includes" cannot be called on a missing value',
  })
  expect(evaluateCondition('!visitor.claims.unsigned.groups.includes("a")', anyone).value).toBe(false)
  expect(evaluateCondition('visitor.claims.unsigned.groups?.includes("a")', anyone)).toEqual({ value: false })
  expect(evaluateCondition('!visitor.claims.unsigned.groups?.includes("a")', anyone)).toEqual({ value: true })
})

test.each([
  ['"<b>&"', '<b>&'],
  ['12.50', '12.5'],
  ['1 / 0', 'Infinity'],
  ['true', 'true'],
  ['1 > 2', 'false'],
  ['null', ''],
  ['undefined', ''],
  ['visitor.claims', ''],
  ['[1, 2]', ''],
  ['{ a: 1 }', ''],
  ['', ''],
  ['1 +', '{{1 +}}'],
  ['null.trim()', '{{null.trim()}}'],
  [' data.get("x") ', '{{ data.get("x") }}'],
])('%s renders as "%s"', (source, text) => {
  expect(evaluateInlineExpression(source, anyone)).toBe(text)
})

test.each(['absent', 'absent.a.b.c', 'absent["a"][0]', 'page.vars.a.b', '(1).a.b', 'null.a', 'true.a', '[].a[3].b'])(
  '%s evaluates to undefined instead of an error',
  (source) => {
    expect(evaluate(parseExpression(source), anyone)).toBeUndefined()
  },
)

test('the scope contains the objects for claims and variables for every visitor', () => {
  const empty = { visitor: { claims: { unsigned: {} } }, space: { vars: {} }, page: { vars: {} } }
  expect(makeExpressionScope({})).toEqual(empty)
  expect(
    makeExpressionScope({ visitorClaims: undefined, spaceVariables: undefined, pageVariables: undefined }),
  ).toEqual(empty)
  expect(makeExpressionScope({ visitorClaims: { unsigned: 'forged' } })).toEqual(empty)
  expect(makeExpressionScope({ visitorClaims: { unsigned: ['forged'] } })).toEqual(empty)
  expect(makeExpressionScope({ visitorClaims: { unsigned: null, role: 'a' } }).visitor).toEqual({
    claims: { role: 'a', unsigned: {} },
  })
})

test('lists and objects cannot be converted to strings or numbers', () => {
  for (const source of [
    '"a" + []',
    '[] + []',
    '`${{}}`',
    '[1] * 2',
    '-[]',
    '{} < 1',
    '[[1]].join()',
    '"a".at([])',
    '{}[{}]',
  ]) {
    expect(evaluateCondition(source, anyone).error, source).toMatch(
      /^(A list|An object) cannot be used as a string or a number$/,
    )
  }
})

test('a list or an object is equal only to itself', () => {
  const scope = { list: [1], same: null as unknown, object: {} }
  scope.same = scope.list
  expect(evaluate(parseExpression('list === same && list == same && [list].includes(same)'), scope)).toBe(true)
  expect(
    evaluate(parseExpression('list == [1] || list == 1 || list == "1" || object == "[object Object]"'), scope),
  ).toBe(false)
  expect(evaluate(parseExpression('list != null && object != undefined && !(list == null)'), scope)).toBe(true)
})

test('list methods work on the claims of a visitor', () => {
  const scope = makeExpressionScope({
    visitorClaims: {
      groups: [
        { name: 'Docs', open: true },
        { name: 'Api', open: false },
      ],
    },
  })
  const valueOf = (source: string) => evaluate(parseExpression(source), scope)
  expect(valueOf('visitor.claims.groups.some(group => group.name.toLowerCase() === "api" && !group.open)')).toBe(true)
  expect(valueOf('visitor.claims.groups.filter(g => g.open).map((g, i) => i + 1 + ". " + g.name).join("; ")')).toBe(
    '1. Docs',
  )
  expect(valueOf('visitor.claims.groups.find(group => group.name.startsWith("A")).name')).toBe('Api')
  expect(valueOf('visitor.claims.groups.every(group => page.vars.absent === undefined)')).toBe(true)
})

test('methods are not values and reject wrong receivers and arguments', () => {
  expect(evaluate(parseExpression('"a".includes'), anyone)).toBeUndefined()
  expect(evaluate(parseExpression('[1].map'), anyone)).toBeUndefined()
  expect(evaluateCondition('"a".map(x => x)', anyone).error).toBe('"map" cannot be called on a string')
  expect(evaluateCondition('[].trim()', anyone).error).toBe('"trim" cannot be called on a list')
  expect(evaluateCondition('visitor.at(0)', anyone).error).toBe('"at" cannot be called on an object')
  expect(evaluateCondition('(1).at(0)', anyone).error).toBe('"at" cannot be called on a number')
  expect(evaluateCondition('true.at(0)', anyone).error).toBe('"at" cannot be called on the value true')
  expect(evaluateCondition('[1].map(1)', anyone).error).toBe('Expected a function such as "item => item", not a number')
  expect(evaluateCondition('[1].some()', anyone).error).toBe(
    'Expected a function such as "item => item", not a missing value',
  )
  expect(evaluateCondition('"a".includes(x => x)', anyone).error).toBe('Expected a value, not a function')
  expect(evaluateCondition('[1].includes(x => x)', anyone).error).toBe('Expected a value, not a function')
})

test('an optional call of a method that the value does not have evaluates to undefined', () => {
  expect(evaluate(parseExpression('visitor.trim?.()'), anyone)).toBeUndefined()
  expect(evaluate(parseExpression('absent.trim?.().length.at(0)'), anyone)).toBeUndefined()
  expect(evaluate(parseExpression('" a ".trim?.()'), anyone)).toBe('a')
  expect(evaluateCondition('(absent?.a).trim()', anyone).error).toBe('"trim" cannot be called on a missing value')
})

test.each([
  ['visitor.claims.unsigned.language === "fr"', ['visitor.claims.unsigned.language']],
  ['space.vars.x + page.vars.y + space.vars.x', ['space.vars.x', 'page.vars.y']],
  ['visitor?.claims["unsigned"].plan?.charAt(0)', ['visitor.claims.unsigned.plan']],
  ['visitor.claims.plan.length > 2', ['visitor.claims.plan.length']],
  ['space.vars[page.vars.key].deep', ['space.vars', 'page.vars.key']],
  ['visitor.claims.groups[0].name', ['visitor.claims.groups']],
  [
    'visitor.claims.groups.some(g => g.id === space.vars.id && visitor)',
    ['visitor.claims.groups', 'space.vars.id', 'visitor'],
  ],
  ['[1].map(x => [x, y].map((y, z) => x + y + z))', ['y']],
  ['a ? b : c || d && !e', ['a', 'b', 'c', 'd', 'e']],
  ['{ [a.k]: b.v, c }', ['a.k', 'b.v', 'c']],
  ['`${a.x} ${[b.y]}`', ['a.x', 'b.y']],
  ['(a || b.c).d', ['a', 'b.c']],
  ['(visitor.claims).plan', ['visitor.claims']],
  ['"literal".length + undefined + NaN + 1', []],
])('%s has the inputs %j', (source, paths) => {
  expect(findInputPaths(parseExpression(source))).toEqual(paths.map((path) => path.split('.')))
})
