import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours } from '../../src/kernel/time.ts'
import { editLive, emptySpace } from '../support/content.ts'
import { addFiles, inlineFile, fileHostForTest, startUpload, fetchText, upload } from '../support/files.ts'
import { makeOrganization } from '../support/organization.ts'
import { imageHeaders } from '../support/pictures.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const megabyte = 1024 ** 2

/** Lists the names of all stored blobs, including unfinished ones. */
function storedBy({ server }: TestServer): string[] {
  const folder = join(server.app.config.dataFolder, 'blobs')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  )
}

const put = async (url: string, body: string | Uint8Array<ArrayBuffer> = 'x') =>
  (await fetch(url, { method: 'PUT', body })).status

const filesIn = async (spaceId: string) => {
  const { items } = await octavo.admin.api.listFiles({ params: { spaceId } })
  return items.map(({ name }) => name).sort()
}

test('detects content type and dimensions of inline files from their bytes, not from the declared type', async () => {
  const space = await emptySpace(octavo.admin)
  const files = await addFiles(
    octavo.admin,
    space,
    inlineFile('photo.png', imageHeaders.png(640, 480), 'text/html'),
    inlineFile(
      'photo.jpg',
      imageHeaders.jpeg(30, 20, { orientation: 6, littleEndian: true }),
      'application/octet-stream',
    ),
    inlineFile('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 16"/>', 'image/png'),
    inlineFile('page.txt', '<!doctype html><script>alert(1)</script>', 'text/plain'),
    inlineFile('data.json', '{"a":1}', 'text/plain'),
    inlineFile('notes', 'Just words', 'application/pdf'),
    inlineFile('noise.png', Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]), 'image/png'),
  )
  expect(files.map(({ name, contentType, size, dimensions }) => ({ name, contentType, size, dimensions }))).toEqual([
    { name: 'photo.png', contentType: 'image/png', size: 33, dimensions: { width: 640, height: 480 } },
    // The EXIF orientation rotates the image by 90 degrees.
    { name: 'photo.jpg', contentType: 'image/jpeg', size: files[1]?.size, dimensions: { width: 20, height: 30 } },
    { name: 'drawing.svg', contentType: 'image/svg+xml', size: 61, dimensions: { width: 32, height: 16 } },
    { name: 'page.txt', contentType: 'text/html', size: 40, dimensions: undefined },
    { name: 'data.json', contentType: 'application/json', size: 7, dimensions: undefined },
    { name: 'notes', contentType: 'text/plain', size: 10, dimensions: undefined },
    { name: 'noise.png', contentType: 'application/octet-stream', size: 8, dimensions: undefined },
  ])
  for (const file of files) {
    expect(await octavo.admin.api.getFileById({ params: { spaceId: space, fileId: file.id } })).toEqual(file)
  }
  expect(await fetchText(files[4]?.downloadURL ?? '')).toBe('{"a":1}')
})

test('a file needs exactly one source, and inline files need a content type and at most 1 MB', async () => {
  const space = await emptySpace(octavo.admin)
  const at = 'body.changes.0.files.0'
  const cases: [Record<string, unknown>, string][] = [
    [{ contentType: 'text/plain' }, `400 ${at}`],
    [{ base64: 'eA==', contentType: 'text/plain', url: 'https://example.com/x' }, `400 ${at}`],
    [{ base64: 'eA==' }, `400 ${at}.contentType`],
    [{ base64: 'no base64', contentType: 'text/plain' }, `400 ${at}.base64`],
    [{ base64: Buffer.alloc(megabyte + 3).toString('base64'), contentType: 'text/plain' }, `400 ${at}.base64`],
    [{ upload: 'nowhere' }, `400 ${at}.upload`],
    [{ url: 'file:///etc/passwd' }, `400 ${at}.url`],
  ]
  for (const [file, refused] of cases) {
    expect(await refusal(addFiles(octavo.admin, space, { name: 'x', ...file }))).toBe(refused)
  }
  expect(await filesIn(space)).toEqual([])
  const [full] = await addFiles(octavo.admin, space, inlineFile('full', Buffer.alloc(megabyte, 'x')))
  expect(full?.size).toBe(megabyte)
})

