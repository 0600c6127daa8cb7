import { expect, test } from 'vitest'
import { evaluateCondition, makeExpressionScope, parseExpression } from '../../src/content/expression/index.ts'
import { AdaptiveJSONSchema, type AdaptiveClaim } from '../../src/contract/adaptive-schema.ts'
import { validateAdaptiveSchema } from '../../src/publishing/adaptive-schema.ts'
import { createTemplateConditions } from '../../src/publishing/template-conditions.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

type Json = Record<string, unknown>

const schemaOf = (properties: Json, more: Json = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})
const objectOf = (properties: Json, more: Json = {}) => schemaOf(properties, { description: 'Things', ...more })
const unsignedOf = (properties: Json) => objectOf(properties, { description: 'Unsigned claims of the site visitor.' })

const beta = { type: 'boolean', description: 'Takes part in the beta' }
const plan = { type: 'string', enum: ['free', 'pro'], description: 'What they pay for' }

function problemsOf(given: unknown): string[] {
  const reading = validateAdaptiveSchema(given)
  return 'problems' in reading ? reading.problems.map(({ path }) => path.replace('body.jsonSchema', '')) : []
}

function accepted(given: unknown): AdaptiveJSONSchema {
  const reading = validateAdaptiveSchema(given)
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems))
  return reading.schema
}

/** Returns a schema of objects nested in each other, with `depth` names from the top to `innermost`. */
function chain(depth: number, innermost: Json = beta): Json {
  let claim = innermost
  for (let level = 1; level < depth; level += 1) claim = objectOf({ inner: claim })
  return schemaOf({ outer: claim })
}

test('accepts claims of every type and keeps the schema unchanged', () => {
  const schema = schemaOf(
    {
      beta,
      plan,
      name: { type: 'string', description: 'Name' },
      seats: { type: 'number', description: 'Seats' },
      teams: { type: 'array', description: 'Teams', items: { type: 'string', description: 'A team' } },
      company: objectOf({ size: { type: 'number', description: 'People' }, region: objectOf({ eu: beta }) }),
      unsigned: unsignedOf({ dark: beta, plan }),
    },
    { $schema: 'http://json-schema.org/draft-07/schema#' },
  )
  expect(accepted(schema)).toEqual(schema)
  expect(AdaptiveJSONSchema.parse(schema)).toEqual(schema)
  expect(accepted(schemaOf({}))).toEqual(schemaOf({}))
})

test('boolean claims need no description, and unsigned claims get a default description', () => {
  const bare = { type: 'boolean' }
  expect(accepted(schemaOf({ beta: bare, unsigned: schemaOf({ dark: bare }) }))).toEqual(
    schemaOf({ beta: bare, unsigned: unsignedOf({ dark: bare }) }),
  )
  expect(problemsOf(schemaOf({ unsigned: objectOf({}) }))).toEqual(['.properties.unsigned.description'])
  expect(problemsOf(schemaOf({ seats: { type: 'number' } }))).toEqual(['.properties.seats.description'])
})

test('reports each problem with its exact path', () => {
  const wrong = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'array',
    properties: {
      a: { type: 'integer', description: '' },
      b: { type: ['string', 'null'], description: '' },
      c: { type: 'string', description: 7 },
      d: { type: 'string', description: '', enum: ['x', 'x', 3] },
      e: { type: 'string', description: '', enum: [] },
      f: { type: 'array', description: '', items: { type: 'object', description: '' } },
      g: { type: 'object', description: '', properties: { h: null } },
      i: { ...beta, default: true },
      unsigned: { type: 'boolean', description: 'Unsigned claims of the site visitor.' },
    },
    required: ['a'],
  }
  expect(problemsOf(wrong).sort()).toEqual(
    [
      '.$schema',
      '.additionalProperties',
      '.properties.a.type',
      '.properties.b.type',
      '.properties.c.description',
      '.properties.d.enum.1',
      '.properties.d.enum.2',
      '.properties.e.enum',
      '.properties.f.items.type',
      '.properties.g.additionalProperties',
      '.properties.g.properties.h',
      '.properties.i.default',
      '.properties.unsigned.additionalProperties',
      '.properties.unsigned.properties',
      '.properties.unsigned.type',
      '.required',
      '.type',
    ].sort(),
  )
})

