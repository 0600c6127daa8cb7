import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../src/kernel/time.ts'
import { emptySpace, propose } from '../support/content.ts'
import { addFiles, inlineFile, proposeFiles, fetchText, upload } from '../support/files.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

test('downloads support range requests and conditional requests', async () => {
  const space = await emptySpace(octavo.admin)
  const [file] = await addFiles(octavo.admin, space, inlineFile('digits.txt', '0123456789'))
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(file?.downloadURL ?? '', { method, headers })

  const whole = await get()
  const etag = whole.headers.get('etag') ?? ''
  expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
  expect(etag).toMatch(/^"[\w-]{16,}"$/)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'content-length': '10',
    'content-type': 'text/plain; charset=utf-8',
    'access-control-allow-origin': '*',
  })

  const head = await get({}, 'HEAD')
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, '10', etag])
  expect(await head.text()).toBe('')
  expect((await get({ range: 'bytes=0-1' }, 'HEAD')).status).toBe(200)

  for (const [range, text, told] of [
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=8-', '89', 'bytes 8-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ] as const) {
    const part = await get({ range, 'if-range': etag })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, told, text])
    expect(part.headers.get('content-length')).toBe(String(text.length))
  }
  const outside = await get({ range: 'bytes=10-' })
  expect([outside.status, outside.headers.get('content-range'), await outside.text()]).toEqual([416, 'bytes */10', ''])
  for (const ifRange of ['"another"', 'Thu, 01 Jan 2026 00:00:00 GMT', `W/${etag}`]) {
    const all = await get({ range: 'bytes=0-3', 'if-range': ifRange })
    expect([all.status, await all.text()]).toEqual([200, '0123456789'])
  }

  for (const tags of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
    const same = await get({ 'if-none-match': tags, range: 'bytes=0-3' })
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, ''])
  }
  expect((await get({ 'if-none-match': '"another"' })).status).toBe(200)
})

test('an empty file can be uploaded and downloaded', async () => {
  const space = await emptySpace(octavo.admin)
  const key = await upload(octavo.admin, octavo.admin.organizationId, 'empty', '')
  const [empty] = await addFiles(octavo.admin, space, { name: 'empty.txt', upload: key })
  const reply = await fetch(empty?.downloadURL ?? '')
  expect([empty?.size, reply.status, reply.headers.get('content-length'), await reply.text()]).toEqual([
    0,
    200,
    '0',
    '',
  ])
})

test('a download URL is valid only for its file and space, and expires', async () => {
  const own = await serverForTest()
  const [one, two] = [await emptySpace(own.admin), await emptySpace(own.admin)]
  const [file] = await addFiles(own.admin, one, inlineFile('file.txt', 'one'))
  const [other] = await addFiles(own.admin, one, inlineFile('other.txt', 'other'))
  const address = file?.downloadURL ?? ''
  const changed = async (change: (url: URL) => void) => {
    const url = new URL(address)
    change(url)
    return fetchText(url.href)
  }
  expect(await fetchText(address)).toBe('one')
  expect(await changed((url) => (url.pathname = url.pathname.replace('file.txt', 'any%20name')))).toBe('one')
  expect(await changed((url) => (url.search = ''))).toBe('status 404')
  expect(await changed((url) => url.searchParams.set('signature', 'AAAAAAAAAAAAAAAAAAAAAA'))).toBe('status 404')
  expect(await changed((url) => url.searchParams.set('expires', '99999999999999'))).toBe('status 404')
  expect(await changed((url) => (url.pathname = url.pathname.replace(one, two)))).toBe('status 404')
  expect(await changed((url) => (url.pathname = new URL(other?.downloadURL ?? '').pathname))).toBe('status 404')
  expect(await changed((url) => (url.pathname = url.pathname.replace(/[0-9a-f]{64}/, '%00')))).toBe('status 404')

  own.clock.advance(days(29))
  expect(await fetchText(address)).toBe('one')
  own.clock.advance(days(32))
  expect(await fetchText(address)).toBe('status 404')
  const fresh = await own.admin.api.getFileById({ params: { spaceId: one, fileId: file?.id ?? '' } })
  expect(await fetchText(fresh.downloadURL)).toBe('one')
})

test('active content is sent as an attachment or plain text with a sandbox policy', async () => {
  const space = await emptySpace(octavo.admin)
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const files = await addFiles(
    octavo.admin,
    space,
    inlineFile('drawing.svg', script, 'image/svg+xml'),
    inlineFile('page.html', '<!doctype html><script>alert(1)</script>', 'text/html'),
    inlineFile('code.js', 'alert(1)', 'text/javascript'),
    inlineFile('"\r\nx: y".txt', 'text', 'text/plain'),
  )
  const [svg, html, code, odd] = await Promise.all(
    files.map(async ({ downloadURL }) => (await fetch(downloadURL)).headers),
  )
  for (const headers of [svg, html, code, odd]) {
    expect(headers?.get('x-content-type-options')).toBe('nosniff')
    expect(headers?.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox$/)
    expect(headers?.get('set-cookie')).toBeNull()
  }
  for (const headers of [svg, html]) expect(headers?.get('content-disposition')).toMatch(/^attachment; /)
  expect(code?.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(odd?.get('x')).toBeNull()
})

test('files of a deleted space return 404 until the space is restored', async () => {
  const space = await emptySpace(octavo.admin)
  const [file] = await addFiles(octavo.admin, space, inlineFile('file.txt', 'content'))
  const params = { spaceId: space }
  await octavo.admin.api.deleteSpaceById({ params })
  expect(await fetchText(file?.downloadURL ?? '')).toBe('status 404')
  await octavo.admin.api.restoreSpace({ params })
  expect(await fetchText(file?.downloadURL ?? '')).toBe('content')
})

test('a file of a change request can be downloaded before the merge and is unchanged by it', async () => {
  const space = await emptySpace(octavo.admin)
  const proposal = await propose(octavo.admin, space)
  const [file] = await proposeFiles(octavo.admin, proposal.params, inlineFile('new.txt', 'proposed'))
  expect((await octavo.admin.api.listFiles({ params: { spaceId: space } })).items).toEqual([])
  expect(await fetchText(file?.downloadURL ?? '')).toBe('proposed')
  expect(await proposal.merge()).toMatchObject({ result: 'merge' })
  const live = await octavo.admin.api.getFileById({ params: { spaceId: space, fileId: file?.id ?? '' } })
  expect(live).toEqual(file)
  expect(await fetchText(live.downloadURL)).toBe('proposed')
})
