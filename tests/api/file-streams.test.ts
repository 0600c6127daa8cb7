import { expect, test } from 'vitest'
import { addFiles, startFileHost, startUpload } from '../support/files.ts'
import { homeForTest } from '../support/home.ts'
import { type ServerProcess, serve } from '../support/process.ts'
import { organizationOf } from '../support/teams.ts'

const megabyte = 1024 ** 2

/** How much memory a server takes, in bytes. */
async function memoryOf({ url }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])
}

/** The most that the memory of a server grows by while something is done. */
async function growthWhile(server: ServerProcess, work: () => Promise<void>): Promise<number> {
  const before = await memoryOf(server)
  let [peak, isDone] = [before, false]
  const watching = (async () => {
    while (!isDone) peak = Math.max(peak, await memoryOf(server))
  })()
  await work().finally(() => (isDone = true))
  await watching
  return Math.max(peak, await memoryOf(server)) - before
}

test('large files pass through the server without standing in its memory', async () => {
  const server = await serve({ ...(await homeForTest()), OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const api = server.api()
  const organizationId = await organizationOf(api)
  const person = { api, organizationId }
  const { id: spaceId } = await api.createSpace({ params: { organizationId }, body: { title: 'Large', empty: true } })
  const bytes = Buffer.alloc(90 * megabyte, 'x')
  const put = async (body: Buffer<ArrayBuffer>) => {
    const { url, key } = await startUpload(person, organizationId, { name: 'large', size: body.length })
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(200)
    return key
  }
  const get = async (url: string) => {
    let size = 0
    for await (const chunk of (await fetch(url)).body ?? []) size += (chunk as Uint8Array).length
    return size
  }
  const host = await startFileHost({ '/large': { type: 'text/plain', bytes } })
  const round = async (body: Buffer<ArrayBuffer>, url: string) => {
    const [file, fetched] = await addFiles(
      person,
      spaceId,
      { name: 'uploaded', upload: await put(body) },
      { name: 'fetched', url },
    )
    expect(await get(file?.downloadURL ?? '')).toBe(body.length)
    return fetched
  }
  const small = await startFileHost({ '/small': { type: 'text/plain', bytes: 'x'.repeat(megabyte) } })
  try {
    // What any first request loads and compiles does not count.
    await round(bytes.subarray(0, megabyte), `${small.url}/small`)
    const growth = await growthWhile(server, async () => {
      expect(await round(bytes, `${host.url}/large`)).toMatchObject({ size: bytes.length })
    })
    expect(growth).toBeLessThan(45 * megabyte)
  } finally {
    host.close()
    small.close()
  }
})