test('fetches files from URLs, and a failed fetch rejects the whole change', async () => {
  const host = await fileHostForTest({
    '/logo': { type: 'image/png', bytes: imageHeaders.png(8, 9) },
    '/table': { type: 'text/csv; charset=utf-8', bytes: 'a,b' },
  })
  const space = await emptySpace(octavo.admin)
  const [logo, table] = await addFiles(
    octavo.admin,
    space,
    { name: 'logo', url: `${host.url}/logo` },
    { name: 'table', url: `${host.url}/table` },
  )
  expect(logo).toMatchObject({ contentType: 'image/png', dimensions: { width: 8, height: 9 } })
  expect(table).toMatchObject({ contentType: 'text/csv', size: 3 })
  expect(await fetchText(table?.downloadURL ?? '')).toBe('a,b')

  const absent = addFiles(
    octavo.admin,
    space,
    { name: 'again', url: `${host.url}/table` },
    { name: 'absent', url: `${host.url}/absent` },
  )
  expect(await refusal(absent)).toBe('400 body.changes.0.files.1.url')
  expect(await filesIn(space)).toEqual(['logo', 'table'])
})

test('does not fetch URLs in the private network, and stores nothing', async () => {
  const closed = await serverForTest()
  const host = await fileHostForTest({ '/secret': { type: 'text/plain', bytes: 'secret' } })
  const space = await emptySpace(closed.admin)
  for (const url of [`${host.url}/secret`, `${host.url.replace('127.0.0.1', 'localhost')}/secret`]) {
    expect(await refusal(addFiles(closed.admin, space, { name: 'x', url }))).toBe('400 body.changes.0.files.0.url')
  }
  expect(host.requestedPaths).toEqual([])
  expect(storedBy(closed)).toEqual([])
})

test('fetches URLs only for members who can edit the space', async () => {
  const host = await fileHostForTest({ '/file': { type: 'text/plain', bytes: 'content' } })
  const { owner: _, ...make } = await makeOrganization(octavo)
  const { id } = await make.space('Guide')
  const file = { name: 'file', url: `${host.url}/file` }
  expect(await refusal(addFiles(await make.member('comment'), id, file))).toBe('403')
  expect(await refusal(addFiles(await octavo.person(), id, file))).toBe('404')
  expect(host.requestedPaths).toEqual([])
})

test('an upload can become files in the spaces of its organization, not in those of another one', async () => {
  const { organizationId } = octavo.admin
  const key = await upload(octavo.admin, organizationId, 'declared.bin', 'first')
  const picture = await startUpload(octavo.admin, organizationId, { name: 'p', type: 'text/html' })

  const space = await emptySpace(octavo.admin)
  const unfinished = addFiles(octavo.admin, space, { name: 'p.png', upload: picture.key })
  expect(await refusal(unfinished)).toBe('400 body.changes.0.files.0.upload')
  expect(await put(picture.url, 'not yet')).toBe(200)
  expect(await put(picture.url, Buffer.from(imageHeaders.png(3, 4)))).toBe(200)
  const [text, png, again] = await addFiles(
    octavo.admin,
    space,
    { name: 'text.txt', upload: key },
    { name: 'p.png', upload: picture.key },
    { name: 'again.txt', upload: key },
  )
  expect(text).toMatchObject({ name: 'text.txt', contentType: 'text/plain', size: 5 })
  expect(png).toMatchObject({ name: 'p.png', contentType: 'image/png', size: 33, dimensions: { width: 3, height: 4 } })
  expect(await Promise.all([text, again].map((file) => fetchText(file?.downloadURL ?? '')))).toEqual(['first', 'first'])

  const other = await makeOrganization(octavo)
  const foreign = await other.space('Foreign')
  const stolen = addFiles(other.owner, foreign.id, { name: 'stolen', upload: key })
  expect(await refusal(stolen)).toBe('400 body.changes.0.files.0.upload')
})

test('an upload URL expires after one hour, and a changed upload URL returns 404', async () => {
  const own = await serverForTest()
  const { organizationId } = own.admin
  const [one, two] = [
    await startUpload(own.admin, organizationId, { name: 'one' }),
    await startUpload(own.admin, organizationId, { name: 'two' }),
  ]
  const changed = (change: (url: URL) => void) => {
    const url = new URL(one.url)
    change(url)
    return put(url.href)
  }
  expect(await changed((url) => url.searchParams.delete('signature'))).toBe(404)
  expect(await changed((url) => url.searchParams.set('signature', 'x'.repeat(22)))).toBe(404)
  expect(await changed((url) => url.searchParams.set('expires', '99999999999999'))).toBe(404)
  expect(await changed((url) => url.searchParams.set('expires', 'Infinity'))).toBe(404)
  expect(await changed((url) => (url.pathname = new URL(two.url).pathname))).toBe(404)
  expect(storedBy(own)).toEqual([])
  expect(await put(one.url)).toBe(200)
  own.clock.advance(hours(1))
  expect(await put(two.url)).toBe(404)
})

