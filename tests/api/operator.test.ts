import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFailedJob } from '../support/jobs.ts'
import { readAllPages } from '../support/lists.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, engine, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

test('the administrator of the first start operates the server, and other administrators do not', async () => {
  const { api } = octavo.admin
  expect(await api.getAuthenticatedUser()).toMatchObject({ operator: true })
  expect(await api.getInstance()).toMatchObject({
    checks: { database: 'ok', files: 'ok' },
    database: { engine },
  })
  const other = await octavo.member('admin')
  expect(await other.api.getAuthenticatedUser()).not.toHaveProperty('operator')
  const jobId = await insertFailedJob(octavo, 'spaces.purge', 9)
  expect(await refusal(other.api.getInstance())).toBe('403')
  expect(await refusal(other.api.listJobs())).toBe('403')
  expect(await refusal(other.api.retryJob({ params: { jobId } }))).toBe('403')
  const scoped = await api.createToken({ body: { label: 'Scoped', scopes: ['organization:read'] } })
  expect((await octavo.fetch('/v1/operator/instance', { token: scoped.token })).status).toBe(403)
})

test('failed jobs are listed with their errors and run again', async () => {
  const { api } = octavo.admin
  const ids = [await insertFailedJob(octavo, 'spaces.purge', 1), await insertFailedJob(octavo, 'unknown.job', 2)]
  const failed = await readAllPages((page) =>
    api.listJobs({ query: { state: 'failed', limit: 1, ...(page !== undefined && { page }) } }),
  )
  expect(failed.flat().map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect(failed.flat().find(({ id }) => id === ids[0])).toMatchObject({ error: 'The disk is full', attempts: 5 })
  // No worker has this kind, so that the job remains in the queue.
  const [, jobId = ''] = ids
  expect(await api.retryJob({ params: { jobId } })).toMatchObject({ state: 'queued', attempts: 0 })
  expect(await refusal(api.retryJob({ params: { jobId } }))).toBe('409')
  expect(await refusal(api.retryJob({ params: { jobId: 'absent' } }))).toBe('404')
})

test('deleted spaces are listed until they are restored or removed permanently', async () => {
  const { api, organizationId } = octavo.admin
  const params = { organizationId }
  const space = await api.createSpace({ params, body: { title: 'Old' } })
  await api.deleteSpaceById({ params: { spaceId: space.id } })
  const { items } = await api.listDeletedSpaces({ params, query: {} })
  expect(items).toMatchObject([{ space: { id: space.id, title: 'Old' } }])
  const [deleted] = items
  expect(Date.parse(deleted?.purgeAt ?? '') - Date.parse(deleted?.deletedAt ?? '')).toBe(7 * 24 * 3600_000)
  await api.restoreSpace({ params: { spaceId: space.id } })
  expect((await api.listDeletedSpaces({ params, query: {} })).count).toBe(0)
  await api.deleteSpaceById({ params: { spaceId: space.id } })
  octavo.clock.advance(8 * 24 * 3600_000)
  expect((await api.listDeletedSpaces({ params, query: {} })).items).toEqual([])
})
