import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { days, hours, minutes } from '../../src/kernel/time.ts'
import { markBlobForDeletion } from '../../src/storage/unused-blobs.ts'
import { editLive, emptySpace } from '../support/content.ts'
import { addFiles, inlineFile, startUpload, fetchText, upload } from '../support/files.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest } from '../support/server.ts'
import { advanceClock } from '../support/sweep.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns those of the given texts that the server still stores as blobs. */
async function keptOf({ server }: TestServer, ...texts: string[]): Promise<string[]> {
  const found = await Promise.all(texts.map((text) => server.app.blobs.get(hashOf(text))))
  return texts.filter((_, index) => found[index] !== undefined)
}

const listed = async ({ server }: TestServer) =>
  (await server.app.database.reader.selectFrom('unused_blobs').select('hash').execute()).map(({ hash }) => hash)

test('an upload can become a file for one day, and its blob stays while any revision refers to it', async () => {
  const octavo = await serverForTest()
  const { admin } = octavo
  const space = await emptySpace(admin)
  const [used, unused] = [
    await upload(admin, admin.organizationId, 'used', 'used'),
    await upload(admin, admin.organizationId, 'unused', 'unused'),
  ]
  const [file] = await addFiles(admin, space, { name: 'used.txt', upload: used })
  await advanceClock(octavo, days(1) - minutes(5))
  const [late] = await addFiles(admin, space, { name: 'late.txt', upload: unused })
  await editLive(admin, space, { operation: 'delete_files', files: [late?.id] })
  await advanceClock(octavo, hours(1))
  expect(await refusal(addFiles(admin, space, { name: 'x', upload: unused }))).toBe('400 body.changes.0.files.0.upload')

  await advanceClock(octavo, days(4))
  // An earlier revision still refers to the deleted file.
  expect(await keptOf(octavo, 'used', 'unused')).toEqual(['used', 'unused'])
  expect(await fetchText(file?.downloadURL ?? '')).toBe('used')
  expect(await listed(octavo)).toEqual([])
})

test('deletes blobs of failed requests, overwritten uploads and unused uploads', async () => {
  const octavo = await serverForTest()
  const { admin } = octavo
  const space = await emptySpace(admin)
  const failing = admin.api.updateSpaceContent({
    params: { spaceId: space },
    body: {
      changes: [
        { operation: 'insert_files', files: [{ name: 'a', contentType: 'text/plain', base64: btoa('of a failure') }] },
        { operation: 'delete_page', page: 'nowhere' },
      ],
    },
  })
  expect(await refusal(failing)).toBe('400 body.changes.1.page')
  const { url } = await startUpload(admin, admin.organizationId, { name: 'b' })
  for (const body of ['first', 'second']) await fetch(url, { method: 'PUT', body })
  const texts = ['of a failure', 'first', 'second']
  expect(await keptOf(octavo, ...texts)).toEqual(texts)

  await advanceClock(octavo, days(1))
  await advanceClock(octavo, days(1) - minutes(1))
  expect(await keptOf(octavo, ...texts)).toEqual(texts)
  await advanceClock(octavo, hours(1))
  expect(await keptOf(octavo, ...texts)).toEqual(['second'])
  await advanceClock(octavo, days(1))
  expect(await keptOf(octavo, ...texts)).toEqual([])
  expect(await listed(octavo)).toEqual([])
})

test('deletes a blob only when no organization uses it any more', async () => {
  const octavo = await serverForTest()
  const [one, other] = [await makeOrganization(octavo, 'One'), await makeOrganization(octavo, 'Other')]
  const [first, second] = [await one.space('First'), await other.space('Second')]
  await addFiles(one.owner, first.id, inlineFile('a.txt', 'of both'), inlineFile('b.txt', 'of one'))
  const [file] = await addFiles(other.owner, second.id, inlineFile('c.txt', 'of both'))

  await one.owner.api.deleteSpaceById({ params: { spaceId: first.id } })
  // One week in the trash, a few hours until the content is deleted, two days until the blobs are deleted.
  await advanceClock(octavo, days(7) + hours(1))
  await advanceClock(octavo, hours(3))
  await advanceClock(octavo, days(2) - hours(1))
  expect(await keptOf(octavo, 'of both', 'of one')).toEqual(['of both', 'of one'])
  await advanceClock(octavo, hours(3))
  expect(await keptOf(octavo, 'of both', 'of one')).toEqual(['of both'])
  expect(await fetchText(file?.downloadURL ?? '')).toBe('of both')

  await other.owner.api.deleteSpaceById({ params: { spaceId: second.id } })
  for (const time of [days(7) + hours(1), hours(3), days(2) + hours(3)]) await advanceClock(octavo, time)
  expect(await keptOf(octavo, 'of both')).toEqual([])
})

test('storing a blob again before its deletion restarts the retention period', async () => {
  const octavo = await serverForTest()
  const { admin } = octavo
  const put = async () => {
    const { url, key } = await startUpload(admin, admin.organizationId, { name: 'file' })
    expect((await fetch(url, { method: 'PUT', body: 'again' })).status).toBe(200)
    return key
  }
  await put()
  await advanceClock(octavo, days(2) - hours(1))
  await advanceClock(octavo, days(1) - hours(1))
  const key = await put()
  await advanceClock(octavo, hours(3))
  const space = await emptySpace(admin)
  const [file] = await addFiles(admin, space, { name: 'file.txt', upload: key })
  await advanceClock(octavo, days(5))
  expect(await fetchText(file?.downloadURL ?? '')).toBe('again')
})

test('storing a blob during its deletion fails with 503 and works afterwards', async () => {
  const octavo = await serverForTest()
  const { admin, server, clock } = octavo
  const { database } = server.app
  const space = await emptySpace(admin)
  const { url } = await startUpload(admin, admin.organizationId, { name: 'file' })
  const put = () => fetch(url, { method: 'PUT', body: 'content' })
  await put()
  await database.transaction((db) => db.deleteFrom('uploads').execute())
  // This is the state after the job was stopped between marking the blob and deleting it.
  const future = new Date(clock.now() + days(1)).toISOString()
  expect(await database.transaction((db) => markBlobForDeletion(db, hashOf('content'), future))).toBe(true)

  expect(await refusal(addFiles(admin, space, inlineFile('file.txt', 'content')))).toBe('503')
  await advanceClock(octavo, days(3))
  expect(await keptOf(octavo, 'content')).toEqual([])
  const [file] = await addFiles(admin, space, inlineFile('file.txt', 'content'))
  await advanceClock(octavo, days(5))
  expect(await fetchText(file?.downloadURL ?? '')).toBe('content')
})
