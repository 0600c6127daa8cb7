import { execFileSync, spawnSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { findOperation } from '../../src/openapi/model.ts'
import { createCodeSamples } from '../../src/openapi/samples/code-samples.ts'
import { createExample } from '../../src/openapi/samples/example.ts'
import { createSampleRequest } from '../../src/openapi/samples/request.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'

const empty = new OpenApiSpec({})

function createSamples(method: string, operation: object, more: object = {}): Map<string, string> {
  const spec = new OpenApiSpec({
    servers: [{ url: 'https://api.example.com/v1' }],
    paths: { '/pets/{petId}': { [method]: operation } },
    ...more,
  })
  const found = findOperation(spec, '/pets/{petId}', method)
  if (!found) throw new Error('The operation was not found')
  return new Map(createCodeSamples(createSampleRequest(found)).map(({ title, code }) => [title, code]))
}

test('example values follow the format, the name and the limits of a field', () => {
  const properties = {
    id: { type: 'string' },
    ownerId: { type: 'string' },
    email: { type: 'string' },
    website: { type: 'string', format: 'uri' },
    firstName: { type: 'string' },
    created_at: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    breed: { type: 'string' },
    code: { type: 'string', minLength: 16, maxLength: 20 },
    short: { type: 'string', maxLength: 3 },
    age: { type: 'integer' },
    price: { type: 'number' },
    rating: { type: 'integer', minimum: 3, maximum: 5 },
    even: { type: 'integer', exclusiveMinimum: 3, multipleOf: 2 },
    isDeleted: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    kind: { enum: ['cat', 'dog'] },
    color: { type: 'string', default: 'black' },
    nickname: { type: 'string', examples: ['Tom'] },
  }
  expect(createExample(empty, { title: 'Pet', type: 'object', properties }, 'response')).toEqual({
    id: 'pet_123',
    ownerId: 'owner_123',
    email: 'ada@example.com',
    website: 'https://example.com',
    firstName: 'Ada',
    created_at: '2026-01-31T12:00:00.000Z',
    name: 'Example pet',
    description: 'A short description',
    breed: 'Example breed',
    code: 'Example codexxxx',
    short: 'Exa',
    age: 36,
    price: 19.99,
    rating: 3,
    even: 4,
    isDeleted: false,
    tags: ['Example tag'],
    kind: 'cat',
    color: 'black',
    nickname: 'Tom',
  })
})

test('examples contain the fields that requests and responses have', () => {
  const schema = {
    required: ['name', 'password'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string', example: 'Tom' },
      password: { type: 'string', writeOnly: true, example: 'secret' },
      note: { type: 'string' },
      old: { type: 'string', deprecated: true },
    },
  }
  expect(createExample(empty, schema, 'request')).toEqual({ name: 'Tom', password: 'secret' })
  expect(createExample(empty, schema, 'response', 'pet')).toEqual({ id: 'pet_123', name: 'Tom', note: 'Hello, world' })
})

test('prints a request in eight languages', () => {
  const samples = createSamples(
    'post',
    {
      security: [{ bearer: [] }],
      parameters: [
        { name: 'petId', in: 'path', schema: { type: 'string' } },
        { name: 'tags', in: 'query', required: true, example: ['a', 'b'] },
        { name: 'X-Trace', in: 'header', required: true, example: 'abc' },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { example: { name: 'Tom', age: 3, isCat: true, owner: null } } },
      },
    },
    { components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } },
  )
  expect([...samples.keys()]).toEqual(['curl', 'JavaScript', 'Python', 'Go', 'Java', 'C#', 'PHP', 'Ruby'])
  const url = 'https://api.example.com/v1/pets/pet_123?tags=a&tags=b'
  for (const code of samples.values()) {
    expect(code).toContain(url)
    expect(code).toContain('X-Trace')
    expect(code).toMatch(/TOKEN/)
    expect(code).toContain('Tom')
  }
  expect(samples.get('curl')).toBe(`curl -X POST "${url}" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "X-Trace: abc" \\
  -H "Content-Type: application/json" \\
  -d '{
  "name": "Tom",
  "age": 3,
  "isCat": true,
  "owner": null
}'`)
  expect(samples.get('Python')).toMatch(/"isCat": True,\s+"owner": None/)
  expect(samples.get('PHP')).toMatch(/'isCat' => true,\s+'owner' => null/)
  expect(samples.get('Ruby')).toMatch(/"isCat" => true,\s+"owner" => nil/)
})

/** A text with the characters that are special in the languages. */
const hostile = `a'b"c\`d$e\${f}g#{h}{i}\\n\\u0041%s $(rm -rf) !x """ '''\n\tend </script> \u2028 ü 😀`

const hostileOperation = {
  parameters: [
    { name: 'petId', in: 'path', example: hostile },
    { name: 'q', in: 'query', required: true, example: hostile },
    { name: 'X-Text', in: 'header', required: true, example: hostile },
  ],
  requestBody: { required: true, content: { 'application/json': { example: { [hostile]: [hostile] } } } },
}

const hostileUrl = `https://api.example.com/v1/pets/${encodeURIComponent(hostile)}?q=${encodeURIComponent(hostile)}`

