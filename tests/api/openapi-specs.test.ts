import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { hours, minutes } from '../../src/kernel/time.ts'
import { petSpec, putSpec, waitForSpec } from '../support/openapi.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'
import { serveWebsite } from '../support/website-server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const json = (value: unknown) => ({ text: JSON.stringify(value) })
const organization = () => ({ organizationId: octavo.admin.organizationId })
const at = (specSlug: string) => ({ ...organization(), specSlug })
const listVersionIds = async (slug: string): Promise<string[]> => {
  const { items } = await octavo.admin.api.listOpenApiSpecVersions({ params: at(slug) })
  return items.map(({ id }) => id)
}
const readDocument = async (slug: string) => {
  const { filesystem } = await octavo.admin.api.getLatestOpenApiSpecVersionContent({ params: at(slug) })
  return filesystem[0]?.specification
}

const put = (source: unknown) =>
  octavo.fetch(`/v1/orgs/${octavo.admin.organizationId}/openapi/put`, {
    method: 'PUT',
    token: octavo.admin.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source }),
  })

const create = () =>
  octavo.admin.api.createOpenApiSpec({ params: organization(), body: { slug: 'taken', source: json(petSpec()) } })

describe('specifications', () => {
  test('are created from text, processed, and read by slug and by ID', async () => {
    const { api } = octavo.admin
    const created = await api.createOpenApiSpec({
      params: organization(),
      body: { slug: 'created', source: json(petSpec()) },
    })
    expect(created).toMatchObject({
      object: 'openapi-spec',
      slug: 'created',
      processingState: 'pending',
      visibility: 'private',
      lastProcessedErrorCount: 0,
      permissions: { view: true, edit: true },
    })
    expect([created.sourceURL, created.lastVersion, created.urls.published]).toEqual([undefined, undefined, undefined])
    const processed = await waitForSpec(octavo.admin, 'created')
    expect(processed).toMatchObject({ id: created.id, lastVersion: expect.any(String), lastProcessedErrorCount: 0 })
    expect(processed.lastProcessErrorCode).toBeUndefined()
    expect(await api.getOpenApiSpecBySlug({ params: at(created.id) })).toEqual(processed)
    expect(await readDocument('created')).toEqual(petSpec())
  })

  test('PUT returns 201 when it creates and 200 when it replaces', async () => {
    const created = await put(json(petSpec()))
    const { id, urls } = (await created.json()) as { id: string; urls: { location: string } }
    expect([created.status, created.headers.get('location')]).toEqual([201, urls.location])
    const replaced = await put(json(petSpec('Other')))
    expect([replaced.status, ((await replaced.json()) as { id: string }).id]).toEqual([200, id])
    await waitUntil(async () => (await readDocument('put').catch(() => undefined))?.['info'] !== undefined, 'a version')
  })

  test('have different slugs', async () => {
    await create()
    await expect(create()).rejects.toMatchObject({ status: 409, message: expect.stringContaining('taken') })
  })

  test('are listed by slug, with cursors', async () => {
    const own = await serverForTest()
    const { api, organizationId } = own.admin
    const params = { organizationId }
    for (const slug of ['b', 'c', 'a'])
      await api.createOpenApiSpec({ params, body: { slug, source: json(petSpec(slug)) } })
    const first = await api.listOpenApiSpecs({ params, query: { limit: '2' } })
    const second = await api.listOpenApiSpecs({ params, query: { limit: '2', page: first.next?.page ?? '' } })
    expect([...first.items, ...second.items].map(({ slug }) => slug)).toEqual(['a', 'b', 'c'])
    expect([first.count, second.next]).toEqual([3, undefined])
  })

  test.each([
    ['Upper', json({})],
    ['a--b', json({})],
    ['-a', json({})],
    ['a'.repeat(101), json({})],
    ['both', { text: 'a', url: 'https://example.com/' }],
    ['none', {}],
    ['empty', { text: '' }],
    ['ftp', { url: 'ftp://example.com/openapi.json' }],
    ['long', { url: `https://example.com/${'a'.repeat(2048)}` }],
  ])('the slug or source of %s is refused', async (slug, source) => {
    const body = { slug, source: source as { text: string } }
    const { api } = octavo.admin
    await expect(api.createOpenApiSpec({ params: organization(), body })).rejects.toMatchObject({ status: 400 })
    await expect(
      api.createOrUpdateOpenApiSpecBySlug({ params: at(slug), body: { source: body.source } }),
    ).rejects.toMatchObject({ status: 400 })
    expect(await refusal(api.getOpenApiSpecBySlug({ params: at(slug) }))).toBe('404')
  })

  test('a text of more than 8 MB is refused', async () => {
    const source = { text: `{"openapi": "3.1.0", "x": "${'a'.repeat(9 * 1024 ** 2)}"}` }
    const body = { slug: 'huge', source }
    await expect(octavo.admin.api.createOpenApiSpec({ params: organization(), body })).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('8388608 bytes'),
    })
  })

  test('are deleted with their versions, more than once', async () => {
    const { api } = octavo.admin
    await putSpec(octavo.admin, 'deleted', json(petSpec()))
    await api.deleteOpenApiSpecBySlug({ params: at('deleted') })
    await api.deleteOpenApiSpecBySlug({ params: at('deleted') })
    expect(await refusal(api.getOpenApiSpecBySlug({ params: at('deleted') }))).toBe('404')
    expect(await refusal(api.listOpenApiSpecVersions({ params: at('deleted') }))).toBe('404')
    await putSpec(octavo.admin, 'deleted', json(petSpec('Again')))
    expect(await listVersionIds('deleted')).toHaveLength(1)
  })
})

