import { describe, expect, test, vi } from 'vitest'
import { stringify } from 'yaml'
import { type LoadFiles, SpecLoadError } from '../../src/openapi/bundle.ts'
import type { JsonObject } from '../../src/openapi/json-value.ts'
import { SpecError, findStructureProblems, parseFile } from '../../src/openapi/parse.ts'
import { formatProblem } from '../../src/openapi/problem.ts'
import { processSpec } from '../../src/openapi/process.ts'

const noFiles: LoadFiles = async (urls) => urls.map(() => ({ failure: 'error', message: 'not found' }))

/** Serves files by their addresses. */
const serveFiles =
  (files: Record<string, unknown>): LoadFiles =>
  async (urls) =>
    urls.map((url) => {
      const file = files[url]
      if (file === undefined) return { failure: 'error', message: 'The status is 404' }
      return { url, text: typeof file === 'string' ? file : JSON.stringify(file) }
    })

const process = async (source: unknown, options: { url?: string; load?: LoadFiles } = {}) => {
  const text = typeof source === 'string' ? source : JSON.stringify(source)
  const { document, ...rest } = await processSpec(text, { load: noFiles, now: '', ...options })
  return { ...rest, document: JSON.parse(document) as JsonObject }
}

/** Returns the problems of a specification that cannot be used. */
const problemsOf = async (source: unknown, options: { url?: string; load?: LoadFiles } = {}): Promise<string[]> => {
  try {
    await process(source, options)
  } catch (error) {
    if (error instanceof SpecError) return error.problems.map(formatProblem)
    if (error instanceof SpecLoadError) return [`${error.failure}: ${formatProblem(error.problem)}`]
    throw error
  }
  return []
}

const info = { title: 'Pets', version: '1' }
const base = { openapi: '3.1.0', info, paths: {} }

