import { readdirSync } from 'node:fs'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours, days } from '../../src/kernel/time.ts'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { countSheets, downloadPdf } from '../support/pdf.ts'
import { publishPages } from '../support/published-sites.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'

// The process that makes PDFs has no environment, so it uses the default folder.
const listFolders = () => readdirSync('/tmp').filter((name) => name.startsWith('octavo-typst-'))
const oldFolders = listFolders()

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const pathOf = (url: string): string => new URL(url).pathname

async function makeGuide(): Promise<{ spaceId: string; pages: string[] }> {
  const spaceId = await emptySpace(octavo.admin, 'Guide')
  const pages = await editLive(octavo.admin, spaceId, insertPage('# First\n\nText'), insertPage('# Second\n\nText'))
  const [first = ''] = pages
  const below = await editLive(octavo.admin, spaceId, insertPage('# Below\n\nText', { into: first }))
  return { spaceId, pages: [...pages, ...below] }
}

test('a PDF contains a space, one page, or a page with those below it', async () => {
  const { spaceId, pages } = await makeGuide()
  const [first = ''] = pages
  const get = async (query: { page?: string; only?: 'true' | 'false' }) => {
    const { url } = await octavo.admin.api.getSpacePdf({ params: { spaceId }, query })
    return downloadPdf(url)
  }
  // The title page, the contents, and three pages.
  expect(countSheets(await get({}))).toBe(5)
  expect(countSheets(await get({ page: first }))).toBe(1)
  expect(countSheets(await get({ page: first, only: 'true' }))).toBe(1)
  expect(countSheets(await get({ page: first, only: 'false' }))).toBe(4)
})

test('a PDF of a change request contains its changes', async () => {
  const { spaceId } = await makeGuide()
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit(insertPage('# Proposed\n\nText'))
  const { url } = await octavo.admin.api.getChangeRequestPdf({ params: proposal.params })
  expect(countSheets(await downloadPdf(url))).toBe(6)
  const params = { organizationId: octavo.admin.organizationId }
  const { items } = await octavo.admin.api.listOrganizationAuditEvents({ params, query: { action: 'space.export' } })
  expect(items[0]).toMatchObject({ actor: { id: octavo.admin.id }, target: { id: spaceId } })
})

test('equal content is typeset once', async () => {
  const { spaceId } = await makeGuide()
  const get = () => octavo.admin.api.getSpacePdf({ params: { spaceId } })
  const [first, second] = [await get(), await get()]
  expect(pathOf(second.url)).toBe(pathOf(first.url))
  await editLive(octavo.admin, spaceId, insertPage('# Third'))
  expect(pathOf((await get()).url)).not.toBe(pathOf(first.url))
})

test('a URL without a valid signature is not found, and one hour later the URL has expired', async () => {
  const { spaceId, pages } = await makeGuide()
  const { url } = await octavo.admin.api.getSpacePdf({ params: { spaceId }, query: { page: pages[0] ?? '' } })
  await downloadPdf(url)
  expect((await fetch(url.replace(/signature=.{4}/, 'signature=AAAA'))).status).toBe(404)
  expect((await fetch(url.replace(/expires=\d/, 'expires=9'))).status).toBe(404)
  expect((await fetch(url.replace(/\/pdf\/[^/]+/, '/pdf/other'))).status).toBe(404)
  const part = await fetch(url, { headers: { range: 'bytes=0-4' } })
  expect([part.status, await part.text()]).toEqual([206, '%PDF-'])
  octavo.clock.advance(hours(1))
  expect((await fetch(url)).status).toBe(404)
})

test('images and everything else of a page are part of the PDF, and broken images do not prevent it', async () => {
  const spaceId = await emptySpace(octavo.admin, 'Images')
  const canvas = createCanvas(60, 40)
  const files = await addFiles(
    octavo.admin,
    spaceId,
    inlineFile('a.png', await canvas.encode('png'), 'image/png'),
    inlineFile('b.jpg', await canvas.encode('jpeg'), 'image/jpeg'),
    inlineFile('c.webp', await canvas.encode('webp'), 'image/webp'),
    inlineFile(
      'd.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ),
    inlineFile('e.png', (await canvas.encode('png')).subarray(0, 60), 'image/png'),
    inlineFile(
      'f.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/hostname.png"/></svg>',
    ),
  )
  const images = files.map(({ id, name }) => `![${name}](/files/${id})`).join('\n\n')
  const unreachable = '![gone](http://127.0.0.1:9/gone.png)'
  await editLive(octavo.admin, spaceId, insertPage(`# Images\n\n${images}\n\n${unreachable}`))
  const { url } = await octavo.admin.api.getSpacePdf({ params: { spaceId } })
  const pdf = (await downloadPdf(url)).toString('latin1')
  expect(pdf.match(/\/Subtype\s*\/Image/g)?.length).toBeGreaterThanOrEqual(3)
})

test('unknown pages and change requests are not found, and other values of only are refused', async () => {
  const { spaceId } = await makeGuide()
  const { api, token } = octavo.admin
  const stranger = await octavo.person()
  expect(await refusal(api.getSpacePdf({ params: { spaceId }, query: { page: 'none' } }))).toBe('404')
  expect(await refusal(api.getChangeRequestPdf({ params: { spaceId, changeRequestId: 'none' } }))).toBe('404')
  expect(await refusal(stranger.api.getSpacePdf({ params: { spaceId } }))).toBe('404')
  expect((await octavo.fetch(`/v1/spaces/${spaceId}/pdf?only=maybe`, { token })).status).toBe(400)
})

/** Inserts pages, at most 50 with each request; returns their ids. */
async function insertPages({ admin }: TestServer, spaceId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const inserted = Array.from({ length: Math.min(count - ids.length, 50) }, (_, number) =>
      insertPage(`# Page ${ids.length + number}`),
    )
    ids.push(...(await editLive(admin, spaceId, ...inserted)))
  }
  return ids
}