describe('versions', () => {
  test('are added when the source changes, and only then', async () => {
    const { api } = octavo.admin
    const first = await putSpec(octavo.admin, 'versions', json(petSpec('One')))
    const again = await putSpec(octavo.admin, 'versions', json(petSpec('One')))
    expect(again.lastVersion).toBe(first.lastVersion)
    const second = await putSpec(octavo.admin, 'versions', { text: stringify(petSpec('Two')) })
    expect(await listVersionIds('versions')).toEqual([second.lastVersion, first.lastVersion])
    const latest = await api.getLatestOpenApiSpecVersion({ params: at('versions') })
    expect(latest).toMatchObject({ object: 'openapi-spec-version', id: second.lastVersion })
    const params = { ...at('versions'), versionId: first.lastVersion ?? '' }
    expect((await api.getOpenApiSpecVersionById({ params })).id).toBe(first.lastVersion)
    const old = await api.getOpenApiSpecVersionContentById({ params })
    expect(old.filesystem).toEqual([
      { dir: './', filename: 'openapi.json', isEntrypoint: true, references: [], specification: petSpec('One') },
    ])
    expect(await readDocument('versions')).toEqual(petSpec('Two'))
    expect(await api.getLatestOpenApiSpecVersionContentRaw({ params: at('versions') })).toEqual({
      text: stringify(petSpec('Two')),
      format: 'yaml',
    })
  })

  test('do not exist before the first processing', async () => {
    const { api } = octavo.admin
    await putSpec(octavo.admin, 'broken', { text: 'openapi: 3.1.0\ninfo: [' })
    const params = at('broken')
    const calls: Promise<unknown>[] = [
      api.getLatestOpenApiSpecVersion({ params }),
      api.getLatestOpenApiSpecVersionContent({ params }),
      api.getLatestOpenApiSpecVersionContentRaw({ params }),
      api.getOpenApiSpecVersionById({ params: { ...params, versionId: 'none' } }),
    ]
    expect(await Promise.all(calls.map((call) => refusal(call)))).toEqual(['404', '404', '404', '404'])
    expect(await listVersionIds('broken')).toEqual([])
  })

  test('of a failed source do not replace the latest one', async () => {
    const good = await putSpec(octavo.admin, 'kept', json(petSpec()))
    const bad = await putSpec(octavo.admin, 'kept', { text: 'openapi: 3.1.0\ninfo:\n  title: A\npaths:\n  pets: {}\n' })
    expect(bad).toMatchObject({
      lastVersion: good.lastVersion,
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrorCount: 1,
      lastProcessedErrors: [{ code: 'PARSE_ERROR', message: 'line 5, /paths/pets: A path must begin with "/"' }],
    })
    expect(await readDocument('kept')).toEqual(petSpec())
    const repaired = await putSpec(octavo.admin, 'kept', json(petSpec()))
    expect(repaired).toMatchObject({ lastVersion: good.lastVersion, lastProcessedErrorCount: 0 })
    expect(repaired.lastProcessErrorCode).toBeUndefined()
  })
})

