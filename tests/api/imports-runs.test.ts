import { afterAll, beforeAll, expect, test } from 'vitest'
import { days, hours } from '../../src/kernel/time.ts'
import { emptySpace, propose } from '../support/content.ts'
import { makeGate } from '../support/gate.ts'
import { readLiveOutline, startImport, webPage, withLoopback } from '../support/imports.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'
import { serveWebsite } from '../support/website-server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer(withLoopback)
})
afterAll(() => octavo.stop())

const list = '<ul><li><a href="/">Home</a></li><li><a href="/slow">Slow</a></li><li><a href="/late">Late</a></li></ul>'

const website = (url: string) => ({ type: 'website' as const, url })

/** Serves a website that holds back one of its pages until `go` is called. */
async function serveSlowly() {
  const gate = makeGate()
  const served = await serveWebsite({
    '/': webPage('Home', '<p>Here</p>', list),
    '/slow': async () => {
      await gate.passed
      return webPage('Slow', '<p>At last</p>', list)
    },
    '/late': webPage('Late', '<p>Late</p>', list),
  })
  return { ...served, go: gate.open }
}

test('reports the progress of a running import, and adds the pages only when it is completed', async () => {
  const { url, go } = await serveSlowly()
  const spaceId = await emptySpace(octavo.admin)
  const run = await startImport(octavo.admin, website(url), { space: spaceId })
  const midway = await waitUntil(async () => {
    const seen = await run.get()
    return (seen.pages ?? []).length === 2 && seen
  }, 'two pages are read')
  expect(midway).toMatchObject({ status: 'in-progress', totalResources: 3, startedAt: expect.any(String) })
  expect(midway.importedResources).toBeLessThan(3)
  expect(midway.pages).toContainEqual({ sourceURL: `${url}/`, title: 'Home', type: 'page', status: 'pending' })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('')
  go()
  expect(await run.waitForEnd()).toMatchObject({
    status: 'completed',
    importedResources: 3,
    completedAt: expect.any(String),
  })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('Home, Slow, Late')
})

test('a canceled run adds no pages, and a completed run cannot be canceled', async () => {
  const { api } = octavo.admin
  const { url, requestedPaths, go } = await serveSlowly()
  const spaceId = await emptySpace(octavo.admin)
  const run = await startImport(octavo.admin, website(url), { space: spaceId })
  await waitUntil(async () => requestedPaths.includes('/slow'), 'the slow page is asked for')
  expect(await api.cancelImportRun({ params: run.params })).toMatchObject({ id: run.id, status: 'cancelled' })
  expect(await api.cancelImportRun({ params: run.params })).toMatchObject({ status: 'cancelled' })
  const jobOf = (id: string) =>
    octavo.server.app.database.reader.selectFrom('jobs').select('state').where('key', '=', id).executeTakeFirst()
  await waitUntil(async () => (await jobOf(run.id))?.state === 'done', 'the job has noticed')
  go()
  expect(await run.get()).toMatchObject({ status: 'cancelled' })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('')

  const { url: quick } = await serveWebsite({ '/': webPage('Quick', '<p>Here</p>') })
  const other = await startImport(octavo.admin, website(quick), { space: spaceId })
  await other.waitForEnd()
  expect(await refusal(api.cancelImportRun({ params: other.params }))).toBe('400')
  expect(await other.get()).toMatchObject({ status: 'completed' })
})

test('with Prefer: wait=0 the reply contains the progress and the URL of the run', async () => {
  const { url, go } = await serveSlowly()
  const spaceId = await emptySpace(octavo.admin)
  const send = (headers: Record<string, string>) =>
    octavo.fetch(`/v1/spaces/${spaceId}/content/import`, {
      method: 'POST',
      token: octavo.admin.token,
      headers: { 'idempotency-key': `once ${spaceId}`, ...headers },
      body: JSON.stringify({ url, source: 'website' }),
    })
  const early = await send({ prefer: 'wait=0' })
  const { id } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  expect(early.status).toBe(201)
  const told = (await early.json()) as { revision: string; importedResources: number; totalResources: number }
  expect(told.revision).toBe(id)
  expect(told.importedResources).toBeLessThan(told.totalResources)
  const location = new URL(early.headers.get('location') ?? '').pathname
  expect(await (await octavo.fetch(location, { token: octavo.admin.token })).json()).toMatchObject({
    source: { type: 'website', url },
    target: { space: spaceId },
  })

  // The repeated request with the same idempotency key waits for the same run.
  const again = send({ prefer: 'wait=30' })
  go()
  const late = await again
  expect(late.headers.get('idempotent-replayed')).toBe('true')
  const after = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  expect(await late.json()).toEqual({ revision: after.id, importedResources: 3, totalResources: 3 })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('Home, Slow, Late')
})

