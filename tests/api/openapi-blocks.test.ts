import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { hours, seconds } from '../../src/kernel/time.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { operationMarkdown, schemasMarkdown, storeSpec, webhookMarkdown } from '../support/openapi-blocks.ts'
import { petSpec, putSpec } from '../support/openapi.ts'
import { countSheets, downloadPdf } from '../support/pdf.ts'
import { publishPages, publishSpaces } from '../support/published-sites.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'
import { serveWebsite } from '../support/website-server.ts'

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

/** Waits until a page shows a text. */
const waitForWords = (url: string, words: string) =>
  waitUntil(async () => {
    const shown = await readWords(url)
    return shown.includes(words) && shown
  }, `${url} shows ${words}`)

const createPage = (...blocks: string[]) => `# Reference\n\nText before.\n\n${blocks.join('\n\n')}\n\nText after.`

const withTitle = (summary: string) => petSpec('Pets', { paths: { '/pets': { get: { summary, responses: {} } } } })

const publishReference = () =>
  publishPages(octavo, [
    insertPage(
      createPage(
        operationMarkdown('store', 'get', '/orders'),
        operationMarkdown('store', 'post', '/orders'),
        schemasMarkdown('store', ['Order']),
        webhookMarkdown('store', 'order.created'),
        operationMarkdown('store', 'get', '/invoices'),
      ),
    ),
  ])

const linkMarkdown = (src: string, path = '/orders') =>
  `{% openapi src="${src}" path="${path}" method="get" %}\n[${src}](${src})\n{% endopenapi %}`

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
    expect(words).toContain('Models: Invoice This is no longer in the OpenAPI specification.')
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

