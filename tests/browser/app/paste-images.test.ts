import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage, editorText as text, openEditor, paste } from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

/** Returns a picture of two colors as a data URL. */
const drawImage = (page: Page, color: string): Promise<string> =>
  page.evaluate(
    `(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 120 })
      const context = canvas.getContext('2d')
      for (const [index, style] of ['${color}', 'gray', 'white', 'black'].entries()) {
        context.fillStyle = style
        context.fillRect(index * 40, index * 10, 120, 80)
      }
      return canvas.toDataURL('image/png')
    })()`,
  )

/** Opens a page with a text, with the cursor at its end. */
async function openPage(body: string, options: Parameters<typeof openEditor>[3] = {}) {
  const edited = await createEditedPage(octavo, body)
  const { page } = await openEditor(browser, octavo, edited.path, { bypassCSP: true, ...options })
  await text(page).click()
  await page.keyboard.press('Control+End')
  return { ...edited, page }
}

const listFiles = async ({ params }: { params: { spaceId: string; changeRequestId: string } }) =>
  (await octavo.admin.api.listFilesInChangeRequestById({ params, query: {} })).items

const createSvg = (name: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><title>${name}</title><script>top.isHacked = true</script><rect width="200" height="80"/></svg>`

test('pasted images with data URLs become files of the space where they were', async () => {
  const { page, read, proposal } = await openPage('Before.')
  const [red, blue] = [await drawImage(page, 'red'), await drawImage(page, 'blue')]
  const changes: string[] = []
  page.on('request', (request) => void (/\/content\b/.test(request.url()) && changes.push(request.postData() ?? '')))
  await page.keyboard.press('Enter')
  await paste(page, {
    'text/html': `<p>First</p><p><img src="${red}" alt="A chart"></p><p>Second <img src="${red}" alt="chart"> here</p><figure><img src="${blue}"><figcaption>Blue</figcaption></figure><table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td><img src="${blue}" alt="cell"></td></tr></table><p>Third</p><p><img src="data:image/svg+xml,${encodeURIComponent(createSvg('Plan'))}" alt="Drawing"></p>`,
  })
  await text(page).locator('figure img').nth(3).waitFor()
  await page.keyboard.type('After.')
  const blocks = [
    'Before.',
    'First',
    '<figure><img src="/files/1" alt="A chart"><figcaption></figcaption></figure>',
    'Second <img src="/files/1" alt="chart"> here',
    '<figure><img src="/files/2" alt=""><figcaption><p>Blue</p></figcaption></figure>',
    '| A | B |\n| - | - |\n| x | <figure><img src="/files/2" alt="cell"><figcaption></figcaption></figure> |',
    'Third',
    '<figure><img src="/files/3" alt="Drawing"><figcaption></figcaption></figure>',
    'After.',
  ]
  /** Returns the Markdown with numbers instead of the IDs of files, and without the padding of tables. */
  const readNumbered = async () => {
    const ids: string[] = []
    const numbered = (await read()).replace(/\/files\/(\w+)/g, (_, id: string) => {
      if (!ids.includes(id)) ids.push(id)
      return `/files/${ids.indexOf(id) + 1}`
    })
    return numbered.replace(/ {2,}/g, ' ').replace(/-{2,}/g, '-')
  }
  await eventually(readNumbered).toBe(`${blocks.join('\n\n')}\n`)
  expect((await listFiles(proposal)).map(({ name }) => name).toSorted()).toEqual([
    'image.png',
    'image.png',
    'image.svg',
  ])
  expect(changes.filter((body) => /upload:|data:image/.test(body))).toEqual([])
  expect(await page.evaluate('window.isHacked')).toBe(undefined)
  await inspectPage(page, 'app-pasted-images')
  await page.setViewportSize(phone.viewport)
  await inspectPage(page, 'app-pasted-images-phone')
})

const toImage = (bytes: string, type = 'image/png') =>
  `<img src="data:${type};base64,${Buffer.from(bytes).toString('base64')}">`

test('pasted images that are too many, too large or damaged are left out, and the text remains', async () => {
  const { page, read, proposal } = await openPage('', { expects: [/409/] })
  const asked: string[] = []
  await page.route(/\/storage\/upload/, async (route) => {
    asked.push(route.request().postData() ?? '')
    await route.fulfill({ status: 409, json: { error: { code: 409, message: 'Refused' } } })
  })
  const damaged = [
    '<img src="data:image/png;base64,%%%">',
    `<img src="data:image/png;base64,${'*'.repeat(400)}">`,
    toImage(`<html><script>alert(1)</script>${' '.repeat(200)}</html>`),
    toImage('x'.repeat(400), 'image/tiff'),
    `<img src="data:text/html,${'x'.repeat(400)}">`,
    `<img src="data:image/png;base64,${'A'.repeat(20 * 1024 * 1024)}">`,
    // A placeholder of a page that loads its images later.
    '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">',
  ]
  await paste(page, { 'text/html': `<p>One</p>${damaged.join('')}<p>Two <img src="upload:0"></p>` })
  await page.getByText('was not added: The image is too large or damaged').first().waitFor()
  await eventually(read).toBe('One\n\nTwo\n')
  expect(asked).toEqual([])
  const many = Array.from({ length: 60 }, (_, index) => toImage(createSvg(`Image ${index}`), 'image/svg+xml'))
  await page.keyboard.press('Enter')
  await paste(page, { 'text/html': `<p>Three</p>${many.join('')}<p>Four</p>` })
  await page.getByText('At most 50 images can be pasted at once.').waitFor()
  await eventually(() => asked.length).toBe(50)
  await eventually(read).toBe('One\n\nTwo\n\nThree\n\nFour\n')
  expect(await listFiles(proposal)).toEqual([])
})
