import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertPage, readLive } from '../support/content.ts'
import { officialProblems } from '../support/official-documents.ts'
import { publishPages } from '../support/published-sites.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { visit } from '../support/visits.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const markdown = `<!-- hushed one -->

Walrus before <!-- hushed two --> and after, <u>underlined</u>, <small>small</small>, <font color="#ff0000">red</font>,
<span class="x">spanned</span>, <b>bold</b> and a placeholder <name>.

<a name="old-place"></a>
## Section <!-- hushed three -->

<div align="center">

In the middle

<!-- hushed

four -->

</div>

* Item <!-- hushed five -->

  <details>

  <summary>More <i>here</i></summary>

  Inside <!-- hushed six -->

  </details>

| Cell <!-- hushed seven --> | Other |
| --- | --- |
| <!-- hushed eight --> x | <ins>y</ins> |

{% hint style="info" %}
<!-- hushed nine -->
Hinted
{% endhint %}

<p align="center">
  <img src="https://example.com/a.png" width="200">
</p>
Behind the picture

<script>
hushed()
</script>

<style>.hushed { color: red }</style>

<section>

Go [back](#old-place) <script>hushed()</script>

</div>
`

const escapedTag = /&lt;(?!name&gt;)[/!a-z]/i

test('removes comments and unsupported tags from every output for visitors and keeps them for members', async () => {
  const { base, spaceId, pages } = await publishPages(octavo, [insertPage(`# Start\n\n${markdown}`)])
  await waitUntilSearchable(octavo, spaceId)
  const client = new Client({ name: 'tests', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}~mcp`)))
  const call = async (name: string, given: Record<string, unknown>) =>
    JSON.stringify(await client.callTool({ name, arguments: given }))

  const { api } = await visit(octavo, base)
  const params = { spaceId, pageId: pages[0] as string }
  const asVisitor = async (format: 'document' | 'markdown') =>
    JSON.stringify(await api.getPageById({ params, query: { format, evaluated: false } }))

  const text = async (path: string) => (await fetch(base + path)).text()
  const forms: [string, string][] = [
    ['page', await text('')],
    ['Markdown', await text('index.md')],
    ['list of pages', await text('llms.txt')],
    ['all pages', await text('llms-full.txt')],
    ['search', await text('~search.json?q=walrus')],
    ['search page', await text('~search?q=walrus')],
    ['assistant', await call('read_page', { page: base })],
    ['search of assistant', await call('search', { query: 'walrus' })],
    ['document', await asVisitor('document')],
    ['Markdown of the API', await asVisitor('markdown')],
  ]
  for (const [form, shown] of forms) {
    expect([form, shown.includes('hushed')]).toEqual([form, false])
    expect([form, escapedTag.exec(shown)?.[0]]).toEqual([form, undefined])
  }
  expect(await text('~search.json?q=hushed')).not.toContain('Start')
  const [, html] = forms[0] as [string, string]
  for (const part of [
    '<u>underlined</u>',
    '<small>small</small>',
    'id="old-place"',
    '<p class="text-center">In the middle',
  ])
    expect(html).toContain(part)
  for (const word of ['Inside', 'Hinted', 'Behind the picture', 'spanned', 'src="https://example.com/a.png"'])
    expect(html).toContain(word)

  const { markdown: kept = '' } = (await readLive(octavo.admin, spaceId, params.pageId)) as { markdown?: string }
  for (const word of ['one', 'two', 'three', 'five', 'six', 'eight', 'nine'])
    expect(kept).toContain(`<!-- hushed ${word} -->`)
  expect(kept).toContain('<font color="#ff0000">red</font>')
  const query = { format: 'document', evaluated: false } as const
  const { document } = (await octavo.admin.api.getPageById({ params, query })) as { document: object }
  expect(officialProblems(document)).toEqual([])
  expect(JSON.stringify(document)).toContain('<!-- hushed two -->')
})
