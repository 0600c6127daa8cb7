import { expect, test } from 'vitest'
import { findOperation, findSchema, findWebhook, listOperations, listWebhooks } from '../../src/openapi/model.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'
import { listTagGroups, listTags } from '../../src/openapi/tags.ts'

const petPath = '/pets/{petId}'

const specWith = (operation: object, more: object = {}, item: object = {}) =>
  new OpenApiSpec({ paths: { [petPath]: { ...item, get: operation } }, ...more })

const find = (...definition: Parameters<typeof specWith>) => {
  const operation = findOperation(specWith(...definition), petPath, 'GET')
  if (!operation) throw new Error('The operation was not found')
  return operation
}

test('finds an operation without reading the other paths', () => {
  const paths = { '/pets': { post: { summary: 'Create a pet' } } }
  Object.defineProperty(paths, '/other', {
    enumerable: true,
    get: () => {
      throw new Error('The other path was read')
    },
  })
  expect(findOperation(new OpenApiSpec({ paths }), '/pets', 'post')).toMatchObject({
    method: 'POST',
    summary: 'Create a pet',
  })
})

test('finds nothing by names that are not in the document', () => {
  const spec = specWith({})
  expect(findOperation(spec, petPath, 'post')).toBeUndefined()
  expect(findOperation(spec, petPath, 'parameters')).toBeUndefined()
  expect(findOperation(spec, 'constructor', 'get')).toBeUndefined()
  expect(findOperation(spec, '__proto__', 'get')).toBeUndefined()
  expect(findWebhook(spec, 'pets', 'post')).toBeUndefined()
  expect(findSchema(spec, 'toString')).toBeUndefined()
})

test('parameters of an operation replace those of its path with the same name and location', () => {
  const { parameters } = find(
    {
      parameters: [
        { name: 'petId', in: 'path', description: 'Of the operation' },
        { name: 'hidden', in: 'query', 'x-internal': true },
        { $ref: '#/components/parameters/Limit' },
      ],
    },
    { components: { parameters: { Limit: { name: 'limit', in: 'query', example: 10, schema: { type: 'integer' } } } } },
    {
      parameters: [
        { name: 'petId', in: 'path', description: 'Of the path' },
        { name: 'petId', in: 'query' },
        { name: 'hidden', in: 'query' },
      ],
    },
  )
  expect(
    parameters.map(({ name, location, isRequired, description, example }) => [
      name,
      location,
      isRequired,
      description,
      example,
    ]),
  ).toEqual([
    ['petId', 'path', true, 'Of the operation', undefined],
    ['petId', 'query', false, undefined, undefined],
    ['limit', 'query', false, undefined, 10],
  ])
})

test('uses the servers of the nearest level, with the default values of their variables', () => {
  const servers = [
    {
      url: 'https://{region}.example.com/{version}/',
      variables: {
        region: { default: 'eu', enum: ['eu', 'us'], description: 'Where data is stored' },
        version: { enum: ['v2'] },
      },
    },
    { url: '/api', description: 'Relative' },
  ]
  expect(find({}, { servers }).servers).toMatchObject([
    {
      url: 'https://eu.example.com/v2',
      template: 'https://{region}.example.com/{version}/',
      variables: [
        { name: 'region', values: ['eu', 'us'] },
        { name: 'version', default: 'v2' },
      ],
    },
    { url: '/api', description: 'Relative' },
  ])
  const ofPath = { servers: [{ url: 'https://path.example.com' }] }
  expect(find({}, { servers }, ofPath).servers.map(({ url }) => url)).toEqual(['https://path.example.com'])
  const ofOperation = { servers: [{ url: 'https://operation.example.com' }] }
  expect(find(ofOperation, { servers }, ofPath).servers.map(({ url }) => url)).toEqual([
    'https://operation.example.com',
  ])
})

test('reads every kind of security scheme', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'query', name: 'api_key' },
    basic: { type: 'http', scheme: 'Basic' },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    oauth: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://example.com/token', scopes: { 'pets:read': 'Read pets' } } },
    },
    openId: { type: 'openIdConnect', openIdConnectUrl: 'https://example.com/.well-known/openid-configuration' },
  }
  const components = { components: { securitySchemes } }
  const security = [
    { key: [], basic: [] },
    { bearer: [] },
    { oauth: ['pets:read'] },
    { openId: [] },
    { unknown: [] },
    {},
  ]
  expect(find({ security }, components).security).toMatchObject([
    [
      { name: 'key', scheme: { type: 'apiKey', location: 'query', parameterName: 'api_key' } },
      { name: 'basic', scheme: { type: 'http', scheme: 'basic' } },
    ],
    [{ scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }],
    [
      {
        scopes: ['pets:read'],
        scheme: {
          type: 'oauth2',
          flows: [{ type: 'clientCredentials', scopes: [{ name: 'pets:read', description: 'Read pets' }] }],
        },
      },
    ],
    [{ scheme: { type: 'openIdConnect' } }],
    [{ name: 'unknown', scheme: undefined }],
    [],
  ])
  const ofDocument = { ...components, security: [{ bearer: [] }] }
  expect(find({}, ofDocument).security).toHaveLength(1)
  expect(find({ security: [] }, ofDocument).security).toEqual([])
})

