import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { browserForFile, eventually, getFocusedName, phone, takeScreenshot } from '../support/browser.ts'
import { type RecordingApi, startRecordingApi } from '../support/recording-api.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { serveTryItPage } from '../support/try-it-page.ts'

const browser = browserForFile()
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let octavo: TestServer
let api: RecordingApi
let page: Awaited<ReturnType<typeof serveTryItPage>>

const petDocument = (url: string) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [
    { url: `${url}/{version}`, variables: { version: { default: 'v1', enum: ['v1', 'v2'] } } },
    { url: 'https://api.example.com' },
  ],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      login: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
  },
  security: [{ bearer: [] }, { login: [] }, { key: [] }, {}],
  paths: {
    '/pets/{petId}': {
      put: {
        summary: 'Replace a pet',
        parameters: [
          { name: 'petId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'notify', in: 'query', schema: { type: 'boolean' } },
          { name: 'status', in: 'query', required: true, schema: { type: 'string', enum: ['new', 'sold'] } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'X-Request-Id', in: 'header', schema: { type: 'string', format: 'uuid' } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { example: { name: 'Rex', age: 3 } } },
        },
        responses: { 200: { description: 'The pet' } },
      },
    },
    '/photos': {
      post: {
        summary: 'Upload a photo',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['photo'],
                properties: { photo: { type: 'string', format: 'binary' }, caption: { type: 'string' } },
              },
            },
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { caption: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { description: 'Created' } },
      },
    },
    '/hidden': { get: { 'x-hideTryItPanel': true, responses: {} } },
  },
})

beforeAll(async () => {
  octavo = await startTestServer()
  api = await startRecordingApi()
  page = await serveTryItPage(petDocument(api.url))
})
beforeEach(() => {
  api.requests.length = 0
  api.reply = {}
  api.allowsOrigins = true
})
afterAll(async () => {
  await page.stop()
  await api.stop()
  await octavo.stop()
})

const openPage = (options: Parameters<typeof browser.open>[1] = {}) =>
  browser.open(page.url, { origins: [new URL(api.url).origin], ...options })

async function openPanel(tab: Page, name: string) {
  const operation = tab.locator('.operation').filter({ hasText: name })
  await operation.getByRole('button', { name: 'Try it' }).click()
  return tab.getByRole('dialog')
}

/** Returns the status of the response, which screen readers announce. */
const messageOf = (panel: Locator) => panel.locator('.try-it-message[role=status]').textContent()

test('a reader fills in a form, and the API receives exactly this request', async () => {
  const { page: tab } = await openPage()
  const panel = await openPanel(tab, 'petId')
  await panel.getByLabel('petId').fill('a/b c')
  await panel.getByLabel('status').selectOption('sold')
  await panel.getByLabel('notify').selectOption('true')
  await panel.getByLabel('tags').fill('red, blue')
  await panel.getByLabel('X-Request-Id').fill('42')
  await panel.getByLabel('version').selectOption('v2')
  await panel.getByLabel('Token').fill('secret-token')
  expect(await panel.getByLabel('Body').inputValue()).toBe('{\n  "name": "Rex",\n  "age": 3\n}')
  await panel.getByLabel('Body').fill('{"name": "Luna"}')
  api.reply = { status: 201, headers: { 'x-rate-limit': '9' }, body: '{"id":12345678901234567890,"tags":["a",{}]}' }
  const curl = panel.getByLabel('curl')
  expect(await curl.textContent()).toContain(`-H "Authorization: Bearer $TOKEN"`)
  expect(await curl.textContent()).toContain(`${api.url}/v2/pets/a%2Fb%20c?notify=true&status=sold&tags=red&tags=blue`)
  expect(await curl.textContent()).not.toContain('secret-token')
  await panel.getByLabel('Request', { exact: true }).selectOption('Python')
  const python = panel.getByLabel('Python')
  expect(await python.textContent()).toContain(`requests.put(\n    "${api.url}/v2/pets/a%2Fb%20c?notify=true`)
  expect(await python.textContent()).toContain('json={ "name": "Luna" }')
  await panel.getByLabel('X-Request-Id').fill('43')
  expect(await python.textContent()).toContain('"X-Request-Id": "43"')
  await panel.getByLabel('X-Request-Id').fill('42')
  await panel.getByRole('button', { name: 'Send' }).click()
  await eventually(() => messageOf(panel)).toContain('201 Created')
  const [request] = api.requests
  expect(request).toMatchObject({
    method: 'PUT',
    url: '/v2/pets/a%2Fb%20c?notify=true&status=sold&tags=red&tags=blue',
    body: '{"name": "Luna"}',
    headers: { authorization: 'Bearer secret-token', 'content-type': 'application/json', 'x-request-id': '42' },
  })
  expect(request?.headers).not.toHaveProperty('cookie')
  expect(request?.headers).not.toHaveProperty('referer')
  // Digits that a number of JavaScript cannot have are kept.
  expect(await panel.getByLabel('Response', { exact: true }).last().textContent()).toBe(
    '{\n  "id": 12345678901234567890,\n  "tags": [\n    "a",\n    {}\n  ]\n}',
  )
  await panel.getByText('Headers (').click()
  expect(await panel.getByText('x-rate-limit').count()).toBe(1)
  await takeScreenshot(tab, 'try-it')
})