test('rejects non-objects, references and combined schemas', () => {
  for (const given of [undefined, null, true, 'object', 7, [], [schemaOf({})]]) expect(problemsOf(given)).toEqual([''])
  for (const key of ['$ref', '$id', '$defs', 'definitions', 'allOf', 'anyOf', 'oneOf', 'not', 'patternProperties']) {
    expect(problemsOf(schemaOf({}, { [key]: {} }))).toEqual([`.${key}`])
    expect(problemsOf(schemaOf({ beta: { ...beta, [key]: {} } }))).toEqual([`.properties.beta.${key}`])
  }
  expect(problemsOf(schemaOf({ beta: { $ref: '#/properties/beta' } }))).toEqual(['.properties.beta.type'])
})

const listed = (count: number) => Array.from({ length: count }, (_, index) => `value ${index}`)

test('limits nesting, claims, names, enum values and total size, and accepts values at the limits', () => {
  const many = (count: number, claim: Json) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`claim${index}`, claim]))

  expect(problemsOf(chain(5))).toEqual([])
  expect(problemsOf(chain(6))).toEqual([`.properties.outer${'.properties.inner'.repeat(4)}`])
  expect(problemsOf(schemaOf({ unsigned: unsignedOf({ a: (chain(4).properties as Json).outer }) }))).toEqual([])
  expect(problemsOf(schemaOf({ unsigned: unsignedOf({ a: (chain(5).properties as Json).outer }) }))).toHaveLength(1)

  expect(problemsOf(schemaOf({ ...many(200, beta), unsigned: unsignedOf({}) }))).toEqual([])
  expect(problemsOf(schemaOf({ ...many(150, beta), unsigned: unsignedOf(many(51, beta)) }))).toEqual([
    '.properties.unsigned.properties.claim50',
  ])

  expect(problemsOf(schemaOf({ ['n'.repeat(64)]: beta }))).toEqual([])
  expect(problemsOf(schemaOf({ ['n'.repeat(65)]: beta }))).toEqual([`.properties.${'n'.repeat(64)}…`])
  expect(problemsOf(schemaOf({ '': beta }))).toEqual(['.properties.'])
  expect(problemsOf(schemaOf({ 'a\nb': beta }))).toEqual(['.properties.a\nb'])

  expect(problemsOf(schemaOf({ plan: { ...plan, enum: listed(100) } }))).toEqual([])
  expect(problemsOf(schemaOf({ plan: { ...plan, enum: listed(101) } }))).toEqual(['.properties.plan.enum'])
  expect(problemsOf(schemaOf(many(20, { ...plan, enum: listed(100) })))).toEqual([])
  expect(problemsOf(schemaOf({ ...many(20, { ...plan, enum: listed(100) }), plan }))).toEqual(['.properties.plan.enum'])

  const long = { ...beta, description: 'ö'.repeat(1000) }
  expect(problemsOf(schemaOf(many(30, long)))).toEqual([])
  expect(problemsOf(schemaOf(many(33, long)))).toEqual([''])
})

const parsed = (text: string): unknown => JSON.parse(text)

test('rejects prototype keys, extreme nesting and thousands of unknown keys with a bounded list of problems', () => {
  expect(
    problemsOf(parsed('{"type":"object","properties":{"__proto__":{"type":"boolean"}},"additionalProperties":false}')),
  ).toEqual(['.properties.__proto__'])
  expect(problemsOf(parsed('{"__proto__":{"type":"object","properties":{},"additionalProperties":false}}'))).toEqual([
    '.__proto__',
    '.type',
    '.additionalProperties',
    '.properties',
  ])
  expect(problemsOf(schemaOf({ constructor: beta, toString: plan }))).toEqual([])

  const levels = 20_000
  const deepLists = '{"type":"array","description":"","items":'.repeat(levels)
  expect(problemsOf(schemaOf({ a: parsed(`${deepLists}{}${'}'.repeat(levels)}`) }))).toEqual([
    '.properties.a.items.type',
  ])
  expect(problemsOf(chain(20_000))).toHaveLength(1)
  expect(problemsOf(schemaOf({ a: parsed(`${'['.repeat(levels)}${']'.repeat(levels)}`) }))).toEqual(['.properties.a'])

  const rubbish = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]))
  expect(problemsOf(rubbish)).toHaveLength(20)
  expect(problemsOf(schemaOf(rubbish))).toHaveLength(20)
  expect(({} as Json).type).toBeUndefined()
})