test('starting and canceling imports requires edit access, and reading runs requires access to the target', async () => {
  const { admin } = octavo
  const { url } = await serveWebsite({ '/': webPage('Home', '<p>Here</p>') })
  const spaceId = await emptySpace(admin)
  const { organizationId } = admin
  const source = website(url)
  const run = await startImport(admin, source, { space: spaceId })
  await run.waitForEnd()

  const [reader, writer, guest] = [
    await octavo.member('comment'),
    await octavo.member('edit'),
    await octavo.member(null),
  ]
  const start = (person: typeof reader, target = { space: spaceId }) =>
    refusal(person.api.startImportRun({ params: { organizationId }, body: { source, target } }))
  expect(await start(reader)).toBe('403')
  expect(await refusal(reader.api.cancelImportRun({ params: run.params }))).toBe('403')
  expect(await refusal(reader.api.importContent({ params: { spaceId }, body: { url, source: 'website' } }))).toBe('403')
  expect(await reader.api.getImportRun({ params: run.params })).toMatchObject({ id: run.id })
  expect(await start(writer)).toBe('was not refused')

  expect(await start(guest)).toBe('404 body.target.space')
  expect(await refusal(guest.api.getImportRun({ params: run.params }))).toBe('404')
  expect(await refusal(guest.api.cancelImportRun({ params: run.params }))).toBe('404')
  expect((await guest.api.listImportRuns({ params: { organizationId } })).count).toBe(0)

  const stranger = await octavo.person()
  const foreign = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
  const elsewhere = { ...run.params, organizationId: foreign.id }
  expect(await refusal(stranger.api.getImportRun({ params: run.params }))).toBe('404')
  expect(await refusal(stranger.api.getImportRun({ params: elsewhere }))).toBe('404')
  expect(await refusal(stranger.api.cancelImportRun({ params: elsewhere }))).toBe('404')
  const other = await stranger.api.createSpace({ params: { organizationId: foreign.id }, body: { title: 'Own' } })
  expect(await start(admin, { space: other.id })).toBe('404 body.target.space')
})

test('a locked space accepts imports only into change requests, even if it is locked during the import', async () => {
  const { api, organizationId } = octavo.admin
  const { url, requestedPaths, go } = await serveSlowly()
  const spaceId = await emptySpace(octavo.admin)
  const source = website(url)
  const run = await startImport(octavo.admin, source, { space: spaceId })
  await waitUntil(async () => requestedPaths.includes('/slow'), 'the slow page is asked for')
  await api.updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
  go()
  expect(await run.waitForEnd()).toMatchObject({
    status: 'failed',
    reason: 'The space is locked. Import into a change request instead',
  })
  expect(await refusal(api.importContent({ params: { spaceId }, body: { url, source: 'website' } }))).toBe('409')
  const proposal = await propose(octavo.admin, spaceId)
  await api.updateChangeRequestById({ params: proposal.params, body: { status: 'archived' } })
  const start = (target: Record<string, string>) =>
    refusal(api.startImportRun({ params: { organizationId }, body: { source, target: { space: spaceId, ...target } } }))
  expect(await start({ changeRequest: proposal.id })).toBe('409')
  expect(await start({ changeRequest: 'unknown' })).toBe('404')
  await api.updateChangeRequestById({ params: proposal.params, body: { status: 'draft' } })
  expect(await start({ changeRequest: proposal.id, page: 'unknown' })).toBe('404 body.target.page')
  expect(await start({ changeRequest: proposal.id })).toBe('was not refused')
})

test('lists runs by space, change request and status, newest first', async () => {
  const { api, organizationId } = octavo.admin
  const { url } = await serveWebsite({ '/': webPage('Home', '<p>Here</p>') })
  const slow = await serveSlowly()
  const spaceId = await emptySpace(octavo.admin)
  const proposal = await propose(octavo.admin, spaceId)
  const done = await startImport(octavo.admin, website(url), { space: spaceId })
  await done.waitForEnd()
  const failed = await startImport(octavo.admin, website(`${url}/missing`), { space: spaceId })
  await failed.waitForEnd()
  const active = await startImport(octavo.admin, website(slow.url), { space: spaceId, changeRequest: proposal.id })
  const ids = async (query: Record<string, string>) => {
    const page = await api.listImportRuns({ params: { organizationId }, query: { space: spaceId, ...query } })
    expect(page.count).toBe(page.items.length)
    return page.items.map(({ id }) => id)
  }
  expect(await ids({})).toEqual([active.id, failed.id, done.id])
  expect(await ids({ status: 'active' })).toEqual([active.id])
  expect(await ids({ status: 'failed' })).toEqual([failed.id])
  expect(await ids({ changeRequest: proposal.id })).toEqual([active.id])
  expect(await ids({ space: 'unknown' })).toEqual([])
  const first = await api.listImportRuns({ params: { organizationId }, query: { space: spaceId, limit: '2' } })
  expect(first.items.map(({ pages, warnings }) => [pages, warnings])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])
  const rest = await api.listImportRuns({
    params: { organizationId },
    query: { space: spaceId, limit: '2', page: first.next?.page },
  })
  expect([rest.items.map(({ id }) => id), rest.next]).toEqual([[done.id], undefined])
  slow.go()
  await active.waitForEnd()
})

test('deletes runs after 90 days, and marks a run as failed when its job is given up', async () => {
  const own = await serverForTest(withLoopback)
  const { api, organizationId, spaceId } = own.admin
  const { url } = await serveWebsite({ '/': webPage('Home', '<p>Here</p>') })
  const source = website(url)
  const old = await startImport(own.admin, source, { space: spaceId })
  await old.waitForEnd()
  own.clock.advance(days(89))
  const lost = await startImport(own.admin, website((await serveSlowly()).url), { space: spaceId })
  await own.server.app.database.transaction((db) =>
    db.updateTable('jobs').set({ state: 'dead' }).where('key', '=', lost.id).execute(),
  )
  own.clock.advance(hours(2))
  expect(await lost.waitForEnd()).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('interrupted too many times'),
  })
  expect(await old.get()).toMatchObject({ status: 'completed' })
  own.clock.advance(days(2))
  await waitUntil(async () => (await refusal(old.get())) === '404', 'the old run is removed')
  expect((await api.listImportRuns({ params: { organizationId } })).items.map(({ id }) => id)).toEqual([lost.id])
})
