import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { days, hours } from '../../src/kernel/time.ts'
import { storageUsage } from '../../src/storage/migrations/009-storage-usage.ts'
import { findStorageUsage } from '../../src/storage/storage-usage.ts'
import { addFiles, inlineFile, startUpload, upload } from '../support/files.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest } from '../support/server.ts'
import { advanceClock } from '../support/sweep.ts'

const usageOf = ({ server }: TestServer, organizationId: string) =>
  findStorageUsage(server.app.database.reader, organizationId)

/** Returns the usage computed from all charged blobs. */
async function countedUsage({ server }: TestServer, organizationId: string): Promise<number> {
  const db = server.app.database.reader
  const charged = await db
    .selectFrom('organization_blobs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute()
  return charged.reduce((sum, { size }) => sum + size, 0)
}

test('uploading needs permission to edit some content of the organization', async () => {
  const octavo = await serverForTest()
  const acme = await makeOrganization(octavo)
  const { organizationId } = acme.params
  const space = await acme.space('Shared')
  const start = (person: Parameters<typeof startUpload>[0]) =>
    refusal(startUpload(person, organizationId, { name: 'a' }))
  const [guest, reader, editor] = [await acme.member(null), await acme.member('read'), await acme.member('edit')]
  expect(await start(guest)).toBe('403')
  expect(await start(reader)).toBe('403')
  expect(await start(editor)).toBe('was not refused')
  const params = { spaceId: space.id }
  await acme.owner.api.inviteToSpace({ params, body: { users: [guest.id], role: 'read' } })
  expect(await start(guest)).toBe('403')
  await acme.owner.api.updateUserPermissionInSpace({ params: { ...params, userId: guest.id }, body: { role: 'edit' } })
  expect(await start(guest)).toBe('was not refused')
  expect(await start(reader)).toBe('403')
  await acme.owner.api.updateSpaceById({ params, body: { defaultLevel: 'edit' } })
  expect(await start(reader)).toBe('was not refused')
})

test('inline files and uploads over the quota of the organization or the instance are rejected with 413', async () => {
  const octavo = await serverForTest({ OCTAVO_ORGANIZATION_STORAGE: '1000', OCTAVO_STORAGE: '1500' })
  const [one, other] = [await makeOrganization(octavo, 'One'), await makeOrganization(octavo, 'Other')]
  const [space, elsewhere] = [await one.space('Space'), await other.space('Elsewhere')]
  const { organizationId } = one.params
  await addFiles(one.owner, space.id, inlineFile('a', 'a'.repeat(600)))
  // Equal bytes are charged once.
  await addFiles(one.owner, space.id, inlineFile('b', 'a'.repeat(600)))
  expect(await usageOf(octavo, organizationId)).toEqual({ organization: 600, instance: 600 })

  expect(await refusal(addFiles(one.owner, space.id, inlineFile('c', 'c'.repeat(401))))).toBe('413')
  expect(await refusal(startUpload(one.owner, organizationId, { name: 'd', size: 401 }))).toBe('413')
  const { url } = await startUpload(one.owner, organizationId, { name: 'd', size: 1 })
  const tooMuch = await fetch(url, { method: 'PUT', body: 'd'.repeat(401) })
  expect(tooMuch.status).toBe(413)
  expect(((await tooMuch.json()) as { error: { message: string } }).error.message).toContain(
    'OCTAVO_ORGANIZATION_STORAGE',
  )
  expect(await usageOf(octavo, organizationId)).toEqual({ organization: 600, instance: 600 })
  await upload(one.owner, organizationId, 'e', 'e'.repeat(400))
  expect(await usageOf(octavo, organizationId)).toEqual({ organization: 1000, instance: 1000 })

  await expect(addFiles(other.owner, elsewhere.id, inlineFile('f', 'f'.repeat(501)))).rejects.toMatchObject({
    status: 413,
    message: expect.stringContaining('OCTAVO_STORAGE'),
  })
  await addFiles(other.owner, elsewhere.id, inlineFile('a', 'a'.repeat(400)))
})

test('images of sites count toward the quota until the site is deleted', async () => {
  const octavo = await serverForTest({ OCTAVO_ORGANIZATION_STORAGE: '1000' })
  const { owner, params } = await makeOrganization(octavo)
  const { id: siteId } = await owner.api.createSite({ params, body: { title: 'Docs' } })
  const add = (size: number) =>
    owner.api.addImageToSite({ params: { ...params, siteId }, body: { data: btoa('GIF89a'.padEnd(size, '.')) } })
  await add(301)
  await add(301)
  await add(500)
  expect(await refusal(add(200))).toBe('413')
  expect((await usageOf(octavo, params.organizationId)).organization).toBe(801)
  await owner.api.deleteSiteById({ params: { ...params, siteId } })
  expect(await usageOf(octavo, params.organizationId)).toEqual({ organization: 0, instance: 0 })
})

test('concurrent uploads do not exceed the quota', async () => {
  const octavo = await serverForTest({ OCTAVO_ORGANIZATION_STORAGE: '1000' })
  const acme = await makeOrganization(octavo)
  const { organizationId } = acme.params
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      upload(acme.owner, organizationId, `f${index}`, String(index).repeat(300)).then(
        () => 'stored',
        () => 'refused',
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'stored').length).toBeLessThanOrEqual(3)
  const { organization } = await usageOf(octavo, organizationId)
  expect(organization).toBeLessThanOrEqual(1000)
  expect(organization).toBe(await countedUsage(octavo, organizationId))
  expect(organization).toBe(300 * outcomes.filter((outcome) => outcome === 'stored').length)
})