test('a space with too many pages is refused, and a page with those below it is not', async () => {
  const spaceId = await emptySpace(octavo.admin, 'Large')
  const [first = ''] = await insertPages(octavo, spaceId, 1000)
  await editLive(octavo.admin, spaceId, insertPage('# Below', { into: first }))
  const get = (query: { page?: string; only?: 'false' }) => octavo.admin.api.getSpacePdf({ params: { spaceId }, query })
  expect(await refusal(get({}))).toBe('413')
  // The title page, the contents, and two pages.
  expect(countSheets(await downloadPdf((await get({ page: first, only: 'false' })).url))).toBe(4)
})

test('a PDF that is not finished is reported with its progress, and an organization has a limited number of them', async () => {
  const api = await serverForTest({ ROLES: 'api' })
  const spaceId = await emptySpace(api.admin, 'Waiting')
  const pages = await insertPages(api, spaceId, 51)
  const get = (page = '') => api.admin.api.getSpacePdf({ params: { spaceId }, query: { page } })
  const { url } = await get(pages[0])
  const reply = await fetch(url, { headers: { accept: 'text/html' } })
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([202, '2'])
  expect(await reply.text()).toContain('PDF: 0%')
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([202, 'application/json'])
  for (const page of pages.slice(1, 50)) await get(page)
  expect(await refusal(get(pages[50]))).toBe('429')
  expect(pathOf((await get(pages[0])).url)).toBe(pathOf(url))
})

test('a published site links to the PDF of each page, unless the action is disabled', async () => {
  const { base, params } = await publishPages(octavo, [insertPage('# Home\n\nText'), insertPage('# Other')])
  const hrefIn = async () => /href="([^"]*~pdf[^"]*)"/.exec(await (await fetch(base)).text())?.[1]
  const href = await hrefIn()
  const url = new URL(href ?? '', base)
  const pdf = await fetch(url)
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(countSheets(Buffer.from(await pdf.arrayBuffer()))).toBe(1)
  const whole = await fetch(url.origin + url.pathname)
  expect(countSheets(Buffer.from(await whole.arrayBuffer()))).toBe(4)
  expect((await fetch(`${url.origin}${url.pathname}?page=none`)).status).toBe(404)
  await octavo.admin.api.updateSiteCustomizationById({ params, body: { pageActions: { items: ['markdown'] } } })
  expect(await hrefIn()).toBeUndefined()
  expect((await fetch(url)).status).toBe(404)
})

test('a PDF contains only what the visitor may see', async () => {
  const { base } = await publishPages(
    octavo,
    [
      insertPage('# Home\n\nText'),
      insertPage('# Secret\n\nText', { condition: 'visitor.claims.isInsider' }),
      insertPage('# Hidden\n\nText', { hidden: true }),
    ],
    { adaptiveContent: { enabled: true } },
  )
  const href = /href="([^"]*~pdf[^"?]*)/.exec(await (await fetch(base)).text())?.[1] ?? ''
  const pdf = await fetch(new URL(href, base))
  expect(countSheets(Buffer.from(await pdf.arrayBuffer()))).toBe(1)
})

test('making a PDF leaves nothing in the folder for temporary files', async () => {
  const { spaceId } = await makeGuide()
  await editLive(octavo.admin, spaceId, insertPage('# Temporary'))
  const { url } = await octavo.admin.api.getSpacePdf({ params: { spaceId } })
  expect(countSheets(await downloadPdf(url))).toBe(6)
  expect(listFolders().filter((name) => !oldFolders.includes(name))).toEqual([])
})

test('PDFs that nobody requests are deleted', async () => {
  const { spaceId } = await makeGuide()
  const { url } = await octavo.admin.api.getSpacePdf({ params: { spaceId } })
  await downloadPdf(url)
  const key = new URL(url).pathname.split('/')[3] ?? ''
  const { app } = octavo.server
  const find = () => app.database.reader.selectFrom('pdf_files').select('key').where('key', '=', key).executeTakeFirst()
  expect(await find()).toEqual({ key })
  octavo.clock.advance(days(2))
  await expect.poll(find, { timeout: 30_000 }).toBeUndefined()
})
