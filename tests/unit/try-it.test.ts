import { expect, test } from 'vitest'
import { formatJson } from '../../src/browser/format-json.ts'
import { type ApiOperation, findOperation } from '../../src/openapi/model.ts'
import { printCurl } from '../../src/openapi/samples/curl.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'
import { InvalidValueError, buildRequest, joinSecrets } from '../../src/openapi/try-it/build-request.ts'
import { createTryItForm, isProxyEnabled } from '../../src/openapi/try-it/create-form.ts'
import type { TryItForm, TryItValues } from '../../src/openapi/try-it/form.ts'
import { isAllowedServer, listServerOrigins } from '../../src/openapi/try-it/server-origins.ts'
import { sampleLanguages } from '../../src/openapi/samples/code-samples.ts'
import { toSampleRequest, withJsonValue } from '../../src/openapi/try-it/to-sample-request.ts'
import { renderTryIt } from '../../src/render/openapi/try-it.ts'
import { english } from '../../src/render/texts/english.ts'

const getOperation = (operation: object, document: object = {}, path = '/pets/{id}', method = 'post'): ApiOperation => {
  const spec = new OpenApiSpec({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example.com/v1/' }],
    ...document,
    paths: { [path]: { [method]: operation } },
  })
  return findOperation(spec, path, method) as ApiOperation
}

const createForm = (...args: Parameters<typeof getOperation>): TryItForm =>
  createTryItForm(getOperation(...args)) as TryItForm

const values = (more: Partial<TryItValues> = {}): TryItValues => ({
  server: 0,
  variables: {},
  security: 0,
  credentials: {},
  parameters: {},
  body: 0,
  text: '',
  fields: {},
  files: {},
  ...more,
})

const securitySchemes = {
  key: { type: 'apiKey', in: 'query', name: 'api key' },
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  host: { type: 'apiKey', in: 'header', name: 'Host' },
  oauth: { type: 'oauth2', flows: {} },
}

test('x-hideTryItPanel and documents without a server have no form', () => {
  expect(createTryItForm(getOperation({}))).toBeDefined()
  expect(createTryItForm(getOperation({ 'x-hideTryItPanel': true }))).toBeUndefined()
  expect(createTryItForm(getOperation({}, { 'x-hideTryItPanel': true }))).toBeUndefined()
  expect(createTryItForm(getOperation({ 'x-hideTryItPanel': false }, { 'x-hideTryItPanel': true }))).toBeDefined()
  for (const url of ['/v1', 'ftp://example.com', '', 'https://'])
    expect(createTryItForm(getOperation({}, { servers: [{ url }] })), url).toBeUndefined()
  expect(createTryItForm(getOperation({}, {}, '/pets', 'trace'))).toBeUndefined()
})

test('the proxy is used only if the operation or the document enables it', () => {
  expect(isProxyEnabled(getOperation({}))).toBe(false)
  expect(isProxyEnabled(getOperation({ 'x-enable-proxy': 'true' }))).toBe(false)
  expect(isProxyEnabled(getOperation({ 'x-enable-proxy': true }))).toBe(true)
  expect(isProxyEnabled(getOperation({}, { 'x-enable-proxy': true }))).toBe(true)
  expect(isProxyEnabled(getOperation({ 'x-enable-proxy': false }, { 'x-enable-proxy': true }))).toBe(false)
})

test('fields have types, allowed values, and initial values only from the document', () => {
  const { parameters } = createForm({
    parameters: [
      { name: 'id', in: 'path', schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: true, schema: { type: 'integer', default: 20 } },
      { name: 'sort', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'] } },
      { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } }, example: ['a', 'b'] },
      { name: 'Accept', in: 'header', schema: { type: 'string' } },
      { name: 'Host', in: 'header', schema: { type: 'string' } },
      { name: 'bad name', in: 'header', schema: { type: 'string' } },
    ],
  })
  expect(parameters).toMatchObject([
    { name: 'id', location: 'path', isRequired: true, placeholder: 'id_123' },
    { name: 'limit', kind: 'number', type: 'integer', value: '20' },
    { name: 'sort', values: ['asc', 'desc'] },
    { name: 'tags', kind: 'list', type: 'array<string>', placeholder: 'a,b' },
  ])
  expect(parameters[0]).not.toHaveProperty('value')
  expect(parameters[3]).not.toHaveProperty('value')
})