test('processing ends with an error if its job was given up', async () => {
  const own = await serverForTest()
  const { lastVersion, id } = await putSpec(own.admin, 'lost', json(petSpec()))
  const { database } = own.server.app
  await database.transaction((db) =>
    db.updateTable('openapi_specs').set({ state: 'progress' }).where('id', '=', id).execute(),
  )
  own.clock.advance(minutes(6))
  const ended = await waitForSpec(own.admin, 'lost')
  expect(ended).toMatchObject({
    lastVersion,
    lastProcessErrorCode: 'PARSE_ERROR',
    lastProcessedErrors: [{ message: expect.stringContaining('interrupted too many times') }],
  })
  expect(await putSpec(own.admin, 'lost', json(petSpec()))).toMatchObject({ lastVersion, lastProcessedErrorCount: 0 })
})

describe('private addresses', () => {
  test('are neither fetched as a source nor through a reference', async () => {
    const own = await serverForTest()
    const website = await serveWebsite({ '/openapi.json': JSON.stringify(petSpec()) })
    const url = `${website.url}/openapi.json`
    const direct = await putSpec(own.admin, 'direct', { url })
    expect(direct).toMatchObject({ lastProcessErrorCode: 'FETCH_ERROR', sourceURL: url })
    expect(direct.lastProcessedErrors?.[0]?.message).toContain('private address')
    const refers = petSpec('Refers', { components: { schemas: { A: { $ref: `${url}#/info` } } } })
    const indirect = await putSpec(own.admin, 'indirect', json(refers))
    expect(indirect.lastProcessErrorCode).toBe('FETCH_ERROR')
    expect(indirect.lastProcessedErrors?.[0]?.message).toMatch(
      /^line 1, \/components\/schemas\/A: http:.*private address/,
    )
    expect(website.requestedPaths).toEqual([])
  })
})

describe('sources on other servers', () => {
  test('are bundled and fetched again every six hours and on demand', async () => {
    let title = 'One'
    const website = await serveWebsite({
      '/api/openapi.yaml': () => stringify(petSpec(title, { components: { schemas: { Pet: { $ref: 'pet.json' } } } })),
      '/api/pet.json': '{"type": "object"}',
    })
    const source = { url: `${website.url}/api/openapi.yaml` }
    const first = await putSpec(octavo.admin, 'fetched', source)
    expect(first).toMatchObject({ sourceURL: source.url, lastVersion: expect.any(String) })
    expect(await readDocument('fetched')).toEqual(
      petSpec('One', { components: { schemas: { Pet: { type: 'object' } } } }),
    )
    title = 'Two'
    const second = await putSpec(octavo.admin, 'fetched', source)
    expect(second.lastVersion).not.toBe(first.lastVersion)
    octavo.clock.advance(hours(7))
    const unchanged = await waitForSpec(octavo.admin, 'fetched', second.lastProcessedAt)
    expect(unchanged).toMatchObject({ lastVersion: second.lastVersion, updatedAt: second.updatedAt })
    title = 'Three'
    octavo.clock.advance(hours(7))
    const third = await waitForSpec(octavo.admin, 'fetched', unchanged.lastProcessedAt)
    expect(await listVersionIds('fetched')).toEqual([third.lastVersion, second.lastVersion, first.lastVersion])
    expect(website.requestedPaths).toHaveLength(8)
  })

  test.each([
    ['missing', { status: 404 }, 'The URL returned the status 404'],
    ['large', { headers: { 'content-length': String(50 * 1024 ** 2) }, body: '{' }, 'The file is larger than 16 MB'],
  ])('a %s file is an error', async (slug, reply, message) => {
    const website = await serveWebsite({ '/openapi.json': reply })
    const spec = await putSpec(octavo.admin, slug, { url: `${website.url}/openapi.json` })
    expect(spec).toMatchObject({ lastProcessErrorCode: 'FETCH_ERROR', lastProcessedErrors: [{ message }] })
  })
})

