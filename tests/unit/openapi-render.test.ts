import { expect, test } from 'vitest'
import { markup } from '../../src/render/html.ts'
import { findOperation, listOperations } from '../../src/openapi/model.ts'
import { createCodeSamples } from '../../src/openapi/samples/code-samples.ts'
import { createExample } from '../../src/openapi/samples/example.ts'
import { readSchema } from '../../src/openapi/schema.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'
import type { OpenApiContext } from '../../src/render/openapi/openapi-context.ts'
import { renderOperation } from '../../src/render/openapi/operation.ts'
import { SchemaTreeRenderer } from '../../src/render/openapi/schema-tree.ts'
import { english } from '../../src/render/texts/english.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const setting: OpenApiContext = {
  texts: english.openApi,
  renderMarkdown: (text) => markup`<p>${text}</p>`,
  renderCode: (text) => markup`<pre>${text}</pre>`,
  schemaHref: () => undefined,
  samples: createCodeSamples,
  notes: () => [],
  newId: (prefix) => prefix,
  idPrefix: '',
  headingLevel: 2,
}

const specWith = (schemas: Record<string, unknown>, operation: unknown = {}) =>
  new OpenApiSpec({
    servers: [{ url: 'https://api.example.com/v2/' }],
    components: { schemas },
    paths: { '/pets/{petId}': { put: operation } },
  })

function render(spec: OpenApiSpec, options: Partial<OpenApiContext> = {}): string {
  const operation = findOperation(spec, '/pets/{petId}', 'PUT')
  return operation ? renderOperation(operation, { ...setting, ...options }).text : ''
}

/** Returns the text of the HTML without tags. */
const words = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

test('renders the parameters, body, responses and examples of an operation', () => {
  const spec = specWith(
    {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 20, description: 'What it is called' },
          kind: { enum: ['cat', 'dog'], default: 'dog' },
          id: { type: 'string', readOnly: true },
          born: { type: ['string', 'null'], format: 'date' },
        },
      },
    },
    {
      summary: 'Change a pet',
      description: 'Takes a moment.',
      deprecated: true,
      security: [{ token: [] }],
      parameters: [
        { name: 'petId', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'dry', in: 'query', schema: { type: 'boolean' }, description: 'Only try' },
        { name: 'why', in: 'query', required: true, example: 'a & b', schema: { type: 'string' } },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
      },
      responses: {
        200: {
          description: 'Changed',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        404: { description: 'No such pet' },
      },
    },
  )
  const html = render(spec)
  const shown = words(html)
  expect(shown).toContain('Takes a moment.')
  expect(shown).toContain('This still works, but may be removed in a later version.')
  expect(shown).toContain('Path parameters petId string required')
  expect(shown).toContain('dry boolean Only try')
  expect(shown).toContain('name string required What it is called not empty at most 20 characters')
  expect(shown).toContain('One of cat dog Default dog')
  expect(shown).toContain('id string')
  expect(shown).toContain('born string date or null')
  expect(shown).toContain('404 No such pet')
  expect(html).toContain('<h2 class="part-title" id="body">')
  // Examples of requests contain required fields only, examples of replies all fields.
  expect(html).toContain(
    'curl -X PUT &quot;https://api.example.com/v2/pets/pet_123?why=a%20%26%20b&quot; \\\n  -H &quot;Authorization: Bearer $TOKEN&quot;',
  )
  expect(html).toContain('-d &#39;{\n  &quot;name&quot;: &quot;Example pet&quot;\n}&#39;')
  expect(html).toContain('&quot;born&quot;: &quot;2026-01-31&quot;')
})

test('reads OpenAPI 3.0 and 3.1 notations to the same result', () => {
  const spec = specWith({ Name: { type: 'string' } })
  const read = (schema: unknown) => {
    const { types, isNullable, values, limits } = readSchema(spec, schema)
    return { types, isNullable, values, limits }
  }
  expect(read({ type: 'string', nullable: true })).toEqual(read({ type: ['string', 'null'] }))
  expect(read({ oneOf: [{ $ref: '#/components/schemas/Name' }, { type: 'null' }] })).toEqual(
    read({ allOf: [{ $ref: '#/components/schemas/Name' }], nullable: true }),
  )
  expect(read({ type: 'number', minimum: 3, exclusiveMinimum: true }).limits).toContainEqual({
    kind: 'exclusiveMinimum',
    value: '3',
  })
  expect(read({ type: 'number', exclusiveMinimum: 3 }).limits).toEqual([{ kind: 'exclusiveMinimum', value: '3' }])
  expect(read({ const: 'a' }).values).toEqual(read({ enum: ['a'] }).values)
  expect(read({ anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] }).values?.list.map(({ value }) => value)).toEqual([
    'a',
    'b',
    'c',
  ])
})

test('merges allOf and renders the alternatives of oneOf separately', () => {
  const spec = specWith({
    Base: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    Cat: {
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { properties: { kind: { const: 'cat' }, lives: { type: 'integer' } } },
      ],
    },
    Dog: {
      type: 'object',
      properties: { kind: { enum: ['dog'] }, tricks: { type: 'array', items: { type: 'string' } } },
    },
    Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
  })
  const html = new SchemaTreeRenderer(spec, setting).renderSchema(
    { $ref: '#/components/schemas/Pet' },
    'pet',
    'any',
  ).text
  expect(words(html)).toMatch(/cat Cat .*id string required .*kind .*lives integer .*dog Dog .*tricks array of string/)
  expect(createExample(spec, { $ref: '#/components/schemas/Pet' }, 'response')).toEqual({
    kind: 'cat',
    lives: 1,
    id: 'cat_123',
  })
  expect(
    createExample(spec, { type: 'object', additionalProperties: { type: 'integer', minimum: 5 } }, 'response'),
  ).toEqual({
    key: 5,
  })
})

