import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import type { Block } from '../../src/content/document/nodes.ts'
import { listOpenApiBlocks } from '../../src/openapi/blocks.ts'
import { type ApiOperation, getNamedSchemas, listOperations } from '../../src/openapi/model.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'
import { renderDocument } from '../../src/render/document.ts'
import { findOpenApiCode } from '../../src/render/openapi/blocks.ts'
import { createMarkdownRenderer } from '../../src/render/openapi/markdown.ts'
import { RenderedSchemas } from '../../src/render/openapi/rendered-schemas.ts'
import { createRenderContext } from '../support/render-context.ts'

const ref = { kind: 'openapi', spec: 'pets' } as const

const spec = new OpenApiSpec({
  openapi: '3.1.0',
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/pets': {
      get: {
        summary: 'List pets',
        description: '# Heading\n\nReturns **all** pets, see [the guide](https://example.com/guide).',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
        responses: {
          200: {
            description: 'The pets',
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
            },
          },
          401: { description: 'No token' },
        },
      },
    },
  },
  webhooks: {
    'pet.created': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        responses: { 204: { description: 'Received' } },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          parent: { $ref: '#/components/schemas/Pet' },
          owner: { $ref: '#/components/schemas/Owner' },
        },
      },
      Owner: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
    },
  },
})

function render(...blocks: Block[]): string {
  const context = createRenderContext({ openApi: () => spec })
  return renderDocument(createDocument(blocks), { ...context, renderMarkdown: createMarkdownRenderer(context) }).text
}

const operationBlock = (id: string, more: object = {}): Block => ({
  object: 'block',
  type: 'openapi-operation',
  isVoid: true,
  data: { ref, path: '/pets', method: 'get', ...more },
  meta: { id },
})

const words = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** Returns ids that occur twice, and links to ids that do not exist. */
function findBrokenIds(html: string): string[] {
  const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id = '']) => id)
  const targets = Array.from(html.matchAll(/ href="#([^"]*)"/g), ([, id = '']) => decodeURIComponent(id))
  const known = new Set<string>()
  const repeated = ids.filter((id) => known.has(id) || !known.add(id))
  return [...repeated, ...targets.filter((id) => !known.has(id))]
}

