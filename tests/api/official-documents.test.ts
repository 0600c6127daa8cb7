import { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, updatePage } from '../support/content.ts'
import { documentWithEveryBlock, placeholderTargets } from '../support/every-block.ts'
import { checkSpace, officialProblems } from '../support/official-documents.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Replies contain all fields that the public schema requires, even if they are not stored.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

test('a document with every block matches the public schema, and is unchanged when it is sent back', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const document = documentWithEveryBlock(placeholderTargets)
  const [pageId = ''] = await editLive(octavo.admin, spaceId, {
    operation: 'insert_page',
    title: 'All',
    document: { document },
  })
  expect(await checkSpace(octavo, spaceId)).toBe(1)
  const evaluated = await octavo.admin.api.getPageById({ params: { spaceId, pageId }, query: { format: 'document' } })
  expect(officialProblems('document' in evaluated ? (evaluated.document ?? {}) : {})).toEqual([])
})

const markdown = `# Written

## One <a href="#Über" id="Über"></a>

| Left | None |
| :--- | ---- |
| a    | b    |

{% updates format="full" %}
{% update date="2026-01-31T00:00:00.000Z" %}
New
{% endupdate %}

{% update date="2026-01-30" %}
Old
{% endupdate %}
{% endupdates %}

{% updates %}
{% update date="2025-01-30" %}
Older
{% endupdate %}
{% endupdates %}

<mark style="color:default;background-color:red;">both</mark> and <mark style="color:blue;">one</mark> and a note[^1].

{% prompt %}
\`\`\`
Do it
\`\`\`
{% endprompt %}

<details>

<summary></summary>

</details>

{% file src="https://example.com/a.pdf" %}
Elsewhere
{% endfile %}

{% include "./absent.md" %}

<img src="https://example.com/a.svg" alt="" class="gitbook-drawing">

[^1]: Noted
`

test('Markdown with explicit, omitted and alternative attributes is unchanged when its document is sent back', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const [pageId = ''] = await editLive(octavo.admin, spaceId, insertPage(markdown))
  const read = () => octavo.admin.api.getPageById({ params: { spaceId, pageId }, query: { format: 'markdown' } })
  const before = await read()
  await checkSpace(octavo, spaceId)

  const { data: page } = await new GitBookAPI({
    endpoint: octavo.url,
    authToken: octavo.admin.token,
  }).spaces.getPageById(spaceId, pageId, { format: 'document', evaluated: false, dereferenced: false })
  if (!('document' in page) || !page.document) throw new Error('The page has no document')
  await editLive(octavo.admin, spaceId, updatePage(pageId, { document: { document: page.document } }))
  expect(await read()).toEqual(before)
})

test('editing a document does not store the fields that replies add', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const source = '# Page\n\n## Title <a href="#Über" id="Über"></a>\n\n<mark style="color:red;">Text</mark>\n'
  const [pageId = ''] = await editLive(octavo.admin, spaceId, insertPage(source))
  const params = { spaceId, pageId }
  const { document } = (await octavo.admin.api.getPageById({ params, query: { format: 'document' } })) as {
    document: object
  }
  expect(document).toMatchObject({
    nodes: [
      { type: 'heading-1', data: {}, meta: { id: 'Über' } },
      { nodes: [{ leaves: [{ marks: [{ data: { text: 'red', background: 'default' } }] }] }] },
    ],
  })
  const edited = JSON.parse(JSON.stringify(document).replace('Title', 'Another title').replace('Text', 'Other text'))
  await editLive(octavo.admin, spaceId, updatePage(pageId, { document: { document: edited } }))
  const { markdown: after } = (await octavo.admin.api.getPageById({ params, query: { format: 'markdown' } })) as {
    markdown: string
  }
  expect(after).toBe(source.replace('Title', 'Another title').replace('Text', 'Other text'))
})

test('descriptions of change requests match the public schema, and are unchanged when they are sent back', async () => {
  const { api } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  const { id: changeRequestId } = await api.createChangeRequest({ params: { spaceId }, body: { subject: '' } })
  const params = { spaceId, changeRequestId }
  const document = documentWithEveryBlock(placeholderTargets)
  const request = await api.updateChangeRequestById({ params, body: { description: document } })
  expect(officialProblems(request.description ?? {})).toEqual([])
  const again = await api.updateChangeRequestById({ params, body: { description: request.description as never } })
  expect(again.description).toEqual(request.description)
})
