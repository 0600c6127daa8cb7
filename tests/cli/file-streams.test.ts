import { expect, test } from 'vitest'
import { addFiles, fileHostForTest, startUpload } from '../support/files.ts'
import { homeForTest } from '../support/home.ts'
import { type ServerProcess, startServerProcess } from '../support/process.ts'
import { waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'

const megabyte = 1024 ** 2

const metricsOf = async ({ url }: ServerProcess): Promise<string> => (await fetch(`${url}/metrics`)).text()

/** Returns the resident memory of a server in bytes. */
const memoryOf = async (server: ServerProcess): Promise<number> =>
  Number(/^process_resident_memory_bytes (\d+)$/m.exec(await metricsOf(server))?.[1])

/** Waits until the jobs for the initial content are done, because they use memory too. */
const untilIdle = (server: ServerProcess): Promise<unknown> =>
  waitUntil(
    async () =>
      !/^octavo_jobs\{kind="(?:code\.highlight|search\.index)",state="(?:queued|running)"/m.test(
        await metricsOf(server),
      ),
    'no jobs',
  )

/** Returns the maximum growth of a server's memory during the work, in bytes. */
async function growthWhile(server: ServerProcess, work: () => Promise<void>): Promise<number> {
  const before = await memoryOf(server)
  const seen: Promise<number>[] = []
  const watching = setInterval(() => seen.push(memoryOf(server)), 50)
  await work().finally(() => clearInterval(watching))
  return Math.max(...(await Promise.all(seen)), await memoryOf(server)) - before
}

/** Returns the number of bytes in the reply to a URL. */
async function sizeAt(url: string): Promise<number> {
  let size = 0
  for await (const chunk of (await fetch(url)).body ?? []) size += (chunk as Uint8Array).length
  return size
}

test('uploads, fetches and downloads large files without buffering them in memory', async () => {
  const server = await startServerProcess({ ...(await homeForTest()), OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const person = { api: server.api() }
  const organizationId = await getOrganizationId(person.api)
  const space = await person.api.createSpace({ params: { organizationId }, body: { title: 'Large', empty: true } })
  const large = Buffer.alloc(80 * megabyte, 'x')
  const small = large.subarray(0, megabyte)
  const host = await fileHostForTest({
    '/large': { type: 'text/plain', bytes: large },
    '/small': { type: 'text/plain', bytes: small },
  })
  /** Uploads the bytes, has the server fetch the same bytes from a URL, and downloads them. */
  const move = async (body: Buffer<ArrayBuffer>, path: string) => {
    const { url, key } = await startUpload(person, organizationId, { name: 'file', size: body.length })
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(200)
    const uploaded = { name: 'uploaded', upload: key }
    const files = await addFiles(person, space.id, uploaded, { name: 'fetched', url: `${host.url}${path}` })
    expect(files.map(({ size }) => size)).toEqual([body.length, body.length])
    expect(await sizeAt(files[0]?.downloadURL ?? '')).toBe(body.length)
  }
  // The first transfer loads and compiles code, which must not count as growth.
  await move(small, '/small')
  await untilIdle(server)
  expect(await growthWhile(server, () => move(large, '/large'))).toBeLessThan(60 * megabyte)
})