test('a request has the entered values, and its curl command has variables instead of secrets', () => {
  const form = createForm(
    {
      security: [{ key: [], session: [], header: [], host: [], oauth: [] }],
      parameters: [
        { name: 'id', in: 'path', schema: { type: 'string' } },
        { name: 'filter', in: 'query', schema: { type: 'object' } },
        { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
        { name: 'theme', in: 'cookie', schema: { type: 'string' } },
      ],
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    },
    { components: { securitySchemes } },
  )
  const secrets = Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, { secret: `${name} &1` }]))
  const request = buildRequest(
    form,
    values({
      credentials: secrets,
      parameters: {
        'path id': 'ä/?#',
        'query filter': '{"a":1,"b":"x y"}',
        'query ids': '1,2',
        'cookie theme': 'dark; admin=1',
        'header Host': 'evil.example',
      },
      text: `{"name":"it's"}`,
    }),
  )
  expect(joinSecrets(request.url)).toBe(
    'https://api.example.com/v1/pets/%C3%A4%2F%3F%23?filter%5Ba%5D=1&filter%5Bb%5D=x%20y&ids=1%2C2&api%20key=key%20%261',
  )
  expect(request.headers.map(({ name, value }) => `${name}: ${joinSecrets(value)}`)).toEqual([
    'X-Api-Key: header &1',
    'Authorization: Bearer oauth &1',
    'Content-Type: application/json',
  ])
  expect(request.cookies.map(({ name, value }) => `${name}=${joinSecrets(value)}`)).toEqual([
    'sid=session%20%261',
    'theme=dark%3B%20admin%3D1',
  ])
  const curl = printCurl(toSampleRequest(request))
  expect(curl).not.toContain('&1')
  expect(curl).toContain('-H "Authorization: Bearer $TOKEN"')
  expect(curl).toContain('api%20key=$API_KEY"')
  expect(curl).toContain(String.raw`--data-raw '{"name":"it'\''s"}'`)
  for (const { title, print } of sampleLanguages) {
    const sample = print(withJsonValue(toSampleRequest(request)))
    expect(sample, title).not.toContain('&1')
    expect(sample, title).toContain('/pets/%C3%A4%2F%3F%23?')
    expect(sample, title).toContain('dark%3B%20admin%3D1')
    expect(sample, title).toMatch(/\bname\b/)
  }
})

test('code samples contain the JSON of the body as a value only if nothing of it changes', () => {
  const form = createForm({ requestBody: { content: { 'application/json': {} } } })
  const bodyOf = (text: string) => withJsonValue(toSampleRequest(buildRequest(form, values({ text })))).body
  expect(bodyOf('{ "a b": [1, true],\n "c": " x " }')).toMatchObject({
    kind: 'json',
    value: { 'a b': [1, true], c: ' x ' },
  })
  for (const text of [
    '{"id": 12345678901234567890}',
    '{"a": 1.0}',
    '{"a": 1, "a": 2}',
    '{"a"',
    `["${'x'.repeat(3000)}"]`,
  ])
    expect(bodyOf(text)).toMatchObject({ kind: 'text', text })
})

test('values that would change the path or add a header are refused', () => {
  const form = createForm({
    parameters: [
      { name: 'id', in: 'path', schema: { type: 'string' } },
      { name: 'X-Id', in: 'header', schema: { type: 'string' } },
    ],
  })
  for (const id of ['.', '..', '\ud800'])
    expect(() => buildRequest(form, values({ parameters: { 'path id': id } })), id).toThrow(InvalidValueError)
  for (const id of ['a\r\nX-Admin: 1', 'a\0', 'ключ'])
    expect(() => buildRequest(form, values({ parameters: { 'header X-Id': id } })), id).toThrow(InvalidValueError)
  expect(() => buildRequest(form, values({ server: 1 }))).toThrow(InvalidValueError)
  const injected = values({ parameters: { 'path id': '/../../admin?x=1#y' } })
  expect(new URL(joinSecrets(buildRequest(form, injected).url)).pathname).toBe(
    '/v1/pets/%2F..%2F..%2Fadmin%3Fx%3D1%23y',
  )
})