describe('visibility', () => {
  test('a public specification can be downloaded without a token, a private one cannot', async () => {
    const { api } = octavo.admin
    const spec = await putSpec(octavo.admin, 'shown', json(petSpec('Shown')))
    const path = `/openapi/${octavo.admin.organizationId}/shown.json`
    expect((await octavo.fetch(path)).status).toBe(404)
    const shown = await api.updateOpenApiSpecBySlug({ params: at('shown'), body: { visibility: 'public' } })
    expect(shown).toMatchObject({ visibility: 'public', urls: { published: `${octavo.url}${path}` } })
    const reply = await octavo.fetch(path)
    expect([reply.status, reply.headers.get('content-type'), await reply.json()]).toEqual([
      200,
      'application/json',
      petSpec('Shown'),
    ])
    const etag = reply.headers.get('etag') ?? ''
    expect((await octavo.fetch(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const content = await api.getLatestOpenApiSpecVersionContent({ params: at('shown') })
    expect(content.urls.public).toBe(shown.urls.published)
    for (const other of [`${spec.id}.json`, 'shown', 'none.json', 'created.json'])
      expect((await octavo.fetch(`/openapi/${octavo.admin.organizationId}/${other}`)).status).toBe(404)
    await api.updateOpenApiSpecBySlug({ params: at('shown'), body: { visibility: 'private' } })
    expect((await octavo.fetch(path)).status).toBe(404)
    expect((await api.getLatestOpenApiSpecVersionContent({ params: at('shown') })).urls.public).toBeNull()
  })

  test('readers can read but not change specifications; other organizations and guests see nothing', async () => {
    await putSpec(octavo.admin, 'guarded', json(petSpec()))
    const params = at('guarded')
    const reader = await octavo.member('read', 'Reader')
    expect(await reader.api.getOpenApiSpecBySlug({ params })).toMatchObject({
      permissions: { view: true, edit: false },
    })
    expect(await refusal(reader.api.updateOpenApiSpecBySlug({ params, body: { visibility: 'public' } }))).toBe('403')
    expect(await refusal(reader.api.deleteOpenApiSpecBySlug({ params }))).toBe('403')
    const guest = await octavo.member(null, 'Guest')
    expect(await refusal(guest.api.getOpenApiSpecBySlug({ params }))).toBe('403')
    const stranger = await octavo.person('Stranger')
    const { id } = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
    const theirs = { organizationId: id, specSlug: 'guarded' }
    expect(await refusal(stranger.api.getOpenApiSpecBySlug({ params }))).toBe('404')
    expect(await refusal(stranger.api.getOpenApiSpecBySlug({ params: theirs }))).toBe('404')
    await stranger.api.createOrUpdateOpenApiSpecBySlug({ params: theirs, body: { source: json(petSpec('Theirs')) } })
    expect(await readDocument('guarded')).toEqual(petSpec())
  })
})