describe('other outputs', () => {
  test('Markdown contains operations as text, tables and code', async () => {
    const { base } = await publishReference()
    const markdown = await read(`${base}index.md`)
    expect(markdown).toContain('## List orders\n\n**GET** `https://api.store.test/v1/orders`')
    expect(markdown).toContain('Returns **all** orders of the store.')
    expect(markdown).toContain('### Query parameters')
    expect(markdown).toMatch(/\| `limit` +\| integer +\| .*Number of orders\..*Default: `20`/)
    expect(markdown).toMatch(/\| `customer\.email` +\| string \(email\)/)
    expect(markdown).toMatch(/`item` +\| string, required/)
    expect(markdown).toContain('```sh\ncurl -X POST "https://api.store.test/v1/orders"')
    expect(markdown).toContain('## Models\n\n### Order')
    expect(markdown).toContain('**POST** `order.created`')
    expect(markdown).toMatch(/\*\*GET\*\* `\/invoices`\n\n_This is no longer in the OpenAPI specification\._/)
    expect(markdown).not.toContain('{% openapi')
    expect(await read(`${base}llms-full.txt`)).toContain(markdown)
  })

  test('an MCP client reads operations', async () => {
    const { base } = await publishReference()
    const reply = await fetch(`${base}~mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'read_page', arguments: { page: base } },
      }),
    })
    expect(await reply.text()).toContain('Returns **all** orders of the store.')
  })

  test('cached Markdown changes with a new version', async () => {
    await putSpec(octavo.admin, 'printed', json(withTitle('First title')))
    const { base } = await publishPages(octavo, [insertPage(createPage(operationMarkdown('printed', 'get', '/pets')))])
    const outputs = ['index.md', 'llms-full.txt']
    for (const output of [...outputs, ...outputs]) expect(await read(base + output)).toContain('## First title')
    await putSpec(octavo.admin, 'printed', json(withTitle('Second title')))
    for (const output of outputs) expect(await read(base + output)).toContain('## Second title')
  })

  test('a PDF contains operations', async () => {
    const { spaceId } = await publishReference()
    const plain = await emptySpace(octavo.admin, 'Plain')
    await editLive(octavo.admin, plain, insertPage(createPage()))
    const countPages = async (id: string): Promise<number> => {
      const { url } = await octavo.admin.api.getSpacePdf({ params: { spaceId: id }, query: {} })
      return countSheets(await downloadPdf(url))
    }
    expect(await countPages(spaceId)).toBeGreaterThan((await countPages(plain)) + 1)
  })
})

describe('a block that names a file or URL', () => {
  test('shows the operation of a file of the space', async () => {
    const spaceId = await emptySpace(octavo.admin, 'Files')
    const [valid, invalid] = await addFiles(
      octavo.admin,
      spaceId,
      inlineFile('api.yaml', Buffer.from(stringify(storeSpec())), 'application/yaml'),
      inlineFile('other.yaml', Buffer.from('no: specification'), 'application/yaml'),
    )
    await editLive(
      octavo.admin,
      spaceId,
      insertPage(createPage(linkMarkdown(`/files/${valid?.id}`))),
      insertPage(createPage(linkMarkdown(`/files/${invalid?.id}`)), { slug: 'invalid' }),
      insertPage(createPage(linkMarkdown('/files/unknown')), { slug: 'unknown' }),
    )
    const { base } = await publishSpaces(octavo, [spaceId])
    expect(await readWords(base)).toMatch(/Text before\..*GET \/orders.*Text after\./)
    expect(await waitForWords(base, 'List orders')).toContain('Returns all orders of the store.')
    expect(await read(`${base}index.md`)).toContain('## List orders')
    for (const slug of ['invalid', 'unknown'])
      expect(await readWords(base + slug)).toContain('GET /orders The OpenAPI specification is not available.')
  })

  test('shows the operations of more files than are queued at once', async () => {
    const own = await serverForTest()
    const spaceId = await emptySpace(own.admin, 'Files')
    const specs = Array.from({ length: 25 }, (_, index) =>
      inlineFile(`${index}.json`, Buffer.from(JSON.stringify(storeSpec({ 'x-number': index }))), 'application/json'),
    )
    const files = [
      ...(await addFiles(own.admin, spaceId, ...specs.slice(0, 20))),
      ...(await addFiles(own.admin, spaceId, ...specs.slice(20))),
    ]
    await editLive(own.admin, spaceId, insertPage(createPage(...files.map(({ id }) => linkMarkdown(`/files/${id}`)))))
    const { base } = await publishSpaces(own, [spaceId])
    await waitUntil(async () => {
      own.clock.advance(seconds(10))
      return (await readWords(base)).split('Returns all orders of the store.').length === 26
    }, 'all operations are shown')
  })

  test('shows the operation of a URL, and fetches it again after some hours', async () => {
    const own = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
    let summary = 'First title'
    const website = await serveWebsite({
      '/api.json': () => {
        const document = petSpec('Pets', { paths: { '/orders': { get: { summary, responses: {} } } } })
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) }
      },
    })
    const { base } = await publishPages(own, [insertPage(createPage(linkMarkdown(`${website.url}/api.json`)))])
    expect(await readWords(base)).toContain('The OpenAPI specification is not available.')
    await waitForWords(base, 'First title')
    summary = 'Second title'
    for (let count = 0; count < 3; count++) expect(await readWords(base)).toContain('First title')
    expect(website.requestedPaths).toHaveLength(1)
    own.clock.advance(hours(7))
    await waitForWords(base, 'Second title')
    expect(website.requestedPaths).toHaveLength(2)
  })

  test('does not request addresses of the private network', async () => {
    const own = await serverForTest()
    const { base } = await publishPages(own, [insertPage(createPage(linkMarkdown('http://127.0.0.1:9/api.json')))])
    await readWords(base)
    await waitUntil(async () => {
      const rows = await own.server.app.database.reader.selectFrom('linked_specs').selectAll().execute()
      return rows.some(({ state, error }) => state === 'failed' && /private/.test(error ?? ''))
    }, 'the URL is refused')
    expect(await readWords(base)).toContain('The OpenAPI specification is not available.')
  })
})

test('a page shows 60 operations in full, and only the names of others', async () => {
  const operations = Array.from({ length: 61 }, () => operationMarkdown('store', 'get', '/orders'))
  const { base } = await publishPages(octavo, [insertPage(createPage(...operations))])
  const html = await read(base)
  expect(html.match(/<div class="operation"/g)?.length ?? 0).toBe(60)
  expect(html.match(/class="endpoint"/g)?.length).toBe(61)
  expect((await read(`${base}index.md`)).match(/^\*\*GET\*\* `\/orders`$/gm)?.length).toBe(1)
})

test('the pages that use a specification are listed, as far as the caller can see them', async () => {
  const { api, organizationId } = octavo.admin
  const spec = await putSpec(octavo.admin, 'listed', json(storeSpec()))
  const spaceId = await emptySpace(octavo.admin)
  const [bySlug, byId] = await editLive(
    octavo.admin,
    spaceId,
    insertPage(createPage(operationMarkdown('listed', 'get', '/orders')), { title: 'By slug' }),
    insertPage(createPage(schemasMarkdown(spec.id, ['Order'])), { title: 'By ID' }),
    insertPage(createPage(operationMarkdown('store', 'get', '/orders')), { title: 'Another specification' }),
  )
  const params = { organizationId, specSlug: 'listed' }
  const list = await api.listOpenApiSpecBacklinks({ params, query: { limit: 1 } })
  const rest = await api.listOpenApiSpecBacklinks({ params, query: { limit: 1, page: list.next?.page } })
  const pages = [...list.items, ...rest.items].map((item) => item.kind === 'page' && item.page)
  expect([list.count, rest.next, pages.toSorted()]).toEqual([2, undefined, [bySlug, byId].toSorted()])
  await api.updateSpaceById({ params: { spaceId }, body: { defaultLevel: null } })
  const reader = await octavo.member('read')
  expect(await reader.api.listOpenApiSpecBacklinks({ params, query: {} })).toMatchObject({ count: 0, items: [] })
})
