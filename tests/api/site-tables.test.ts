import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertPage } from '../support/content.ts'
import { checkSpace } from '../support/official-documents.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const markdown = `# Tables

| **Name** | [Details](https://example.com/details) | Text |
| -------- | -------------------------------------- | ---- |
| one | <p>first</p><p>second</p> | <ul><li>a</li><li>b</li></ul> |
| two | <p>unclosed<p>**bold** | \`x || y\` |
| three | <code>a \\| b</code> | A text that is so long that its column needs room for more than a few words on each of its lines |
| | | |

* Item {% if space.vars.any !== "x" %}
  shown in the item {% endif %}
* Next

  {% hint style="info" %}
  Hint in an item
  {% endhint %}
`

test('tables and list items of a published page are rendered without leftover markup', async () => {
  const { base, spaceId, pages } = await publishPages(octavo, [insertPage(markdown)])
  const html = await (await fetch(base)).text()
  const content = html.slice(html.indexOf('class="content'), html.indexOf('</article>'))
  expect(content).toMatch(/<p[^>]*>first<\/p><p>second<\/p>/)
  expect(content).toMatch(/<ul[^>]*><li>a<\/li><li>b<\/li><\/ul>/)
  expect(content).toContain('<code>x || y</code>')
  expect(content).toContain('<code>a | b</code>')
  expect(content).toMatch(/<th[^>]*><strong>Name<\/strong><\/th>/)
  expect(content).toMatch(/<th[^>]*><a href="https:\/\/example.com\/details"/)
  expect(content).toMatch(/<th[^>]* class="much-room"[^>]*>Text<\/th>/)
  expect(content.match(/<tr>/g)).toHaveLength(4)
  expect(content).toContain('shown in the item')
  expect(content).toContain('Hint in an item')
  expect(content).not.toMatch(/&lt;|\{%/)

  expect(await checkSpace(octavo, spaceId)).toBe(1)
  const params = { spaceId, pageId: pages[0] ?? '' }
  const page = await octavo.admin.api.getPageById({ params, query: { format: 'document' } })
  const titles = JSON.stringify('document' in page ? page.document : {}).matchAll(/"title":"(\w*)"/g)
  expect(Array.from(titles, ([, title]) => title)).toEqual(['Name', 'Details', 'Text'])
})