describe('parsing', () => {
  test('accepts JSON and YAML of every version', async () => {
    for (const version of ['3.0.3', '3.1.0', '3.1.1', '3.2.0']) {
      const document = { openapi: version, info, paths: { '/pets': { get: { responses: {} } } } }
      const json = await process(document)
      const yaml = await process(stringify(document))
      expect([json.format, yaml.format]).toEqual(['json', 'yaml'])
      expect(json.document).toEqual({ ...document, openapi: version === '3.0.3' ? '3.1.0' : version })
      expect(yaml.document).toEqual(json.document)
    }
    expect((await process('swagger: 2.0\ninfo: {title: Old, version: 1}\npaths: {}')).document['openapi']).toBe('3.1.0')
  })

  test.each([
    ['{"openapi": "3.1.0",\n "info": }', ['line 2: The JSON is not valid: unexpected "}"']],
    ['{"openapi": "3.1.0",\n "info": {', ['line 2: The JSON is not valid: unexpected end of the text']],
    ['openapi: 3.1.0\ninfo:\n  title: "x', [expect.stringMatching(/^line 3: The YAML is not valid: Missing closing/)]],
    ['just a text', ['line 1: The document is not an object']],
    ['{"info": {}}', ['line 1: The document has neither the field "openapi" nor the field "swagger"']],
    [
      'info: {}\nopenapi: 4.0.0',
      ['line 2, /openapi: The version "4.0.0" is not supported. Use Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2'],
    ],
    [
      'openapi: 3.0.0\ninfo:\n  version: 1\npaths:\n  /a:\n    get: no\n  b: {}\n',
      [
        'line 3, /info: The field "title" is missing',
        'line 6, /paths/~1a/get: An operation must be an object',
        'line 7, /paths/b: A path must begin with "/"',
      ],
    ],
    [
      '{"openapi": "3.0.0",\n"info": {"title": "x"},\n"paths": {\n"/a": {"get": {"parameters":\n7}}}}',
      ['line 5, /paths/~1a/get/parameters: "parameters" must be a list'],
    ],
  ])('reports the line and the path of a problem: %#', async (text, expected) => {
    expect(await problemsOf(text)).toEqual(expected)
  })

  test('refuses aliases that expand to too many values, and aliases of themselves', async () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
        : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}*a${level - 1}]`,
    )
    expect(await problemsOf(levels.join('\n'))).toEqual([
      'The document has more than 4000000 values. Aliases of YAML count each time they are used',
    ])
    expect(await problemsOf('openapi: 3.1.0\ninfo: &a\n  title: x\n  more: *a\n')).toEqual([
      'An alias of the YAML contains itself',
    ])
    const chain = Array.from(
      { length: 80 },
      (_, level) => `a${level}: &a${level}\n  b:\n    c:\n      d: ${level && `*a${level - 1}`}`,
    )
    expect(await problemsOf(`openapi: 3.1.0\n${chain.join('\n')}\n`)).toEqual([
      'Lists and objects are nested more than 200 levels deep',
    ])
    const shared = await process(
      'openapi: 3.1.0\ninfo: {title: x}\nx-a: &a {type: string}\ncomponents:\n  schemas:\n    One: *a\n    Two:\n      <<: *a\n      maxLength: 3\n',
    )
    expect(shared.document['components']).toEqual({
      schemas: { One: { type: 'string' }, Two: { type: 'string', maxLength: 3 } },
    })
  })

  test('finds the lines of many problems in a large text at once', async () => {
    const references = Array.from({ length: 50_000 }, (_, index) => [
      `S${index}`,
      { description: 'x'.repeat(50), items: { $ref: `#/components/schemas/${index < 49_900 ? 'S1' : 'Missing'}` } },
    ])
    const source = { openapi: '3.1.0', info, paths: {}, components: { schemas: Object.fromEntries(references) } }
    const text = JSON.stringify(source, null, 1)
    const lines = text.split('\n')
    const [first = 0, second = 0] = [49_900, 49_901].map((index) => lines.indexOf(`   "S${index}": {`))
    const expected = Array.from({ length: 100 }, (_, index) => {
      const line = first + index * (second - first) + 3
      return `line ${line}, /components/schemas/S${49_900 + index}/items: The reference "#/components/schemas/Missing" refers to a missing value`
    })
    const start = globalThis.process.cpuUsage()
    const { problems } = await process(text)
    expect(problems.map(formatProblem)).toEqual(expected)
    // Reading the text once for each problem would take a minute of processor time.
    const { user, system } = globalThis.process.cpuUsage(start)
    expect((user + system) / 1_000_000).toBeLessThan(10)
  })

  test('finds lines only for problems', async () => {
    const file = parseFile('openapi: 3.1.0\ninfo:\n  title: x\n')
    const findLines = vi.fn(() => [])
    expect(findStructureProblems({ ...file, findLines }, '3.1')).toEqual([])
    expect(findLines).not.toHaveBeenCalled()
  })

  test('refuses keys of YAML that are not different texts, and merge keys that copy too many fields', async () => {
    const valid = 'openapi: 3.1.0\ninfo: {title: x}\n'
    expect(await problemsOf(`${valid}x-a: &a {b: 1}\nx-c:\n  *a : 1\n`)).toEqual([
      'line 5: The YAML is not valid: A key must be a text',
    ])
    expect(await problemsOf(`${valid}x-a: !!map {b: 1, b: 2}\ninfo: {}`)).toEqual([
      'line 3: The YAML is not valid: The key "b" is not unique',
      'line 4: The YAML is not valid: The key "info" is not unique',
    ])
    const fields = Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join(', ')
    expect(await problemsOf(`${valid}x-a: &a {${fields}}\nx-b:\n${'  - {<<: [*a, *a]}\n'.repeat(1000)}`)).toEqual([
      'Merge keys of the YAML copy more than 1000000 fields',
    ])
  })

  test('reads maps with many keys in linear time', async () => {
    const paths = Array.from({ length: 30_000 }, (_, index) => `  /p${index}: *a`).join('\n')
    const start = performance.now()
    const { document } = await process(`openapi: 3.1.0\ninfo: {title: x}\nx-a: &a {}\npaths:\n${paths}\n`)
    expect(Object.keys(document['paths'] as object)).toHaveLength(30_000)
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  test('refuses documents that are nested too deeply', async () => {
    const deep = 'Lists and objects are nested more than 200 levels deep'
    expect(await problemsOf(`{"openapi": "3.1.0", "x": ${'['.repeat(5000)}${']'.repeat(5000)}}`)).toEqual([deep])
    expect(await problemsOf(`x: ${'['.repeat(5000)}`)).toEqual([deep])
  })

  test('keeps keys such as __proto__ as data', async () => {
    const text = `{"openapi": "3.1.0", "info": {"title": "x"}, "components": {"schemas": {"__proto__": {"type": "string"}}}}`
    expect((await processSpec(text, { load: noFiles, now: '' })).document).toContain('"__proto__":{"type":"string"}')
  })
})