test('content that is permanently deleted or transferred is no longer charged', async () => {
  const octavo = await serverForTest()
  const [one, other] = [await makeOrganization(octavo, 'One'), await makeOrganization(octavo, 'Other')]
  const [kept, removed, moved] = [await one.space('Kept'), await one.space('Removed'), await one.space('Moved')]
  await addFiles(one.owner, kept.id, inlineFile('a', 'a'.repeat(10)))
  await addFiles(one.owner, removed.id, inlineFile('a', 'a'.repeat(10)), inlineFile('b', 'b'.repeat(20)))
  await addFiles(one.owner, moved.id, inlineFile('c', 'c'.repeat(40)))
  await upload(one.owner, one.params.organizationId, 'd', 'd'.repeat(80))
  expect(await usageOf(octavo, one.params.organizationId)).toEqual({ organization: 150, instance: 150 })
  await other.owner.api.inviteUsersToOrganization({
    params: other.params,
    body: { emails: [{ email: one.owner.email, role: 'admin' }] },
  })
  await one.owner.api.transferSpace({
    params: { spaceId: moved.id },
    body: { organization: other.params.organizationId },
  })
  expect(await usageOf(octavo, other.params.organizationId)).toMatchObject({ organization: 40 })
  await one.owner.api.deleteSpaceById({ params: { spaceId: removed.id } })
  for (const time of [days(7) + hours(1), hours(3), days(2) + hours(3), days(2)]) await advanceClock(octavo, time)
  expect(await usageOf(octavo, one.params.organizationId)).toEqual({ organization: 10, instance: 50 })
  expect(await usageOf(octavo, other.params.organizationId)).toEqual({ organization: 40, instance: 50 })
})

test('the migration charges files of earlier versions', async () => {
  const octavo = await serverForTest()
  const [one, other] = [await makeOrganization(octavo, 'One'), await makeOrganization(octavo, 'Other')]
  const [space, elsewhere] = [await one.space('Space'), await other.space('Elsewhere')]
  await addFiles(
    one.owner,
    space.id,
    inlineFile('a', 'a'.repeat(10)),
    inlineFile('b', 'a'.repeat(10)),
    inlineFile('c', 'c'),
  )
  await addFiles(other.owner, elsewhere.id, inlineFile('a', 'a'.repeat(10)))
  await upload(one.owner, one.params.organizationId, 'd', 'd'.repeat(80))
  const before = await usageOf(octavo, one.params.organizationId)
  expect(before).toEqual({ organization: 91, instance: 101 })
  const { engine: kind, transaction } = octavo.server.app.database
  await transaction(async (db) => {
    for (const table of ['organization_blobs', 'storage_usage']) await sql.raw(`drop table ${table}`).execute(db)
    for (const statement of storageUsage[kind].split(';\n')) await sql.raw(statement).execute(db)
  })
  expect(await usageOf(octavo, one.params.organizationId)).toEqual(before)
  expect(await usageOf(octavo, other.params.organizationId)).toEqual({ organization: 10, instance: 101 })
})