test('offers template conditions for boolean claims and enum values at every level', () => {
  const schema = accepted(
    schemaOf({
      beta: { type: 'boolean' },
      name: { type: 'string', description: 'Name' },
      teams: { type: 'array', description: 'Teams', items: plan },
      company: objectOf({ 'billing plan': plan }),
      unsigned: unsignedOf({ beta }),
    }),
  )
  expect(createTemplateConditions(schema)).toEqual([
    { description: 'visitor.claims.beta: true', condition: 'visitor.claims.beta === true' },
    { description: 'visitor.claims.beta: false', condition: 'visitor.claims.beta === false' },
    { description: 'What they pay for: free', condition: "visitor.claims.company['billing plan'] === 'free'" },
    { description: 'What they pay for: pro', condition: "visitor.claims.company['billing plan'] === 'pro'" },
    { description: 'Takes part in the beta: true', condition: 'visitor.claims.unsigned.beta === true' },
    { description: 'Takes part in the beta: false', condition: 'visitor.claims.unsigned.beta === false' },
  ])
})

const words = 'class true null length includes constructor toString hasOwnProperty $a _ größe 漢字 😀'
const others = `it's "quoted" back\\slash \\' %} }} \${x} \` 0 -1 a.b ]`
const awkward = [...words.split(' '), ...others.split(' '), 'a b', '\u2028']

function generated(chance: () => number, depth: number): Json {
  const pick = <T>(items: readonly T[]) => items[randomInteger(chance, 0, items.length - 1)] as T
  const claims: [string, Json][] = Array.from({ length: randomInteger(chance, 1, 4) }, () => {
    const name = pick(awkward)
    const kind = randomInteger(chance, 0, depth > 1 ? 4 : 3)
    if (kind === 4) return [name, objectOf(generated(chance, depth - 1))]
    if (kind === 3) return [name, { type: 'number', description: 'Number' }]
    if (kind === 2) return [name, { type: 'boolean' }]
    const values = new Set(Array.from({ length: randomInteger(chance, 1, 3) }, () => pick([...awkward, ''])))
    return [name, { type: 'string', description: name, enum: [...values] }]
  })
  return Object.fromEntries(claims)
}

/** Returns the path and value of every claim value for which a template condition is expected. */
function valuesOf(
  properties: Record<string, AdaptiveClaim>,
  above: string[] = [],
): { path: string[]; value: unknown }[] {
  return Object.entries(properties).flatMap(([name, claim]) => {
    const path = [...above, name]
    if (claim.type === 'object') return valuesOf(claim.properties, path)
    const values = claim.type === 'boolean' ? [true, false] : claim.type === 'string' ? (claim.enum ?? []) : []
    return values.map((value) => ({ path, value }))
  })
}

const visitorWith = (path: string[], value: unknown): Json =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Json

test('each template condition is true only for a visitor with its value', () => {
  const chance = seededRandom(20)
  let compared = 0
  for (let round = 0; round < 60; round += 1) {
    const schema = accepted(schemaOf({ ...generated(chance, 4), unsigned: unsignedOf(generated(chance, 3)) }))
    const values = valuesOf(schema.properties)
    const conditions = createTemplateConditions(schema).map((one) => one.condition)
    expect(conditions).toHaveLength(values.length)
    const holds = (source: string, visitorClaims: Json) =>
      evaluateCondition(source, makeExpressionScope({ visitorClaims }))
    for (const [index, source] of conditions.entries()) {
      expect(() => parseExpression(source)).not.toThrow()
      expect(source.length).toBeLessThanOrEqual(1024)
      expect(holds(source, {})).toEqual({ value: false })
      const verdicts = values.map(({ path, value }) => holds(source, visitorWith(path, value)))
      expect(verdicts).toEqual(values.map((_, other) => ({ value: other === index })))
      compared += verdicts.length
    }
  }
  expect(compared).toBeGreaterThan(1000)
})

test('the longest template condition fits the maximum length of a condition', () => {
  const name = "'".repeat(64)
  let claim: Json = { type: 'string', description: 'x'.repeat(1000), enum: ['\\'.repeat(128)] }
  for (let level = 0; level < 3; level += 1) claim = objectOf({ [name]: claim })
  const schema = accepted(schemaOf({ unsigned: unsignedOf({ [name]: claim }) }))
  const [only] = createTemplateConditions(schema)
  expect(only?.condition.length).toBeLessThanOrEqual(1024)
  expect(only?.description.length).toBeLessThan(400)
  expect(() => parseExpression(only?.condition ?? '')).not.toThrow()
})
