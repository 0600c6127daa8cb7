import { expect, test } from 'vitest'
import { evaluateCondition, makeExpressionScope } from '../../src/content/expression/index.ts'
import { validateAdaptiveSchema } from '../../src/publishing/adaptive-schema.ts'
import { buildVisitorClaims } from '../../src/publishing/claims.ts'

type Json = Record<string, unknown>

function schemaOf(unsigned: Json | undefined, signed: Json = {}) {
  const object = { type: 'object', additionalProperties: false }
  const properties = unsigned === undefined ? signed : { ...signed, unsigned: { ...object, properties: unsigned } }
  const reading = validateAdaptiveSchema({ ...object, properties })
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems))
  return reading.schema
}

const beta = { type: 'boolean', description: 'Beta' }
const plan = { type: 'string', enum: ['free', 'pro', '3', 'true'], description: 'Plan' }
const name = { type: 'string', description: 'Name' }
const seats = { type: 'number', description: 'Seats' }
const teams = { type: 'array', description: 'Teams', items: plan }

/** Returns a value inside `depth` nested objects. */
function nested(depth: number, innermost: unknown): unknown {
  let value = innermost
  for (let level = 0; level < depth; level += 1) value = { in: value }
  return value
}

test('signed claims are kept as they are, and unsigned claims are below `unsigned`', () => {
  const signed = { plan: 'pro', seats: 3, company: { teams: ['a', null] } }
  expect(buildVisitorClaims({ signed, unsigned: { plan: 'free', seats: 1 } })).toEqual({
    ...signed,
    unsigned: { plan: 'free', seats: 1 },
  })
  expect(buildVisitorClaims({ signed })).toEqual({ ...signed, unsigned: {} })
  expect(buildVisitorClaims({})).toEqual({ unsigned: {} })
  // The schema does not restrict signed claims.
  expect(buildVisitorClaims({ signed, schema: schemaOf({ beta }, { plan }) })).toEqual({ ...signed, unsigned: {} })
})

test('a token cannot set unsigned claims, and a URL cannot set signed claims', () => {
  const signed = { unsigned: { beta: true }, admin: false }
  expect(buildVisitorClaims({ signed })).toEqual({ admin: false, unsigned: {} })
  expect(buildVisitorClaims({ signed, unsigned: { dark: true } })).toEqual({ admin: false, unsigned: { dark: true } })

  const unsigned: unknown = JSON.parse('{"admin":true,"__proto__":{"admin":true},"unsigned":{"admin":true}}')
  for (const schema of [undefined, schemaOf({ admin: beta })]) {
    const scope = makeExpressionScope({ visitorClaims: buildVisitorClaims({ signed, unsigned, schema }) })
    expect(evaluateCondition('visitor.claims.admin', scope)).toEqual({ value: false })
    expect(evaluateCondition('visitor.claims.unsigned.admin', scope)).toEqual({ value: true })
  }
})

test('accepts only declared unsigned claims and converts them to their type', () => {
  const schema = schemaOf({
    beta,
    plan,
    name,
    seats,
    teams,
    company: { type: 'object', description: 'Company', properties: { seats }, additionalProperties: false },
  })
  const taken = (unsigned: unknown) => buildVisitorClaims({ unsigned, schema }).unsigned

  expect(
    taken({ beta: 'true', plan: 'pro', name: '7', seats: '-3.50', teams: ['free', '3'], company: { seats: '4' } }),
  ).toEqual({ beta: true, plan: 'pro', name: '7', seats: -3.5, teams: ['free', '3'], company: { seats: 4 } })
  // A query string parser may already have converted strings to numbers and booleans.
  expect(
    taken({ beta: false, plan: 3, name: true, seats: 4, teams: [3, true], company: { seats: 4, extra: 1 } }),
  ).toEqual({
    beta: false,
    plan: '3',
    name: 'true',
    seats: 4,
    teams: ['3', 'true'],
    company: { seats: 4 },
  })
  expect(taken({ teams: 'pro' })).toEqual({ teams: ['pro'] })
  expect(taken({ other: true, toString: 'x', constructor: {} })).toEqual({})

  for (const value of ['yes', '1', 1, 0, '', 'TRUE', null, [], [true], {}]) expect(taken({ beta: value })).toEqual({})
  for (const value of ['gold', '', null, ['pro'], { pro: true }]) expect(taken({ plan: value })).toEqual({})
  for (const value of ['', ' 3', '3 ', '0x10', '1e3', 'Infinity', 'NaN', true, null, [3]]) {
    expect(taken({ seats: value })).toEqual({})
  }
  for (const value of [['pro', 'gold'], ['pro', null], [['pro']], null, {}]) expect(taken({ teams: value })).toEqual({})
  for (const value of ['x', ['x'], null, 7]) expect(taken({ company: value })).toEqual({})
  for (const value of ['x', ['x'], null, 7, undefined]) expect(taken(value)).toEqual({})
})

test('ignores unsigned claims when the schema declares none', () => {
  expect(buildVisitorClaims({ unsigned: { beta: true }, schema: schemaOf(undefined, { beta }) })).toEqual({
    unsigned: {},
  })
})

/** Returns a claim whose JSON has this length. */
const textOf = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) })

test('ignores claims that are too large, too deeply nested or not plain data', () => {
  expect(buildVisitorClaims({ unsigned: textOf(4096) }).unsigned).toEqual(textOf(4096))
  expect(buildVisitorClaims({ unsigned: textOf(4097) }).unsigned).toEqual({})
  expect(buildVisitorClaims({ unsigned: { a: 'ö'.repeat(3000) } }).unsigned).toEqual({})
  expect(buildVisitorClaims({ unsigned: textOf(5000), schema: schemaOf({ a: name }) }).unsigned).toEqual({})
  expect(
    buildVisitorClaims({ unsigned: { ...textOf(5000), b: true }, schema: schemaOf({ b: beta }) }).unsigned,
  ).toEqual({
    b: true,
  })
  expect(buildVisitorClaims({ unsigned: nested(5, 1) }).unsigned).toEqual(nested(5, 1))
  expect(buildVisitorClaims({ unsigned: nested(6, 1) }).unsigned).toEqual({})
  expect(buildVisitorClaims({ unsigned: nested(50_000, 1) }).unsigned).toEqual({})

  expect(buildVisitorClaims({ signed: nested(10, 1) })).toEqual({ ...(nested(10, 1) as Json), unsigned: {} })
  for (const signed of [nested(11, 1), textOf(8193), 'text', ['list'], 7, null, { a: () => 1 }, { a: [Symbol('a')] }]) {
    expect(buildVisitorClaims({ signed, unsigned: { b: 1 } })).toEqual({ unsigned: { b: 1 } })
  }
})

test('drops __proto__ and keeps constructor as an ordinary name', () => {
  const hostile: unknown = JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":{"__proto__":{"polluted":true}}}',
  )
  const claims = buildVisitorClaims({ signed: hostile, unsigned: hostile })
  const plain = { constructor: { prototype: { polluted: true } }, a: {} }
  expect(claims).toEqual({ ...plain, unsigned: plain })
  expect(Object.getPrototypeOf(claims)).toBe(Object.prototype)
  expect(JSON.stringify(claims)).not.toContain('__proto__')
  expect(({} as Json).polluted).toBeUndefined()
  expect(evaluateCondition('visitor.claims.polluted', makeExpressionScope({ visitorClaims: claims }))).toEqual({
    value: false,
  })
})