test('a block renders an operation of its document', () => {
  const html = render(operationBlock('list-pets'))
  expect(html).toContain('<h2 id="list-pets">List pets')
  expect(html).toContain('<b class="method method-get">GET</b>')
  expect(html).toContain('<strong>all</strong>')
  expect(html).toContain('href="https://example.com/guide"')
  expect(html).toContain('id="list-pets~query.limit"')
  expect(words(html)).toContain('limit integer at most 100')
  expect(words(html)).toContain('curl &quot;https://api.example.com/pets&quot;')
  expect(html).toContain('data-copy')
  expect(html).not.toMatch(/<script|<style| on[a-z]+="/)
})

test('a block without a title has its anchor', () => {
  const html = render(operationBlock('list-pets', { headless: true }))
  expect(html).toContain('<div id="list-pets">')
  expect(html).not.toContain('<h2')
})

test('the ids of several blocks on a page differ, and links to them resolve', () => {
  const schemas: Block = {
    object: 'block',
    type: 'openapi-schemas',
    isVoid: true,
    data: { ref, schemas: ['Pet', 'Owner', 'Missing'], title: 'Models' },
    meta: { id: 'models' },
  }
  const webhook: Block = {
    object: 'block',
    type: 'openapi-webhook',
    isVoid: true,
    data: { ref, name: 'pet.created', method: 'post' },
    meta: { id: 'pet-created' },
  }
  const html = render(operationBlock('first'), operationBlock('second'), schemas, webhook)
  expect(findBrokenIds(html)).toEqual([])
  expect(words(html)).toMatch(/Models .*Pet .*name string .*Owner .*email string email/)
  expect(words(html)).toContain('pet.created Webhook')
  expect(words(html)).toContain('&quot;email&quot;: &quot;ada@example.com&quot;')
})

test('the code of a block is found before it is rendered', () => {
  const rendered: { code: string; syntax: string | undefined }[] = []
  const document = createDocument([operationBlock('list-pets')])
  const context = createRenderContext({
    openApi: () => spec,
    highlighted: (code, syntax) => void rendered.push({ code, syntax }),
  })
  const found = listOpenApiBlocks(document).flatMap((block) => findOpenApiCode(block, context))
  renderDocument(document, context)
  expect(found).toEqual(rendered)
  const languages = new Set(found.map(({ syntax }) => syntax))
  expect(languages).toEqual(new Set(['sh', 'js', 'python', 'go', 'java', 'csharp', 'php', 'ruby', 'json']))
})

test('a recursive schema ends with a link to the enclosing one', () => {
  const html = render(operationBlock('list-pets'))
  expect(html).toContain('<a href="#list-pets~response-200">Pet</a>')
})

test('a block whose document or operation does not exist is rendered by its name', () => {
  expect(words(render(operationBlock('a', { path: '/dogs' })))).toMatch(/GET \/dogs This is no longer in the OpenAPI/)
  const withoutVersion = createRenderContext({ openApi: () => undefined })
  const notice = renderDocument(createDocument([operationBlock('a')]), withoutVersion).text
  expect(words(notice)).toMatch(/GET \/pets The OpenAPI specification is not available/)
  const withoutDocument = renderDocument(createDocument([operationBlock('a')]), createRenderContext()).text
  expect(words(withoutDocument)).toContain('GET /pets')
})

const readDocument = (path: string) => new OpenApiSpec(JSON.parse(readFileSync(path, 'utf8')))

const documents = {
  'openapi.json': readDocument('openapi.json'),
  '@gitbook/api': readDocument('node_modules/@gitbook/api/spec/openapi.json'),
}

/** Maximum length of the HTML of an operation or schema. */
const maxLength = 400_000

const toBlock = ({ path, method }: ApiOperation): Block => ({
  object: 'block',
  type: 'openapi-operation',
  isVoid: true,
  data: { ref, path, method },
  meta: { id: 'operation' },
})

test.each(Object.entries(documents))('every operation of %s is rendered', (_, document) => {
  const context = createRenderContext({ openApi: () => document })
  const operations = listOperations(document)
  expect(operations.length).toBeGreaterThan(100)
  for (const operation of operations) {
    const html = renderDocument(createDocument([toBlock(operation)]), context).text
    const name = `${operation.method} ${operation.path}`
    expect(html, name).toContain('class="endpoint"')
    expect(html, name).not.toMatch(/\[object |>undefined<|"undefined/)
    expect(findBrokenIds(html), name).toEqual([])
    expect(html.length, name).toBeLessThan(maxLength)
  }
})

test.each(Object.entries(documents))('every schema of %s is rendered', (_, document) => {
  const context = createRenderContext({ openApi: () => document })
  for (const name of Object.keys(getNamedSchemas(document))) {
    const block: Block = {
      object: 'block',
      type: 'openapi-schemas',
      isVoid: true,
      data: { ref, schemas: [name], grouped: false },
      meta: { id: 'schema' },
    }
    const html = renderDocument(createDocument([block]), context).text
    expect(html, name).toContain('class="openapi"')
    expect(html.length, name).toBeLessThan(maxLength)
  }
})

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Returns the number of fields in the response of an operation. */
const fieldsOf = (page: string, index: number) => page.split(`id="op-${index}~response-200.`).length - 1

test('a page with many fields links the schemas that it already contains', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [`field${index}`, { type: 'string', description: `Field ${index}.` }]),
  )
  const paths = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `/orders/${index}`,
      { get: { responses: { 200: { content: { 'application/json': { schema: refTo('Order') } } } } } },
    ]),
  )
  const large = new OpenApiSpec({
    openapi: '3.1.0',
    paths,
    components: {
      schemas: {
        Order: { type: 'object', properties: { ...properties, customer: refTo('Customer') } },
        Customer: { type: 'object', properties },
      },
    },
  })
  const operations = Object.keys(paths).map((path, index): Block => ({
    object: 'block',
    type: 'openapi-operation',
    isVoid: true,
    data: { ref, path, method: 'get' },
    meta: { id: `op-${index}` },
  }))
  const renderPage = (renderedSchemas?: RenderedSchemas) =>
    String(renderDocument(createDocument(operations), createRenderContext({ openApi: () => large, renderedSchemas })))
  const html = renderPage(new RenderedSchemas())
  // The first operations have all fields, later ones link those of the customer, and the last ones those of the order.
  expect([0, 1, 10, 39].map((index) => fieldsOf(html, index))).toEqual([181, 181, 91, 0])
  expect(html).toContain('<a href="#op-0~response-200.customer">Customer</a>')
  expect(html).toMatch(/id="op-39~response-200"[^]*<a href="#op-0~response-200">Order<\/a>/)
  expect(findBrokenIds(html)).toEqual([])
  expect(fieldsOf(renderPage(), 39)).toBe(181)
})