test('credentials are kept for the tab only, and are part of no URL of the page', async () => {
  const { page: tab, context } = await openPage()
  const panel = await openPanel(tab, 'petId')
  await panel.getByLabel('Authorization', { exact: true }).last().selectOption('login')
  await panel.getByLabel('User name').fill('ada')
  await panel.getByLabel('Password').fill('lövelace')
  await panel.getByLabel('petId').fill('1')
  await panel.getByLabel('status').selectOption('new')
  await panel.getByRole('button', { name: 'Send' }).click()
  await eventually(() => api.requests.length).toBe(1)
  const basic = Buffer.from('ada:lövelace').toString('base64')
  expect(api.requests[0]?.headers.authorization).toBe(`Basic ${basic}`)
  await tab.reload()
  const reopened = await openPanel(tab, '/photos')
  await reopened.getByLabel('Authorization', { exact: true }).last().selectOption('login')
  expect(await reopened.getByLabel('Password').inputValue()).toBe('lövelace')
  expect(tab.url()).toBe(page.url)
  expect(await tab.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('velace')
  const other = await context.newPage()
  await other.goto(page.url)
  const fresh = await openPanel(other, '/photos')
  await fresh.getByLabel('Authorization', { exact: true }).last().selectOption('login')
  expect(await fresh.getByLabel('Password').inputValue()).toBe('')
})

test('a reader sends a file and form fields', async () => {
  const { page: tab } = await openPage()
  const panel = await openPanel(tab, '/photos')
  await panel
    .getByLabel('photo')
    .setInputFiles({ name: 'rex.png', mimeType: 'image/png', buffer: Buffer.from('PIXELS') })
  await panel.getByLabel('caption').fill('Rex')
  await panel.getByRole('button', { name: 'Send' }).click()
  await eventually(() => api.requests.length).toBe(1)
  expect(api.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(api.requests[0]?.body).toContain('name="photo"; filename="rex.png"\r\nContent-Type: image/png\r\n\r\nPIXELS')
  expect(api.requests[0]?.body).toContain('name="caption"\r\n\r\nRex')
  await eventually(() => panel.getByRole('button', { name: 'Send' }).isVisible()).toBe(true)
  await panel.getByLabel('Content type').selectOption('application/x-www-form-urlencoded')
  await panel.getByLabel('caption').fill('a&b=c')
  await panel.getByRole('button', { name: 'Send' }).click()
  await eventually(() => api.requests.length).toBe(2)
  expect(api.requests[1]?.body).toBe('caption=a%26b%3Dc')
})

test('an API that does not allow other origins is explained, and a slow request can be cancelled', async () => {
  const { page: tab } = await openPage({ expects: [/CORS|failed|ERR_FAILED/] })
  const panel = await openPanel(tab, '/photos')
  await panel.getByLabel('Content type').selectOption('application/x-www-form-urlencoded')
  await panel.getByLabel('caption').fill('Rex')
  api.allowsOrigins = false
  await panel.getByRole('button', { name: 'Send' }).click()
  await eventually(() => messageOf(panel)).toContain('CORS')
  api.allowsOrigins = true
  api.reply = { delay: 'never' }
  await panel.getByRole('button', { name: 'Send' }).press('Enter')
  await panel.getByRole('button', { name: 'Cancel' }).waitFor()
  expect(await getFocusedName(tab)).toBe('Cancel')
  await tab.keyboard.press('Enter')
  await eventually(() => messageOf(panel)).toBe('The request was cancelled.')
  expect(await getFocusedName(tab)).toBe('Send')
  await tab.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  expect(await getFocusedName(tab)).toBe('Try it')
})

test('binary and long bodies are bounded and can be downloaded', async () => {
  const { page: tab } = await openPage()
  const panel = await openPanel(tab, '/photos')
  await panel.getByLabel('Content type').selectOption('application/x-www-form-urlencoded')
  await panel.getByLabel('caption').fill('Rex')
  api.reply = { headers: { 'content-type': 'image/png' }, body: Buffer.from([0x89, 0x50, 0, 1, 2, 0xff]) }
  await panel.getByRole('button', { name: 'Send' }).click()
  const link = panel.getByRole('link', { name: 'Download' })
  await link.waitFor()
  const [download] = await Promise.all([tab.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('response.png')
  api.reply = { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(1_500_000) }
  await panel.getByRole('button', { name: 'Send' }).click()
  await panel.getByText('Only the first').waitFor()
  expect((await panel.getByLabel('Response', { exact: true }).last().textContent())?.length).toBe(200_000)
  api.reply = { headers: { 'content-type': 'text/html' }, body: '<script>document.title = "attack"</script>' }
  await panel.getByRole('button', { name: 'Send' }).click()
  await panel.getByText('<script>').waitFor()
  expect(await tab.title()).not.toBe('attack')
})

test('required values are checked before sending', async () => {
  const { page: tab } = await openPage()
  const panel = await openPanel(tab, 'petId')
  await panel.getByRole('button', { name: 'Send' }).click()
  expect(await panel.locator(':invalid:focus').count()).toBe(1)
  await panel.getByLabel('petId').fill('..')
  await panel.getByLabel('status').selectOption('new')
  await panel.getByRole('button', { name: 'Send' }).click()
  await eventually(() => messageOf(panel)).toContain('cannot be sent')
  await panel.getByLabel('Body').fill('{"name":')
  await panel.getByText('This is not valid JSON.').waitFor()
  expect(api.requests).toEqual([])
})

test('only operations that may be tried have the button, and only with scripts', async () => {
  const { page: tab } = await openPage()
  expect(await tab.getByRole('button', { name: 'Try it' }).count()).toBe(2)
  const { page: plain } = await openPage({ javaScriptEnabled: false })
  expect(await plain.getByText('Try it').first().isVisible()).toBe(false)
})

test('the panel is accessible and fits, with both themes', async () => {
  for (const theme of ['light', 'dark'] as const)
    for (const [size, options] of [['wide', {}] as const, ['phone', phone] as const]) {
      const { page: tab } = await openPage({ ...options, bypassCSP: true })
      await tab.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      const panel = await openPanel(tab, 'petId')
      await takeScreenshot(tab, `try-it-${size}-${theme}`)
      await panel.getByLabel('petId').fill('1')
      await panel.getByLabel('status').selectOption('new')
      await panel.getByRole('button', { name: 'Send' }).click()
      await panel.getByText('200 OK').waitFor()
      await panel.getByText('200 OK').scrollIntoViewIfNeeded()
      await takeScreenshot(tab, `try-it-${size}-${theme}-response`)
      expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      await tab.addScriptTag({ path: axe })
      const violations = await tab.evaluate(async () => {
        const { axe: checker } = globalThis as unknown as {
          axe: { run: (target: string) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
        }
        const result = await checker.run('.try-it-panel')
        return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      })
      expect(violations, `${size} ${theme}`).toEqual([])
    }
})

test("the server's own API reference sends requests with the token of the reader", async () => {
  const { page: tab } = await browser.open(`${octavo.url}/docs/api/getAuthenticatedUser`)
  const panel = await openPanel(tab, '/user')
  await panel.getByLabel('Token').fill(octavo.admin.token)
  await panel.getByRole('button', { name: 'Send' }).click()
  await panel.getByText('200 OK').waitFor()
  expect(await panel.getByLabel('Response', { exact: true }).last().textContent()).toContain(octavo.admin.email)
})
