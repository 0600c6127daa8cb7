import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPage } from '../support/content.ts'
import { operationMarkdown, schemasMarkdown, storeSpec, webhookMarkdown } from '../support/openapi-blocks.ts'
import { petSpec, putSpec } from '../support/openapi.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  await putSpec(octavo.admin, 'store', json(storeSpec()))
})
afterAll(() => octavo.stop())

const json = (value: unknown) => ({ text: JSON.stringify(value) })

async function read(url: string, init: RequestInit = {}): Promise<string> {
  const reply = await fetch(url, init)
  expect([url, reply.status]).toEqual([url, 200])
  return reply.text()
}

/** Returns the visible text of the main part of a page. */
async function readWords(url: string): Promise<string> {
  const html = await read(url)
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  return main
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
}

const createPage = (...blocks: string[]) => `# Reference\n\nText before.\n\n${blocks.join('\n\n')}\n\nText after.`

describe('a published page', () => {
  test('shows operations, schemas and webhooks of a specification', async () => {
    const { base } = await publishPages(octavo, [
      insertPage(
        createPage(
          operationMarkdown('store', 'get', '/orders'),
          operationMarkdown('store', 'post', '/orders'),
          schemasMarkdown('store', ['Order', 'Problem']),
          webhookMarkdown('store', 'order.created'),
        ),
      ),
    ])
    const words = await readWords(base)
    expect(words).toMatch(/Text before\. .*List orders .*Create an order .*Models .*Order created .*Text after\./)
    expect(words).toContain('Returns all orders of the store.')
    expect(words).toContain('limit integer')
    expect(words).toContain('Number of orders.')
    expect(words).toContain('curl "https://api.store.test/v1/orders"')
    expect(words).toContain('"item"')
    const html = await read(base)
    expect(html).toMatch(/<link rel="stylesheet" href="[^"]*openapi[^"]*\.css"/)
    expect(html).toMatch(/href="#[\w-]*~query\.limit"/)
    expect(html).not.toContain('This cannot be shown here')
  })

  test('lists operations in its outline by their titles', async () => {
    const { base } = await publishPages(octavo, [
      insertPage(
        `${createPage(operationMarkdown('store', 'get', '/orders'), operationMarkdown('store', 'delete', '/orders/{orderId}'))}\n\n## More`,
      ),
    ])
    const html = await read(base)
    const outline = Array.from(html.matchAll(/<a href="#([^"~]*)"[^>]*>(?:<[^>]*>)*([^<]+)/g), ([, id, title]) => [
      id,
      title,
    ])
    expect(outline).toEqual(
      expect.arrayContaining([
        ['get-orders', 'List orders'],
        ['delete-orders-orderid', 'Cancel an order'],
      ]),
    )
    for (const [id] of outline) expect(html).toContain(`id="${id}"`)
  })

  test('without OpenAPI blocks does not load their styles', async () => {
    const { base } = await publishPages(octavo, [insertPage('# Plain\n\nText')])
    expect(await read(base)).not.toMatch(/openapi[^"]*\.css/)
  })

  test('shows a new version of a specification with the next request', async () => {
    const withTitle = (summary: string) => petSpec('Pets', { paths: { '/pets': { get: { summary, responses: {} } } } })
    await putSpec(octavo.admin, 'changing', json(withTitle('First title')))
    const { base } = await publishPages(octavo, [insertPage(createPage(operationMarkdown('changing', 'get', '/pets')))])
    for (let count = 0; count < 3; count++) expect(await readWords(base)).toContain('First title')
    await putSpec(octavo.admin, 'changing', json(withTitle('Second title')))
    expect(await readWords(base)).toContain('Second title')
    const { organizationId, api } = octavo.admin
    await api.deleteOpenApiSpecBySlug({ params: { organizationId, specSlug: 'changing' } })
    expect(await readWords(base)).toContain('GET /pets The OpenAPI specification is not available.')
    await putSpec(octavo.admin, 'changing', json(withTitle('Third title')))
    expect(await readWords(base)).toContain('Third title')
  })

  test('shows a notice for what the specification does not contain, and the text around it', async () => {
    const { base } = await publishPages(octavo, [
      insertPage(
        createPage(
          operationMarkdown('store', 'get', '/invoices'),
          webhookMarkdown('store', 'order.shipped'),
          schemasMarkdown('store', ['Invoice']),
          operationMarkdown('unknown', 'get', '/orders'),
        ),
      ),
    ])
    const words = await readWords(base)
    expect(words).toContain('GET /invoices This is no longer in the OpenAPI specification.')
    expect(words).toContain('POST order.shipped This is no longer in the OpenAPI specification.')
    expect(words).toContain('Models This is no longer in the OpenAPI specification.')
    expect(words).toContain('GET /orders The OpenAPI specification is not available.')
    expect(words).toContain('Text before.')
    expect(words).toContain('Text after.')
  })

  test('refers to a specification by its ID too', async () => {
    const { id } = await putSpec(octavo.admin, 'by-id', json(storeSpec()))
    const { base } = await publishPages(octavo, [insertPage(createPage(operationMarkdown(id, 'get', '/orders')))])
    expect(await readWords(base)).toContain('List orders')
  })

  test('does not show specifications of other organizations', async () => {
    const other = await serverForTest()
    const { id } = await putSpec(octavo.admin, 'secret', json(storeSpec()))
    const { base } = await publishPages(other, [
      insertPage(createPage(operationMarkdown('secret', 'get', '/orders'), operationMarkdown(id, 'get', '/orders'))),
    ])
    const words = await readWords(base)
    expect(words).not.toContain('List orders')
    expect(words).toContain('The OpenAPI specification is not available.')
  })
})
