import { expect, test } from 'vitest'
import { countParts, indexDocument, openDocument } from '../../src/openapi/document-index.ts'
import { findOperation, getNamedSchemas } from '../../src/openapi/model.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'

function open(text: string) {
  const bytes = new TextEncoder().encode(text)
  const steps = indexDocument(bytes)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return { index: step.value, document: openDocument(bytes, step.value) }
}

const document = {
  openapi: '3.1.0',
  info: { title: 'Quotes "and" \\ brackets }]', version: '1' },
  'x-empty': {},
  'x-values': [1, -2.5e3, true, null, '{', ['}'], { a: [] }],
  paths: {
    '/pets/{id}': { get: { summary: 'Größe ✓ "\\"', responses: { 200: { $ref: '#/components/responses/Pet' } } } },
    '/empty': {},
    '/"quoted"': { post: {} },
    constructor: { get: {} },
  },
  components: {
    responses: { Pet: { description: 'A pet' } },
    schemas: { Pet: { type: 'object' }, 12: { type: 'string' } },
    'x-list': [{}],
  },
}

test.each([
  ['compact', JSON.stringify(document)],
  ['indented', JSON.stringify(document, null, '\t')],
  ['with spaces around it', ` \r\n${JSON.stringify(document, null, 2)}\n`],
])('a %s document is read like with a parser', (_, text) => {
  expect(structuredClone({ ...open(text).document })).toEqual(document)
})

test('a field named __proto__ is an ordinary field', () => {
  const { document: opened } = open('{"paths":{"__proto__":{"get":{}}}}')
  expect(Object.keys(opened['paths'] as object)).toEqual(['__proto__'])
  expect(Object.hasOwn(opened, 'get')).toBe(false)
})

test.each([
  '{}',
  '[]',
  '1',
  '"text"',
  'null',
  '{"paths":null,"components":[]}',
  '{"paths":{},"components":{"schemas":3}}',
])('the document %s has no operations', (text) => {
  const spec = new OpenApiSpec(open(text).document)
  expect(findOperation(spec, '/pets', 'get')).toBeUndefined()
  expect(getNamedSchemas(spec)).toEqual({})
})

test('paths and components are parsed when they are read, and once', () => {
  const text = JSON.stringify(document)
  const bytes = new TextEncoder().encode(text)
  const { index } = open(text)
  // A part that is never read may even be invalid.
  bytes.fill(0x20, index.fields?.get('info')?.start, index.fields?.get('info')?.end)
  const opened = openDocument(bytes, index)
  const spec = new OpenApiSpec(opened)
  expect(findOperation(spec, '/pets/{id}', 'get')).toMatchObject({
    summary: 'Größe ✓ "\\"',
    responses: [{ description: 'A pet' }],
  })
  expect(opened['paths']).toBe(opened['paths'])
  expect(() => opened['info']).toThrow(SyntaxError)
  expect(countParts(index)).toBe(17)
})