const server = (template: string, variables: Record<string, [string, ...string[]]> = {}) => ({
  template,
  variables: Object.entries(variables).map(([name, [initial, ...list]]) => ({ name, default: initial, values: list })),
})

test('a page allows the origins of all values of variables', () => {
  expect(listServerOrigins(server('https://API.example.com:443/v1'))).toEqual(['https://api.example.com'])
  expect(listServerOrigins(server('http://{region}.example.com', { region: ['eu', 'eu', 'us'] }))).toEqual([
    'http://eu.example.com',
    'http://us.example.com',
  ])
  expect(listServerOrigins(server('https://{tenant}.example.com/', { tenant: ['demo'] }))).toEqual([
    'https://demo.example.com',
    'https://*.example.com',
  ])
  expect(listServerOrigins(server('https://{host}/', { host: ['api.example.com'] }))).toEqual([
    'https://api.example.com',
  ])
  expect(listServerOrigins(server("https://a.com'; script-src *"))).toEqual([])
})

test('variables of servers that anyone enters cannot select another host', () => {
  const tenant = server('https://{tenant}.example.com/{base}', { tenant: ['demo'], base: ['v1'] })
  expect(isAllowedServer(tenant, {})).toBe(true)
  expect(isAllowedServer(tenant, { tenant: 'acme', base: 'v2' })).toBe(true)
  for (const value of ['evil.com/', 'evil.com#', 'a.b', 'a@b', '..', 'x:80', 'a\\b'])
    for (const name of ['tenant', 'base']) expect(isAllowedServer(tenant, { [name]: value }), value).toBe(false)
  const host = server('https://{host}/', { host: ['api.example.com'] })
  expect(isAllowedServer(host, { host: 'localhost' })).toBe(false)
  expect(isAllowedServer(server('https:///{host}', { host: ['a.com'] }), { host: '2130706433' })).toBe(false)
  expect(isAllowedServer(server('https://{r}.example.com', { r: ['eu', 'eu'] }), { r: 'us' })).toBe(false)
})

test('no text of a document ends the data of the form', () => {
  const operation = getOperation({
    parameters: [{ name: 'q', in: 'query', example: '</script><script>alert(1)</script><!--', required: true }],
  })
  const origins: string[] = []
  const support = {
    script: '/try-it.js',
    styles: '/try-it.css',
    document: 'pets',
    allowOrigins: (list: readonly string[]) => void origins.push(...list),
    needsTexts: () => false,
  }
  const html = renderTryIt(operation, support, english.openApi).text
  expect(html.match(/<\/?script/g)).toEqual(['<script', '</script'])
  expect(html).not.toContain('<!--')
  expect(origins).toEqual(['https://api.example.com'])
})

test('operations with an extremely large form have no panel', () => {
  const parameters = Array.from({ length: 200 }, (_, index) => ({
    name: `p${index}`,
    in: 'query',
    schema: { type: 'string', enum: Array.from({ length: 100 }, (__, value) => `value ${value}`) },
  }))
  expect(createTryItForm(getOperation({ parameters }))).toBeUndefined()
})

test('JSON is indented without changing numbers and strings', () => {
  expect(formatJson('{"a":1.10,"b":[ ],"c":"x: {[,]} \\" ","d":[1e400,{ "e" :null}]}')).toBe(
    '{\n  "a": 1.10,\n  "b": [],\n  "c": "x: {[,]} \\" ",\n  "d": [\n    1e400,\n    {\n      "e": null\n    }\n  ]\n}',
  )
  expect(formatJson('"text"')).toBe('"text"')
  expect(formatJson('<html>')).toBeUndefined()
})
