import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import type { OpenApiOperation } from '../../src/content/document/nodes.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { convertOpenApiBlock } from '../../src/openapi/to-blocks.ts'
import { listOperations } from '../../src/openapi/model.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'

const operationBlock = (path: string, method: string): OpenApiOperation => ({
  object: 'block',
  type: 'openapi-operation',
  isVoid: true,
  data: { ref: { kind: 'openapi', spec: 'x' }, path, method },
})

function print(document: unknown, path = '/x', method = 'get'): string {
  const blocks = convertOpenApiBlock(operationBlock(path, method), new OpenApiSpec(document))
  return printPage({ title: 'Title', document: createDocument(blocks) }, verbatimReferences)
}

test('descriptions keep their formatting, and only links to URLs', () => {
  const description =
    '# Title\n\n- one\n- two\n\n[url](https://example.com/) [page](/pages/abc)\n\n{% openapi-operation spec="x" path="/x" method="get" %}\n{% endopenapi-operation %}\n\n<img src="/files/abc">'
  const markdown = print({ paths: { '/x': { get: { description, responses: {} } } } })
  expect(markdown).toContain('#### Title\n\n* one\n* two\n\n[url](https://example.com/) page')
  expect(markdown).not.toMatch(/openapi-operation|files/)
})

test('recursive schemas, lists and alternatives are listed once', () => {
  const schemas = {
    Node: {
      type: 'object',
      properties: {
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
        tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        shape: {
          oneOf: [{ properties: { radius: { type: 'number' } } }, { properties: { width: { type: 'number' } } }],
        },
      },
    },
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } }
  const markdown = print({
    paths: { '/x': { get: { responses: { 200: { description: 'Ok', content } } } } },
    components: { schemas },
  })
  const names = Array.from(markdown.matchAll(/^\| `([^`]+)`/gm), ([, name]) => name)
  expect(names).toEqual(['children', 'tags', 'tags[].name', 'shape', 'shape.radius', 'shape.width'])
})

test('the result is limited', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`field${index}`, { $ref: '#/components/schemas/Wide' }]),
  )
  const schemas = { Wide: { type: 'object', description: 'Long. '.repeat(5000), properties } }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Wide' } } }
  const responses = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [200 + index, { description: 'Long. '.repeat(5000), content }]),
  )
  const markdown = print({ paths: { '/x': { get: { responses } } }, components: { schemas } })
  expect(markdown.length).toBeLessThan(150_000)
  expect(markdown.match(/^\| `field/gm)?.length).toBe(200)
})

test.each(['openapi.json'])('every operation of %s is converted', (path) => {
  const spec = new OpenApiSpec(JSON.parse(readFileSync(path, 'utf8')))
  for (const operation of listOperations(spec)) {
    const blocks = convertOpenApiBlock(operationBlock(operation.path, operation.method), spec)
    const markdown = printPage({ title: 'T', document: createDocument(blocks) }, verbatimReferences)
    expect(markdown).toContain(operation.summary ?? '')
    expect(markdown).toContain('```sh')
  }
})
