import { gzipSync } from 'node:zlib'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { OpenAPISpec, OpenAPISpecSource } from '../../src/contract/openapi-spec.ts'
import { createFetch } from '../../src/fetch/fetch.ts'
import { measureHealth } from '../support/health.ts'
import { petSpec, putSpec } from '../support/openapi.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { serveWebsite } from '../support/website-server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

/** Maximum wait in milliseconds for a health check while a specification is processed. */
const maxWait = 400

/** Does work, and fails if it blocks the server. */
async function withHealth<T>(work: () => Promise<T>): Promise<T> {
  const { result, longestWait } = await measureHealth(octavo.url, work)
  expect(longestWait).toBeLessThan(maxWait)
  return result
}

let count = 0

/** Replaces a valid specification by a hostile one; checks that the valid version remains, and that the server responds. */
async function replaceBy(source: OpenAPISpecSource): Promise<OpenAPISpec> {
  const slug = `hostile-${++count}`
  const valid = await putSpec(octavo.admin, slug, { text: JSON.stringify(petSpec('Valid')) })
  const result = await withHealth(() => putSpec(octavo.admin, slug, source))
  if (result.lastProcessErrorCode !== undefined) {
    expect(result.lastVersion).toBe(valid.lastVersion)
    expect(await readDocument(slug)).toEqual(petSpec('Valid'))
  }
  expect(await octavo.admin.api.listOpenApiSpecVersions({ params: at(slug) })).toMatchObject({
    count: result.lastProcessErrorCode === undefined ? 2 : 1,
  })
  return result
}

const at = (specSlug: string) => ({ organizationId: octavo.admin.organizationId, specSlug })

const readDocument = async (slug: string) => {
  const { filesystem } = await octavo.admin.api.getLatestOpenApiSpecVersionContent({ params: at(slug) })
  return filesystem[0]?.specification
}

/** Returns what is wrong with a specification. */
const problemsOf = ({ lastProcessErrorCode: code, lastProcessedErrors = [] }: OpenAPISpec) => ({
  code,
  messages: lastProcessedErrors.map(({ message }) => message),
})

const megabytes = 1024 ** 2
const large = Buffer.alloc(50 * megabytes, 'a')
const compressed = gzipSync(large)
const json = (value: unknown) => ({ text: JSON.stringify(value) })
const repeat = (length: number, create: (index: number) => string, separator = '\n') =>
  Array.from({ length }, (_, index) => create(index)).join(separator)

describe('texts that are not valid', () => {
  test.each([
    ['JSON', '{\n  "openapi": "3.1.0",\n  "info": }\n}', ['line 3: The JSON is not valid: unexpected "}"']],
    [
      'YAML',
      'openapi: 3.1.0\ninfo:\n  title: A\n title: B\n',
      [expect.stringMatching(/^line 4: The YAML is not valid: /)],
    ],
    [
      'duplicate keys',
      'openapi: 3.1.0\ninfo: {title: A}\npaths:\n  /a: {}\n  /a: {}\n',
      [expect.stringMatching(/^line 5: .*unique/)],
    ],
    ['another format', '<html></html>', ['line 1: The document is not an object']],
    [
      'another version',
      'swagger: "1.2"\n',
      [expect.stringMatching(/^line 1, \/swagger: The version "1.2" is not supported/)],
    ],
    [
      'a wrong structure',
      'openapi: 3.1.0\ninfo:\n  title: A\npaths:\n  /a:\n    get:\n      responses: []\n',
      ['line 7, /paths/~1a/get/responses: "responses" must be an object'],
    ],
  ])('%s is reported with line and path', async (_, text, messages) => {
    expect(problemsOf(await replaceBy({ text }))).toEqual({ code: 'PARSE_ERROR', messages })
  })
})

