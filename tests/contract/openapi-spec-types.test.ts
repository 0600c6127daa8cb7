import { GitBookAPI, OpenAPISpecVisibility } from '@gitbook/api'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import { openApiSpecs } from '../../src/contract/openapi-specs.ts'
import type { ReplyOf } from '../../src/contract/operation.ts'
import { petSpec, waitForSpec } from '../support/openapi.ts'
import { OfficialSchemas } from '../support/official-schemas.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Calls all operations on OpenAPI specifications with the published client and validates the replies.

let octavo: TestServer
let client: GitBookAPI
beforeAll(async () => {
  octavo = await startTestServer()
  client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
})
afterAll(() => octavo.stop())

type Official = GitBookAPI['orgs']
type Shared = keyof typeof openApiSpecs & keyof Official

/** Replaces enums by their values and treats absent and undefined fields alike. */
type Plain<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in keyof T as Exclude<Key, 'filesystem'>]: Plain<Exclude<T[Key], undefined>> }
      : T

type OfficialReply<Name extends Shared> = Official[Name] extends (...request: never[]) => Promise<{ data: infer Data }>
  ? Data
  : never

type Differing = {
  [Name in Shared]: [Plain<ReplyOf<Api[Name]>>] extends [Plain<OfficialReply<Name>>] ? never : Name
}[Shared]

/** Operation that the official client does not have. */
const notInClient = 'listOpenApiSpecBacklinks'

test('the official client has all other operations, with assignable replies', () => {
  expectTypeOf<Exclude<keyof typeof openApiSpecs, Shared | typeof notInClient>>().toBeNever()
  expectTypeOf<Exclude<Differing, `delete${string}`>>().toBeNever()
})

test('all replies match the schemas of the public API', async () => {
  const schemas = new OfficialSchemas()
  const called = new Set<string>()
  /** Validates the reply of an operation and returns it. */
  async function check<Data>(
    name: keyof typeof openApiSpecs,
    call: Promise<{ data: Data }>,
    status = 200,
  ): Promise<Data> {
    const { data } = await call
    called.add(name)
    const problems = schemas.problemsOf(name.replace('OpenApi', 'OpenAPI'), status, data)
    // The schema declares `filesystem` as an object, but the readers of the public API expect a list of files.
    expect([name, problems]).toEqual([
      name,
      name.endsWith('Content') || name.endsWith('ContentById') ? ['/filesystem: must be object {"type":"object"}'] : [],
    ])
    return data
  }
  const { orgs } = client
  const org = octavo.admin.organizationId
  const source = { text: JSON.stringify(petSpec()) }
  await check('createOpenApiSpec', orgs.createOpenApiSpec(org, { slug: 'pets', source }), 201)
  const put = orgs.createOrUpdateOpenApiSpecBySlug(org, 'shops', { source: { text: 'openapi: [' } })
  await check('createOrUpdateOpenApiSpecBySlug', put, 201)
  await check('createOrUpdateOpenApiSpecBySlug', orgs.createOrUpdateOpenApiSpecBySlug(org, 'pets', { source }))
  const { lastVersion = '' } = await waitForSpec(octavo.admin, 'pets')
  expect((await waitForSpec(octavo.admin, 'shops')).lastProcessErrorCode).toBe('PARSE_ERROR')
  await check(
    'updateOpenApiSpecBySlug',
    orgs.updateOpenApiSpecBySlug(org, 'pets', { visibility: OpenAPISpecVisibility.Public }),
  )
  const list = await check('listOpenApiSpecs', orgs.listOpenApiSpecs(org, { limit: 10 }))
  expect(list.items.map(({ slug }) => slug)).toEqual(['pets', 'shops'])
  await check('getOpenApiSpecBySlug', orgs.getOpenApiSpecBySlug(org, 'pets'))
  await check('listOpenApiSpecVersions', orgs.listOpenApiSpecVersions(org, 'pets'))
  await check('getLatestOpenApiSpecVersion', orgs.getLatestOpenApiSpecVersion(org, 'pets'))
  await check('getLatestOpenApiSpecVersionContent', orgs.getLatestOpenApiSpecVersionContent(org, 'pets'))
  const raw = await check(
    'getLatestOpenApiSpecVersionContentRaw',
    orgs.getLatestOpenApiSpecVersionContentRaw(org, 'pets'),
  )
  expect(raw).toEqual({ text: source.text, format: 'json' })
  await check('getOpenApiSpecVersionById', orgs.getOpenApiSpecVersionById(org, 'pets', lastVersion))
  await check('getOpenApiSpecVersionContentById', orgs.getOpenApiSpecVersionContentById(org, 'pets', lastVersion))
  await orgs.deleteOpenApiSpecBySlug(org, 'pets')
  called.add('deleteOpenApiSpecBySlug')
  await expect(orgs.getOpenApiSpecBySlug(org, 'pets')).rejects.toMatchObject({ code: 404 })
  expect([...called, notInClient].sort()).toEqual(Object.keys(openApiSpecs).sort())
})