test('a recursive schema ends with a link to itself', () => {
  const Tree = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  }
  const spec = specWith({ Tree })
  const html = new SchemaTreeRenderer(spec, { ...setting, schemaHref: (name) => `/schemas/${name}` }).renderSchema(
    Tree,
    'tree',
    'any',
    'Tree',
  ).text
  expect(html).toContain('<a href="/schemas/Tree">Tree</a>')
  expect(html.match(/<code>name<\/code>/g)).toHaveLength(1)
  expect(createExample(spec, { $ref: '#/components/schemas/Tree' }, 'response')).toEqual({
    name: 'Example tree',
    children: [],
  })
})

test('escapes all text of a document', () => {
  const evil = '"><script>alert(1)</script>\'${x}`$(rm)`'
  const html = render(
    specWith(
      {
        [evil]: {
          title: evil,
          type: evil,
          format: evil,
          pattern: evil,
          enum: [evil],
          default: evil,
          properties: { [evil]: { description: evil } },
        },
      },
      {
        summary: evil,
        description: evil,
        parameters: [
          {
            name: evil,
            in: 'query',
            required: true,
            schema: { $ref: `#/components/schemas/${evil.replaceAll('/', '~1')}` },
          },
        ],
        requestBody: {
          content: {
            [evil]: { schema: { $ref: `#/components/schemas/${evil.replaceAll('/', '~1')}` }, example: evil },
          },
        },
        responses: { [evil]: { description: evil, headers: { [evil]: { schema: {} } } } },
      },
    ),
  )
  expect(html).toContain('&lt;script&gt;')
  expect(html).not.toMatch(
    /<script|"><(?!\/?(?:span|p|ul|li|code|h2|h3|section|div|input|label|details|summary|a|b|pre)\b)/,
  )
})

test('renders the valid parts of invalid documents without an error', () => {
  const loop = { $ref: '#/components/schemas/Loop' }
  const schemas = {
    Loop: loop,
    Inside: { oneOf: [{ $ref: '#/components/schemas/Inside' }] },
    All: { allOf: [{ $ref: '#/components/schemas/All' }, { properties: { kept: { type: 'string' } } }] },
    Lists: { type: 'array', items: { $ref: '#/components/schemas/Lists' } },
  }
  const odd: unknown[] = [
    null,
    1,
    'x',
    [],
    {},
    true,
    { $ref: 7 },
    { $ref: '#/nowhere' },
    { $ref: 'other.json#/x' },
    { type: 3, properties: 'no', enum: {}, required: 'a', allOf: 1 },
    ...Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` })),
  ]
  for (const schema of odd) {
    const spec = specWith(schemas, {
      parameters: [schema, { name: 'kept', in: schema, schema }],
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 200: { content: { 'application/json': { schema } } }, default: schema },
    })
    expect(render(spec)).toContain('<code>kept</code>')
  }
  expect(
    words(render(specWith(schemas, { parameters: [{ name: 'a', in: 'query', schema: { $ref: '#/gone/Thing' } }] }))),
  ).toContain('Thing The document does not describe this.')
  for (const document of odd) expect(listOperations(new OpenApiSpec(document))).toEqual([])
  expect(
    listOperations(new OpenApiSpec({ paths: { '/a': { get: 1, post: {}, other: {} }, '/b': null } })).map(
      ({ method }) => method,
    ),
  ).toEqual(['POST'])
})

test('the output for generated documents is limited in size', () => {
  const chance = seededRandom(7)
  const integer = (low: number, high: number) => randomInteger(chance, low, high)
  const pick = <T>(list: readonly T[]): T => list[integer(0, list.length - 1)] as T
  const keys = [
    'type',
    'properties',
    'items',
    'allOf',
    'oneOf',
    'anyOf',
    'enum',
    '$ref',
    'required',
    'nullable',
    'default',
    'additionalProperties',
    'a',
    'b',
  ]
  const value = (depth: number): unknown => {
    const kind = depth > 6 ? integer(0, 3) : integer(0, 8)
    if (kind === 0) return pick(['object', 'array', 'string', '#/components/schemas/S0', '#/components/schemas/S1'])
    if (kind <= 2) return pick([null, true, 3, 'x'])
    if (kind === 3) return Array.from({ length: integer(0, 3) }, () => value(depth + 1))
    return Object.fromEntries(Array.from({ length: integer(0, 5) }, () => [pick(keys), value(depth + 1)]))
  }
  for (let round = 0; round < 300; round++) {
    const spec = specWith(
      { S0: value(0), S1: value(0) },
      { requestBody: { content: { 'application/json': { schema: value(0) } } }, responses: value(2) },
    )
    expect(render(spec).length).toBeLessThan(400_000)
  }
})

test('the output for schemas that grow exponentially is limited in size', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/components/schemas/S${index + 1}` }
      return [
        `S${index}`,
        { type: 'object', required: ['a', 'b', 'c'], properties: { a: next, b: next, c: { allOf: [next, next] } } },
      ]
    }),
  )
  const spec = specWith(schemas, {
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } } },
  })
  expect(render(spec).length).toBeLessThan(300_000)
})