test('a shell passes texts with special characters to curl as they are', () => {
  const code = createSamples('put', hostileOperation).get('curl') ?? ''
  const program = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${code}`
  const output = execFileSync('/bin/sh', ['-c', program], { encoding: 'utf8' }).split('\0')
  expect(output).toContain(hostileUrl)
  expect(output).toContain(`X-Text: ${hostile}`)
  expect(JSON.parse(output.at(-2) ?? '')).toEqual({ [hostile]: [hostile] })
})

test('JavaScript sends texts with special characters as they are', async () => {
  const code = createSamples('put', hostileOperation).get('JavaScript') ?? ''
  const calls: { url: string; options: { headers: Record<string, string>; body: string } }[] = []
  const fetch = async (url: string, options: { headers: Record<string, string>; body: string }) => {
    calls.push({ url, options })
    return { status: 200, text: async () => '' }
  }
  await runInNewContext(`(async () => {${code}})()`, { fetch, console: { log() {} }, JSON })
  expect(calls[0]?.url).toBe(hostileUrl)
  expect(calls[0]?.options.headers['X-Text']).toBe(hostile)
  expect(JSON.parse(calls[0]?.options.body ?? '')).toEqual({ [hostile]: [hostile] })
})

/** A stub of the library, which prints what would be sent. */
const pythonStub = `import json as encoder, sys, types
stub = types.ModuleType("requests")
def put(url, headers, json):
    print(encoder.dumps([url, headers["X-Text"], json]))
    sys.exit()
stub.put = put
sys.modules["requests"] = stub
`

test.skipIf(spawnSync('python3', ['--version']).status !== 0)(
  'Python sends texts with special characters as they are',
  () => {
    const code = createSamples('put', hostileOperation).get('Python') ?? ''
    const output = execFileSync('python3', ['-'], { input: pythonStub + code, encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual([hostileUrl, hostile, { [hostile]: [hostile] }])
  },
)

test('languages with the escapes of JSON contain texts in these escapes', () => {
  const samples = createSamples('put', hostileOperation)
  for (const title of ['Go', 'Java', 'C#']) expect(samples.get(title)).toContain(JSON.stringify(hostile))
  expect(samples.get('Ruby')).toContain(JSON.stringify(hostile).replaceAll('#', '\\#'))
  expect(samples.get('PHP')).toContain(hostile.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))
})

const samplesFor = (mediaType: string, content: object) =>
  createSamples('post', { requestBody: { required: true, content: { [mediaType]: content } } })

test('prints forms, multipart bodies and files', () => {
  const schema = {
    required: ['name', 'photo'],
    properties: { name: { type: 'string', example: 'a&b' }, photo: { type: 'string', format: 'binary' } },
  }
  const form = samplesFor('application/x-www-form-urlencoded', { example: { name: 'a&b' } })
  expect(form.get('curl')).toContain("--data-urlencode 'name=a&b'")
  expect(form.get('Go')).toContain('strings.NewReader("name=a%26b")')
  const multipart = samplesFor('multipart/form-data', { schema })
  expect(multipart.get('curl')).toContain("--form-string 'name=a&b' \\\n  -F 'photo=@file.bin'")
  expect(multipart.get('curl')).not.toContain('Content-Type')
  expect(multipart.get('JavaScript')).toContain("form.append('photo', await openAsBlob('file.bin'), 'file.bin')")
  expect(multipart.get('C#')).toContain('MultipartFormDataContent')
  const file = samplesFor('image/png', {})
  expect(file.get('curl')).toContain("--data-binary '@file.png'")
  expect(file.get('Python')).toContain('data=open("file.png", "rb")')
})

test('prints XML', () => {
  const schema = {
    title: 'Pet',
    required: ['name', 'tags'],
    properties: {
      name: { type: 'string', example: 'a<b & c' },
      tags: { type: 'array', items: { type: 'string' }, example: ['x', 'y'] },
    },
  }
  const requestBody = { required: true, content: { 'application/xml': { schema } } }
  expect(createSamples('post', { requestBody }).get('curl'))
    .toContain(`--data-raw '<?xml version="1.0" encoding="UTF-8"?>
<pet>
  <name>a&lt;b &amp; c</name>
  <tags>x</tags>
  <tags>y</tags>
</pet>'`)
})

const curlWith = (scheme: object) =>
  createSamples(
    'get',
    { security: [{ key: [] }] },
    { components: { securitySchemes: { key: { type: 'apiKey', name: 'key', ...scheme } } } },
  ).get('curl')

test('keys are sent in headers, query parameters and cookies', () => {
  expect(curlWith({ in: 'header' })).toContain('-H "key: $API_KEY"')
  expect(curlWith({ in: 'query' })).toContain('?key=$API_KEY"')
  expect(curlWith({ in: 'cookie' })).toContain('-H "Cookie: key=$API_KEY"')
  expect(curlWith({ type: 'http', scheme: 'basic' })).toContain('-H "Authorization: Basic $CREDENTIALS"')
})

test('code samples of the document replace generated ones in the same language', () => {
  const samples = createSamples('get', {
    'x-codeSamples': [
      { lang: 'Shell', source: 'pets get' },
      { lang: 'Kotlin', source: 'pets.get()' },
    ],
  })
  expect([...samples.keys()]).toEqual(['Shell', 'Kotlin', 'JavaScript', 'Python', 'Go', 'Java', 'C#', 'PHP', 'Ruby'])
  expect(samples.get('Shell')).toBe('pets get')
})

test('samples of a huge example are limited in size', () => {
  let deep: unknown = 'end'
  for (let depth = 0; depth < 5000; depth++) deep = { deep, more: [deep === 'end' ? 1 : 2] }
  const example = { deep, list: Array.from({ length: 100_000 }, () => 'x'.repeat(100)), text: 'y'.repeat(1_000_000) }
  const samples = createSamples('post', { requestBody: { content: { 'application/json': { example } } } })
  for (const code of samples.values()) expect(code.length).toBeLessThan(100_000)
})