test('reads bodies, responses, headers and examples by media type', () => {
  const operation = find(
    {
      requestBody: { $ref: '#/components/requestBodies/Pet' },
      responses: {
        200: {
          description: 'Found',
          headers: { 'x-rate': { $ref: '#/components/headers/Rate' } },
          content: {
            'application/json': { examples: { cat: { summary: 'A cat', value: { name: 'Tom' } }, broken: {} } },
            'text/csv': { example: 'name\nTom' },
          },
        },
        'x-note': 'ignored',
        default: { description: 'Error' },
      },
    },
    {
      components: {
        requestBodies: { Pet: { required: true, content: { 'application/json': { schema: { type: 'object' } } } } },
        headers: { Rate: { description: 'Requests left', schema: { type: 'integer' } } },
      },
    },
  )
  expect(operation.body).toMatchObject({ isRequired: true, contents: [{ mediaType: 'application/json' }] })
  expect(operation.responses).toMatchObject([
    {
      status: '200',
      headers: [{ name: 'x-rate', description: 'Requests left', schema: { type: 'integer' } }],
      contents: [
        { mediaType: 'application/json', examples: [{ name: 'cat', summary: 'A cat', value: { name: 'Tom' } }] },
        { mediaType: 'text/csv', examples: [{ value: 'name\nTom' }] },
      ],
    },
    { status: 'default', description: 'Error', contents: [] },
  ])
})

test('finds webhooks and callbacks, and callbacks of callbacks end', () => {
  const webhook = { post: { summary: 'A pet was created' } }
  for (const key of ['webhooks', 'x-webhooks']) {
    const spec = new OpenApiSpec({ [key]: { 'pet.created': webhook } })
    expect(findWebhook(spec, 'pet.created', 'POST')).toMatchObject({
      kind: 'webhook',
      path: 'pet.created',
      servers: [],
    })
    expect(listWebhooks(spec).map(({ summary }) => summary)).toEqual(['A pet was created'])
  }
  const again = { $ref: '#/components/callbacks/Again' }
  const components = { callbacks: { Again: { '{$request.body#/url}': { post: { callbacks: { again } } } } } }
  const { callbacks } = find({ callbacks: { again } }, { components })
  expect(callbacks).toMatchObject([
    { name: 'again', operation: { path: '{$request.body#/url}', method: 'POST', callbacks: [] } },
  ])
})

test('internal operations are not listed', () => {
  const paths = { '/a': { get: {} }, '/b': { get: { 'x-internal': true } }, '/c': { 'x-internal': true, get: {} } }
  const spec = new OpenApiSpec({ paths })
  expect(listOperations(spec).map(({ path }) => path)).toEqual(['/a'])
  expect(findOperation(spec, '/b', 'get')?.isInternal).toBe(true)
})

test('reads tags, their groups and their titles', () => {
  const spec = new OpenApiSpec({
    tags: [
      { name: 'pets', 'x-displayName': 'Pets', description: 'Animals' },
      { name: 'cats', parent: 'pets' },
      { name: 'secret', 'x-internal': true },
    ],
    'x-tagGroups': [{ name: 'Animals', tags: ['pets', 'undeclared'] }],
  })
  expect(listTags(spec)).toMatchObject([
    { name: 'pets', title: 'Pets', description: 'Animals' },
    { name: 'cats', title: 'cats', parent: 'pets' },
  ])
  expect(listTagGroups(spec)).toMatchObject([{ title: 'Animals', tags: [{ title: 'Pets' }, { title: 'undeclared' }] }])
})

test('reads code samples, badges and external documentation', () => {
  const operation = find({
    'x-codeSamples': [{ lang: 'Kotlin', label: 'SDK', source: 'pets.get()\n' }, { lang: 'Java' }],
    'x-badges': [{ name: 'Beta', position: 'before' }, 'New'],
    'x-stability': 'experimental',
    externalDocs: { url: 'https://example.com/pets' },
  })
  expect(operation.codeSamples).toEqual([{ title: 'SDK', syntax: 'kotlin', code: 'pets.get()' }])
  expect(operation.badges).toEqual(['Beta', 'New', 'experimental'])
  expect(operation.externalDocs?.url).toBe('https://example.com/pets')
  expect(find({ externalDocs: { url: 'javascript:alert(1)' } }).externalDocs).toBeUndefined()
})
