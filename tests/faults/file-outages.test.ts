import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import S3rver from 's3rver'
import { expect, onTestFinished, test } from 'vitest'
import { folderForTest } from '../support/disk.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { migratedHomeForTest } from '../support/home.ts'
import { sendAsAdmin } from '../support/outages.ts'
import { hasSmallDisks, startServerProcess } from '../support/process.ts'
import { waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'

/** Starts an object store that a test can stop and start again with its content. */
async function storeForTest() {
  const directory = folderForTest()
  let port = 0
  const start = async () => {
    const configureBuckets = [{ name: 'octavo' }]
    const store = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets })
    port = (await store.run()).port
    return store
  }
  let running: S3rver | undefined = await start()
  const stop = async () => {
    const store = running
    running = undefined
    await store?.close()
  }
  onTestFinished(stop)
  const env = {
    OCTAVO_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    OCTAVO_S3_BUCKET: 'octavo',
    OCTAVO_S3_ACCESS_KEY_ID: 'S3RVER',
    OCTAVO_S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  return { env, stop, start: async () => void (running = await start()) }
}

test('an unreachable object store causes 503, and /readyz reports the file storage as the cause', async () => {
  const store = await storeForTest()
  const server = await startServerProcess({ ...(await migratedHomeForTest()), ...store.env })
  const api = server.api()
  const organizationId = await getOrganizationId(api)
  const spaceId = (await api.listSpacesInOrganizationById({ params: { organizationId } })).items[0]?.id ?? ''
  const [file] = await addFiles({ api }, spaceId, inlineFile('before.txt', 'Before'))
  const path = (file?.downloadURL ?? '').slice(server.url.length)
  expect(await sendAsAdmin(server, path)).toMatchObject({ status: 200, body: 'Before' })

  await store.stop()
  expect(await sendAsAdmin(server, path)).toMatchObject({ status: 503, retryAfter: '5' })
  const changes = [{ operation: 'insert_files', files: [inlineFile('meanwhile.txt', 'Meanwhile')] }]
  const write = () =>
    sendAsAdmin(server, `/v1/spaces/${spaceId}/content`, { method: 'POST', body: JSON.stringify({ changes }) })
  const refused = await write()
  expect(refused).toMatchObject({ status: 503, retryAfter: '5' })
  expect(refused.body).toContain('The file storage cannot be reached')
  const ready = await sendAsAdmin(server, '/readyz')
  expect(ready).toMatchObject({ status: 503 })
  expect(JSON.parse(ready.body)).toEqual({
    status: 'not ready',
    checks: { database: 'ok', files: 'The file storage cannot be reached. Try again' },
  })

  await store.start()
  await waitUntil(async () => (await sendAsAdmin(server, '/readyz')).status === 200, 'the server is ready again')
  expect(await sendAsAdmin(server, path)).toMatchObject({ status: 200, body: 'Before' })
  expect((await write()).status).toBeLessThan(300)
})

// Mounting a small disk requires Linux with user namespaces, which some containers forbid.
test.runIf(hasSmallDisks)(
  'a full disk causes 507, and the server is not ready until there is space again',
  async () => {
    const env = await migratedHomeForTest()
    const folder = env['OCTAVO_DATA'] ?? ''
    const isEmbedded = env['DATABASE_URL'] === undefined
    const server = await startServerProcess(env, { disk: { folder, bytes: 96 * 1024 ** 2 } })
    const api = server.api()
    const organizationId = await getOrganizationId(api)
    const spaceId = (await api.listSpacesInOrganizationById({ params: { organizationId } })).items[0]?.id ?? ''
    // The data folder in the mount namespace of the process, where the small disk is mounted.
    const seen = join(`/proc/${server.pid}/root`, folder)
    const fillers = join(seen, 'fillers')
    mkdirSync(fillers)
    fill(fillers)

    const bytes = Buffer.alloc(64 * 1024, 'x')
    const changes = [{ operation: 'insert_files', files: [inlineFile('large.txt', bytes)] }]
    const upload = () =>
      sendAsAdmin(server, `/v1/spaces/${spaceId}/content`, { method: 'POST', body: JSON.stringify({ changes }) })
    let number = 0
    const write = () =>
      sendAsAdmin(server, `/v1/orgs/${organizationId}/teams`, {
        method: 'PUT',
        body: JSON.stringify({ title: `T${number++}` }),
      })

    const refused = await upload()
    expect(refused).toMatchObject({ status: 507 })
    expect(refused.body).toContain('is full')
    if (isEmbedded) {
      // Writes succeed until the space preallocated by the engine's log is used up.
      const answer = await waitUntil(async () => {
        const { status, body } = await write()
        return status !== 201 && { status, body }
      }, 'the database has no room for another team')
      expect(answer).toMatchObject({ status: 507, body: expect.stringContaining('The disk of the database is full') })
    }
    expect(await sendAsAdmin(server, '/v1/user')).toMatchObject({ status: 200 })
    const ready = await sendAsAdmin(server, '/readyz')
    expect(ready).toMatchObject({ status: 503 })
    expect(JSON.parse(ready.body)).toMatchObject({
      status: 'not ready',
      checks: { files: expect.stringContaining('is full') },
    })

    rmSync(fillers, { recursive: true })
    await waitUntil(async () => (await sendAsAdmin(server, '/readyz')).status === 200, 'the server is ready again')
    expect(await write()).toMatchObject({ status: 201 })
    expect((await upload()).status).toBeLessThan(300)
  },
)

/** Writes files until the disk is full. */
function fill(folder: string): void {
  let number = 0
  for (let size = 8 * 1024 ** 2; size >= 512;) {
    try {
      writeFileSync(join(folder, String(number++)), Buffer.alloc(size))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
      size /= 2
    }
  }
}