describe('upgrading', () => {
  test('converts schemas of OpenAPI 3.0, but no data', async () => {
    const schemas = {
      Pet: {
        type: 'object',
        nullable: true,
        properties: {
          nullable: { type: 'boolean' },
          age: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false, example: 3 },
          kind: { type: 'string', nullable: true, enum: ['cat'] },
          owner: { allOf: [{ $ref: '#/components/schemas/Owner' }], nullable: true, description: 'Who' },
        },
        default: { nullable: true, example: 1 },
      },
      Owner: { oneOf: [{ type: 'string' }], nullable: true },
    }
    const { document } = await process({ openapi: '3.0.1', info, paths: {}, components: { schemas } })
    expect(document['components']).toEqual({
      schemas: {
        Pet: {
          type: ['object', 'null'],
          properties: {
            nullable: { type: 'boolean' },
            age: { type: 'integer', exclusiveMinimum: 0, maximum: 9, examples: [3] },
            kind: { type: ['string', 'null'], enum: ['cat', null] },
            owner: {
              description: 'Who',
              anyOf: [{ allOf: [{ $ref: '#/components/schemas/Owner' }] }, { type: 'null' }],
            },
          },
          default: { nullable: true, example: 1 },
        },
        Owner: { oneOf: [{ type: 'string' }, { type: 'null' }] },
      },
    })
  })

  test('converts Swagger 2.0', async () => {
    const { document, problems } = await process({
      swagger: '2.0',
      info,
      host: 'api.example.com',
      basePath: '/v1/',
      schemes: ['https', 'http'],
      consumes: ['application/json', 'application/xml'],
      produces: ['application/json'],
      parameters: {
        Limit: { name: 'limit', in: 'query', type: 'integer', maximum: 100, exclusiveMaximum: true },
        PetBody: { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
      },
      responses: { Missing: { description: 'No', schema: { $ref: '#/definitions/Error' } } },
      securityDefinitions: {
        login: { type: 'basic' },
        oauth: {
          type: 'oauth2',
          flow: 'accessCode',
          authorizationUrl: 'https://a/',
          tokenUrl: 'https://t/',
          scopes: { r: 'Read' },
        },
      },
      definitions: {
        Pet: { type: 'object', discriminator: 'kind', properties: { kind: { type: 'string', 'x-nullable': true } } },
        Error: { type: 'object' },
      },
      paths: {
        '/pets': {
          parameters: [{ $ref: '#/parameters/Limit' }],
          get: {
            parameters: [
              { name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'csv' },
            ],
            responses: {
              200: {
                description: 'Pets',
                schema: { type: 'array', items: { $ref: '#/definitions/Pet' } },
                headers: { 'X-Total': { type: 'integer', description: 'All' } },
                examples: { 'application/json': [{ kind: 'cat' }] },
              },
              404: { $ref: '#/responses/Missing' },
            },
          },
          post: { parameters: [{ $ref: '#/parameters/PetBody' }], responses: { 201: { description: 'Created' } } },
        },
        '/photos': {
          post: {
            parameters: [
              { name: 'photo', in: 'formData', type: 'file', required: true, description: 'The image' },
              { name: 'title', in: 'formData', type: 'string' },
            ],
            responses: { default: { description: 'Done' } },
          },
        },
      },
    })
    expect(problems).toEqual([])
    const petRef = { $ref: '#/components/schemas/Pet' }
    expect(document).toEqual({
      openapi: '3.1.0',
      info,
      servers: [{ url: 'https://api.example.com/v1' }, { url: 'http://api.example.com/v1' }],
      paths: {
        '/pets': {
          parameters: [{ $ref: '#/components/parameters/Limit' }],
          get: {
            parameters: [
              {
                name: 'tags',
                in: 'query',
                style: 'form',
                explode: false,
                schema: { type: 'array', items: { type: 'string' } },
              },
            ],
            responses: {
              200: {
                description: 'Pets',
                content: {
                  'application/json': { schema: { type: 'array', items: petRef }, example: [{ kind: 'cat' }] },
                },
                headers: { 'X-Total': { description: 'All', schema: { type: 'integer' } } },
              },
              404: { $ref: '#/components/responses/Missing' },
            },
          },
          post: {
            requestBody: { $ref: '#/components/requestBodies/PetBody' },
            responses: { 201: { description: 'Created' } },
          },
        },
        '/photos': {
          post: {
            requestBody: {
              required: true,
              content: {
                'multipart/form-data': {
                  schema: {
                    type: 'object',
                    required: ['photo'],
                    properties: {
                      photo: { type: 'string', format: 'binary', description: 'The image' },
                      title: { type: 'string' },
                    },
                  },
                },
              },
            },
            responses: { default: { description: 'Done' } },
          },
        },
      },
      components: {
        schemas: {
          Pet: {
            type: 'object',
            discriminator: { propertyName: 'kind' },
            properties: { kind: { type: ['string', 'null'] } },
          },
          Error: { type: 'object' },
        },
        parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', exclusiveMaximum: 100 } } },
        requestBodies: {
          PetBody: {
            required: true,
            content: { 'application/json': { schema: petRef }, 'application/xml': { schema: petRef } },
            'x-name': 'pet',
          },
        },
        responses: {
          Missing: {
            description: 'No',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        },
        securitySchemes: {
          login: { type: 'http', scheme: 'basic' },
          oauth: {
            type: 'oauth2',
            flows: {
              authorizationCode: { authorizationUrl: 'https://a/', tokenUrl: 'https://t/', scopes: { r: 'Read' } },
            },
          },
        },
      },
    })
  })
})

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const refers = (reference: string) => ({ ...base, components: { schemas: { A: { items: { $ref: reference } } } } })

const chain: LoadFiles = async (urls) =>
  urls.map((one) => ({ url: one, text: JSON.stringify({ $ref: `${Number(/\d+/.exec(one)?.[0]) + 1}.json` }) }))

describe('bundling', () => {
  const url = 'https://example.com/api/openapi.json'

  test('adds values of other files to the components, with cycles and equal names', async () => {
    const { document, problems } = await process(
      {
        ...base,
        paths: {
          '/pets': { $ref: 'paths/pets.yaml' },
          '/owners': {
            get: { responses: { 200: { content: { 'application/json': { schema: { $ref: 'owner.json#/Owner' } } } } } },
          },
        },
        components: { schemas: { Pet: { $ref: './pet.json' }, Data: { example: { $ref: 'not-a-reference.json' } } } },
      },
      {
        url,
        load: serveFiles({
          'https://example.com/api/paths/pets.yaml':
            'get:\n  responses:\n    "200":\n      content:\n        application/json:\n          schema: {$ref: ../pet.json}\n',
          'https://example.com/api/pet.json': {
            type: 'object',
            properties: {
              owner: { $ref: 'owner.json#/Owner' },
              parent: { $ref: '#' },
              data: { $ref: 'openapi.json#/components/schemas/Data' },
              other: { $ref: 'other/owner.json#/Owner' },
            },
            discriminator: { propertyName: 'kind', mapping: { owner: 'owner.json#/Owner', cat: 'Cat' } },
          },
          'https://example.com/api/owner.json': {
            Owner: { properties: { pets: { items: { $ref: 'pet.json' } }, name: { $ref: '#/Name' } } },
            Name: { type: 'string' },
          },
          'https://example.com/api/other/owner.json': { Owner: { type: 'boolean' } },
        }),
      },
    )
    const reply = (name: string) => ({
      get: { responses: { 200: { content: { 'application/json': { schema: schema(name) } } } } },
    })
    expect(problems).toEqual([])
    expect(document).toMatchObject({
      paths: { '/pets': reply('Pet'), '/owners': reply('Owner') },
      components: {
        schemas: {
          Pet: {
            type: 'object',
            properties: {
              owner: schema('Owner'),
              parent: schema('Pet'),
              data: schema('Data'),
              other: schema('Owner_2'),
            },
            discriminator: {
              propertyName: 'kind',
              mapping: { owner: '#/components/schemas/Owner', cat: 'Cat' },
            },
          },
          Data: { example: { $ref: 'not-a-reference.json' } },
          Owner: { properties: { pets: { items: schema('Pet') }, name: schema('Name') } },
          Owner_2: { type: 'boolean' },
          Name: { type: 'string' },
        },
      },
    })
  })

  test('accepts maps that are references', async () => {
    const { document } = await process(
      { ...base, paths: { $ref: 'paths.json' }, components: { schemas: { $ref: 'schemas.json' } } },
      {
        url,
        load: serveFiles({
          'https://example.com/api/paths.json': { '/a/{b}': { get: { responses: {} } } },
          'https://example.com/api/schemas.json': { A: { items: { $ref: '#/B' } }, B: { type: 'string' } },
        }),
      },
    )
    expect(document['paths']).toEqual({ '/a/{b}': { get: { responses: {} } } })
    expect(document['components']).toMatchObject({
      schemas: { A: { items: { $ref: '#/components/schemas/B' } }, B: { type: 'string' } },
    })
  })

  test('bundles files of Swagger 2.0', async () => {
    const { document } = await process(
      {
        swagger: '2.0',
        info,
        paths: {
          '/a': { get: { parameters: [{ $ref: 'a.json#/P' }], responses: { 200: { schema: { $ref: 'a.json#/S' } } } } },
        },
      },
      {
        url,
        load: serveFiles({
          'https://example.com/api/a.json': { P: { name: 'p', in: 'query', type: 'string' }, S: { type: 'object' } },
        }),
      },
    )
    expect(document).toMatchObject({
      paths: {
        '/a': {
          get: {
            parameters: [{ $ref: '#/components/parameters/P' }],
            responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S' } } } } },
          },
        },
      },
      components: {
        parameters: { P: { name: 'p', in: 'query', schema: { type: 'string' } } },
        schemas: { S: { type: 'object' } },
      },
    })
  })

  test('keeps relative addresses in the mapping of a discriminator if the text has no address', async () => {
    const discriminator = {
      propertyName: 'kind',
      mapping: { cat: 'models/cat.yml#/Cat', dog: '#/components/schemas/Dog' },
    }
    const schemas = { Pet: { discriminator }, Dog: { type: 'object' } }
    const { document, problems } = await process({ ...base, components: { schemas } })
    expect([document['components'], problems]).toEqual([{ schemas }, []])
  })

  test('reports missing files and values', async () => {
    expect(await problemsOf(refers('b.json'), { url })).toEqual([
      'error: line 1, /components/schemas/A/items: https://example.com/api/b.json: not found',
    ])
    const load = serveFiles({
      'https://example.com/api/b.json': '{"B": {}}',
      'https://example.com/api/c.json': '{\n"B": }',
    })
    expect(await problemsOf(refers('b.json#/C'), { url, load })).toEqual([
      'line 1, /components/schemas/A/items: The reference "https://example.com/api/b.json#/C" refers to a missing value',
    ])
    expect(await problemsOf(refers('c.json'), { url, load })).toEqual([
      'https://example.com/api/c.json, line 2: The JSON is not valid: unexpected "}"',
    ])
    expect(await problemsOf(refers('b.json'))).toEqual([
      expect.stringContaining('a specification that is sent as text'),
    ])
    const { problems } = await process(refers('#/components/schemas/Missing'))
    expect(problems.map(formatProblem)).toEqual([
      'line 1, /components/schemas/A/items: The reference "#/components/schemas/Missing" refers to a missing value',
    ])
  })

  test('limits the number of files and how deep they refer to each other', async () => {
    const source = { ...base, components: { schemas: { A: { $ref: '0.json' } } } }
    expect(await problemsOf(source, { url, load: chain })).toEqual([
      'https://example.com/api/19.json, line 1: Files refer to each other more than 20 levels deep',
    ])
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`S${index}`, { $ref: `${index}.json` }]))
    expect(await problemsOf({ ...base, components: { schemas: many } }, { url, load: chain })).toEqual([
      'The specification consists of more than 200 files',
    ])
  })
})