/** Sends bytes without a Content-Length header until all are sent or a reply arrives. */
function stream(url: string, size: number): Promise<number> {
  const chunk = Buffer.alloc(megabyte)
  return new Promise((resolve, reject) => {
    let sent = 0
    const sending = request(url, { method: 'PUT' }, (reply) => {
      sent = size
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    // The server may close the connection after its reply, before the whole body is sent.
    sending.on('error', (error) => (sent < size ? reject(error) : undefined))
    const send = () => {
      while (sent < size) {
        const part = Math.min(chunk.length, size - sent)
        sent += part
        if (!sending.write(chunk.subarray(0, part))) return void sending.once('drain', send)
      }
      sending.end()
    }
    send()
  })
}

test('rejects files over 100 MB with 413: declared size, Content-Length, streamed body or fetched URL', async () => {
  const own = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const { organizationId } = own.admin
  const limit = 100 * megabyte
  const start = (size: number) => startUpload(own.admin, organizationId, { name: 'zeros', size })
  expect(await refusal(start(limit + 1))).toBe('413 body.file.size')

  const { url, key } = await start(limit)
  const told = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-length': String(limit + 1) }
    const sending = request(url, { method: 'PUT', headers }, (reply) => {
      resolve(reply.statusCode)
      sending.destroy()
    })
    sending.on('error', reject)
    sending.flushHeaders()
  })
  expect(told).toBe(413)
  expect(await stream(url, limit + 1)).toBe(413)
  expect(storedBy(own)).toEqual([])
  const space = await emptySpace(own.admin)
  expect(await refusal(addFiles(own.admin, space, { name: 'zeros', upload: key }))).toBe(
    '400 body.changes.0.files.0.upload',
  )
  const host = await fileHostForTest({ '/large': { type: 'text/plain', bytes: '', size: limit + 1 } })
  const large = addFiles(own.admin, space, { name: 'large', url: `${host.url}/large` })
  expect(await refusal(large)).toBe('413 body.changes.0.files.0.url')
})

test('removes the bytes of an interrupted upload, which can then be sent again', async () => {
  const own = await serverForTest()
  const { url, key } = await startUpload(own.admin, own.admin.organizationId, { name: 'file' })
  const sending = request(url, { method: 'PUT', headers: { 'content-length': '1000' } })
  sending.on('error', () => undefined)
  sending.write('the beginning')
  await waitUntil(async () => storedBy(own).length > 0, 'the beginning has arrived')
  sending.destroy()
  await waitUntil(async () => storedBy(own).length === 0, 'it is gone')
  expect(await put(url, 'all of it')).toBe(200)
  const space = await emptySpace(own.admin)
  const [file] = await addFiles(own.admin, space, { name: 'file.txt', upload: key })
  expect(await fetchText(file?.downloadURL ?? '')).toBe('all of it')
  expect(storedBy(own)).toHaveLength(1)
  expect(own.log.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('renames and deletes files by changes, while earlier revisions keep them', async () => {
  const space = await emptySpace(octavo.admin)
  const { api } = octavo.admin
  const [kept, gone] = await addFiles(octavo.admin, space, inlineFile('a.txt', 'kept'), inlineFile('b.txt', 'gone'))
  const { revision } = await api.getSpaceById({ params: { spaceId: space } })
  await editLive(
    octavo.admin,
    space,
    { operation: 'update_file', file: kept?.id, name: 'renamed.txt' },
    { operation: 'delete_files', files: [gone?.id] },
  )
  expect(await filesIn(space)).toEqual(['renamed.txt'])
  const renamed = await api.getFileById({ params: { spaceId: space, fileId: kept?.id ?? '' } })
  const { headers } = await fetch(renamed.downloadURL)
  expect(headers.get('content-disposition')).toBe('inline; filename="renamed.txt"')
  expect(await refusal(api.getFileById({ params: { spaceId: space, fileId: gone?.id ?? '' } }))).toBe('404')

  const former = await api.listFilesInRevisionById({ params: { spaceId: space, revisionId: revision } })
  expect(former.items.map(({ name }) => name).sort()).toEqual(['a.txt', 'b.txt'])
  for (const change of [
    { operation: 'update_file', file: gone?.id, name: 'x' },
    { operation: 'delete_files', files: [kept?.id, gone?.id] },
  ]) {
    expect(await refusal(editLive(octavo.admin, space, change))).toMatch(/^400 body\.changes\.0\.file/)
  }
  expect(await filesIn(space)).toEqual(['renamed.txt'])
})