describe('texts that are too large or too deep', () => {
  test('50 MB are refused, and nothing is stored', async () => {
    const body = `{"source": {"text": "${'a'.repeat(50 * megabytes)}"}}`
    const reply = await withHealth(() =>
      octavo.fetch(`/v1/orgs/${octavo.admin.organizationId}/openapi/too-large`, {
        method: 'PUT',
        token: octavo.admin.token,
        headers: { 'content-type': 'application/json' },
        body,
      }),
    )
    expect(reply.status).toBe(413)
    await expect(octavo.admin.api.getOpenApiSpecBySlug({ params: at('too-large') })).rejects.toMatchObject({
      status: 404,
    })
  })

  test.each<[string, () => string, RegExp]>([
    ['brackets', () => `{"openapi": "3.1.0", "x": ${'['.repeat(4 * megabytes)}`, /more than 200 levels/],
    [
      'closed brackets',
      () => `{"openapi": "3.1.0", "x": ${'['.repeat(2 * megabytes)}${']'.repeat(2 * megabytes)}}`,
      /more than 200 levels/,
    ],
    ['brackets of YAML', () => `openapi: 3.1.0\nx: ${'['.repeat(4 * megabytes)}`, /more than 200 levels/],
    ['maps of YAML', () => repeat(2000, (depth) => `${' '.repeat(depth)}a:`), /more than 200 levels/],
    ['lists of YAML', () => `openapi: 3.1.0\nx:\n ${'- '.repeat(megabytes)}a`, /more than 200 levels/],
    [
      'an unclosed text with escapes',
      () => `{"openapi": "3.1.0", "x": "${'\\n'.repeat(1.5 * megabytes)}`,
      /unexpected "/,
    ],
    [
      'expanded aliases',
      () =>
        `openapi: 3.1.0\na0: &a0 [x, x]\n${repeat(30, (level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`)}`,
      /more than 4000000 values/,
    ],
    ['an alias that contains itself', () => 'openapi: 3.1.0\na: &a [*a]\n', /contains itself/],
    [
      'a long text that is repeated',
      () => `openapi: 3.1.0\na: &a ${'a'.repeat(megabytes)}\nx:\n${repeat(1000, () => '  - *a')}`,
      /more than 4000000 values/,
    ],
    [
      'aliases as keys',
      () =>
        `openapi: 3.1.0\na: &a {${repeat(1000, (index) => `k${index}: 1`, ', ')}}\nx:\n${repeat(10_000, () => '  - {*a : 1}')}`,
      /^line 4: .* A key must be a text/,
    ],
    [
      'merged maps',
      () =>
        `openapi: 3.1.0\na: &a {${repeat(5000, (index) => `k${index}: 1`, ', ')}}\nx:\n${repeat(10_000, () => '  - {<<: *a}')}`,
      /copy more than 1000000 fields/,
    ],
  ])('%s', async (_, create, message) => {
    const { code, messages } = problemsOf(await replaceBy({ text: create() }))
    expect(code).toBe('PARSE_ERROR')
    expect(messages[0]).toMatch(message)
  })
})

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('valid documents of unusual size', () => {
  test.each<[string, () => unknown]>([
    [
      'cyclic schemas',
      () => ({
        components: {
          schemas: { A: ref('B'), B: { allOf: [ref('A'), ref('C')] }, C: { properties: { c: ref('C') } } },
        },
      }),
    ],
    [
      'schemas that combine each other',
      () => ({
        components: {
          schemas: Object.fromEntries(
            Array.from({ length: 100 }, (_, level) => [
              `L${level}`,
              { allOf: Array.from({ length: 10 }, () => ref(`L${level + 1}`)) },
            ]).concat([['L100', { type: 'object' }] as never]),
          ),
        },
      }),
    ],
    [
      '10,000 allowed values',
      () => ({
        components: { schemas: { E: { enum: Array.from({ length: 10_000 }, (_, index) => `value ${index}`) } } },
      }),
    ],
    [
      '25,000 paths',
      () => ({
        paths: Object.fromEntries(
          Array.from({ length: 25_000 }, (_, index) => [`/p${index}`, { get: { operationId: 'same' } }]),
        ),
      }),
    ],
    [
      'keys of prototypes',
      () =>
        JSON.parse(
          '{"paths": {"/__proto__": {"get": {"responses": {"__proto__": {"description": "x"}}}}}, "components": {"schemas": {"__proto__": {"type": "object"}, "constructor": {"properties": {"__proto__": {"type": "string"}}}}}, "__proto__": {"polluted": true}}',
        ),
    ],
  ])('%s', async (_, create) => {
    const document = { openapi: '3.1.0', info: { title: 'Unusual', version: '1' }, paths: {}, ...(create() as object) }
    expect(problemsOf(await replaceBy(json(document)))).toEqual({ code: undefined, messages: [] })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

/** Serves a website with a function. */
async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, host, listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${host}:${(server.address() as AddressInfo).port}/openapi.json`
}

describe('sources on other servers', () => {
  test.each<[string, RequestListener]>([
    ['with a length', (_, reply) => reply.writeHead(200, { 'content-length': 50 * megabytes }).end(large)],
    [
      'without a length',
      (_, reply) => {
        const send = (left: number): void => {
          if (left > 0) reply.write(large.subarray(0, megabytes), () => send(left - 1))
          else reply.end()
        }
        send(50)
      },
    ],
    ['compressed', (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(compressed)],
  ])('50 MB %s are not read', async (_, listener) => {
    const spec = await replaceBy({ url: await serve(listener) })
    expect(problemsOf(spec)).toEqual({ code: 'FETCH_ERROR', messages: ['The file is larger than 16 MB'] })
  })

  test('a file of 50 MB that the source refers to is not read', async () => {
    const url = await serve((_, reply) => reply.end(large))
    const spec = await replaceBy(json(petSpec('Refers', { components: { schemas: { A: { $ref: `${url}#/A` } } } })))
    expect(problemsOf(spec)).toEqual({
      code: 'FETCH_ERROR',
      messages: [`line 1, /components/schemas/A: ${url}: The file is larger than 16 MB`],
    })
  })

  test('a server that sends its reply slowly is given up after 20 seconds', async () => {
    const url = await serve((_, reply) => {
      const timer = setInterval(() => reply.write(' '), 100)
      reply.on('close', () => clearInterval(timer))
    })
    expect(problemsOf(await replaceBy({ url }))).toEqual({
      code: 'FETCH_TIMEOUT',
      messages: ['The host did not respond in time'],
    })
  })

  test('a redirect to a private address is not followed, also from another file', async () => {
    const own = await serverForTest()
    const requested: string[] = []
    const secret = await serve((request, reply) => {
      requested.push(request.url ?? '')
      reply.end(JSON.stringify(petSpec('Secret')))
    }, '127.0.0.2')
    const redirect = await serve((_, reply) => reply.writeHead(302, { location: secret }).end())
    // Loopback addresses are the only ones of a test: one of them is handled as public, and all others as private.
    const guarded = createFetch({ allowPrivateNetwork: false, isPublic: (address) => address === '127.0.0.1' })
    own.server.app.fetch.get = (url, options) => guarded.get(url, options)
    const direct = await putSpec(own.admin, 'direct', { url: redirect })
    expect(problemsOf(direct)).toEqual({ code: 'FETCH_ERROR', messages: [expect.stringContaining('private address')] })
    const refers = petSpec('Refers', { components: { schemas: { A: { $ref: `${redirect}#/info` } } } })
    const indirect = await putSpec(own.admin, 'indirect', json(refers))
    expect(problemsOf(indirect)).toEqual({
      code: 'FETCH_ERROR',
      messages: [expect.stringMatching(/^line 1, \/components\/schemas\/A: .*private address/)],
    })
    const website = await serveWebsite({ '/openapi.json': JSON.stringify(petSpec('Public')) })
    expect(await putSpec(own.admin, 'direct', { url: `${website.url}/openapi.json` })).toMatchObject({
      lastVersion: expect.any(String),
    })
    expect(requested).toEqual([])
  })
})
