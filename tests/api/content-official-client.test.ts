import { GitBookAPI, GitBookAPIError } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace } from '../support/content.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// These tests use the published GitBook client to verify API compatibility.

let octavo: TestServer
let client: GitBookAPI
beforeAll(async () => {
  octavo = await startTestServer()
  client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
})
afterAll(() => octavo.stop())

/** Creates a space with a group, a page in it, a reusable content and a file. */
async function makeSpace() {
  const spaceId = await emptySpace(octavo.admin)
  const [group = '', page = ''] = await editLive(
    octavo.admin,
    spaceId,
    { operation: 'insert_group', title: 'Basics', ref: 'basics' },
    {
      operation: 'insert_page',
      document: { markdown: '# First steps\n\nHello **world**' },
      into: 'basics',
      metaLinks: { canonical: { kind: 'url', url: 'https://example.com' } },
    },
    { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Mind the gap' } },
    { operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }] },
  )
  return { spaceId, group, page }
}

test('the official client reads the content of a space', async () => {
  const { spaceId, group, page } = await makeSpace()
  const { data: revision } = await client.spaces.getCurrentRevision(spaceId, { metadata: false, computed: false })
  expect(revision).toMatchObject({ object: 'revision', type: 'edits', pages: [{ id: group, pages: [{ id: page }] }] })
  expect((await client.spaces.listPages(spaceId, { metadata: true })).data.pages).toEqual(revision.pages)

  const { data: asMarkdown } = await client.spaces.getPageById(spaceId, page, {
    format: 'markdown',
    'format.markdown.refs': 'stable',
  } as never)
  expect(asMarkdown).toMatchObject({ title: 'First steps', markdown: '# First steps\n\nHello **world**\n' })
  const { data: asDocument } = await client.spaces.getPageById(spaceId, page, {
    format: 'document',
    evaluated: 'deterministic-only',
    dereferenced: 'reusable-contents',
  })
  expect(asDocument).toMatchObject({ document: { object: 'document', nodes: [{ type: 'paragraph' }] } })
  const path = encodeURIComponent('basics/first-steps')
  expect((await client.spaces.getPageByPath(spaceId, path, { format: 'markdown' })).data.id).toBe(page)
  expect((await client.spaces.listSpacePageMetaLinks(spaceId, page)).data).toEqual({
    canonical: { kind: 'url', url: 'https://example.com' },
  })

  const { data: files } = await client.spaces.listFiles(spaceId, { limit: 1 })
  expect(files).toMatchObject({ count: 1, items: [{ name: 'a.txt', size: 1 }] })
  const file = files.items[0]
  expect((await client.spaces.getFileById(spaceId, file?.id as string)).data).toEqual(file)
  expect(await (await fetch(file?.downloadURL as string)).text()).toBe('a')

  const reusable = revision.reusableContents[0]
  expect((await client.spaces.getReusableContentById(spaceId, reusable?.id as string)).data).toEqual(reusable)
  const documentId = 'documentId' in asDocument ? (asDocument.documentId as string) : ''
  const { data: document } = await client.spaces.getDocumentById(spaceId, documentId, {})
  expect(document).toEqual('document' in asDocument ? asDocument.document : undefined)

  const failure = await client.spaces.getPageById(spaceId, 'none').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(GitBookAPIError)
  expect(failure).toMatchObject({ code: 404, errorMessage: 'No page was found' })
})

test('the official client reads revisions', async () => {
  const { spaceId, page } = await makeSpace()
  const { data: space } = await client.spaces.getSpaceById(spaceId)
  const revision = space.revision
  const { data: whole } = await client.spaces.getRevisionById(spaceId, revision)
  expect(whole).toEqual((await client.spaces.getCurrentRevision(spaceId)).data)
  expect((await client.spaces.listPagesInRevisionById(spaceId, revision)).data.pages).toEqual(whole.pages)
  const { data: files } = await client.spaces.listFilesInRevisionById(spaceId, revision)
  expect(files.items).toEqual(whole.files)
  const file = files.items[0]?.id as string
  expect((await client.spaces.getFileInRevisionById(spaceId, revision, file)).data).toEqual(files.items[0])
  const { data: byId } = await client.spaces.getPageInRevisionById(spaceId, revision, page, { format: 'markdown' })
  const path = encodeURIComponent('basics/first-steps')
  const { data: byPath } = await client.spaces.getPageInRevisionByPath(spaceId, revision, path, { format: 'markdown' })
  expect(byPath).toEqual(byId)
  const { data: document } = await client.spaces.getPageDocumentInRevisionById(spaceId, revision, page, {
    evaluated: true,
    dereferenced: 'reusable-contents',
  })
  expect(document).toMatchObject({ object: 'document', nodes: [{ type: 'paragraph' }] })
  expect((await client.spaces.listRevisionPageMetaLinks(spaceId, revision, page)).data.canonical).toBeDefined()
  const reusable = whole.reusableContents[0]?.id as string
  const { data: content } = await client.spaces.getReusableContentInRevisionById(spaceId, revision, reusable)
  expect(content).toEqual(whole.reusableContents[0])
  const { data: text } = await client.spaces.getReusableContentDocumentInRevisionById(spaceId, revision, reusable)
  expect(text.nodes).toMatchObject([{ type: 'paragraph' }])
  const { data: changes } = await client.spaces.getRevisionSemanticChanges(spaceId, revision, { limit: 2 })
  expect([changes.changes.length, changes.more]).toEqual([2, 2])
})

test('the official client edits, reads and merges a change request', async () => {
  const { spaceId, group, page } = await makeSpace()
  const { data: request } = await client.spaces.createChangeRequest(spaceId, { subject: 'Better' })
  const { data: compatible } = await client.spaces.updateChangeRequestContent(spaceId, request.id, {
    changes: [{ operation: 'update_page', page, title: 'Changed', document: { markdown: 'New text' } }],
  })
  expect(compatible).toMatchObject({ object: 'change-request', id: request.id })
  const { data: told } = await client.spaces.updateChangeRequestContent(
    spaceId,
    request.id,
    {
      changes: [
        { operation: 'insert_page', document: { markdown: '# Added\n\n![](./pic)' }, into: group, at: 0, ref: 'new' },
        {
          operation: 'insert_files',
          files: [{ ref: 'pic', name: 'b.txt', contentType: 'text/plain', base64: 'Yg==' }],
        },
        { operation: 'insert_page', document: { markdown: '# Removed' } },
      ],
    },
    { compat: false },
  )
  if (!('changes' in told)) throw new Error('The reply is that of the compatible form')
  expect(told.changes).toMatchObject([{ object: 'created_page', ref: 'new' }, { object: 'created_page' }])
  expect(told.insertedFiles).toMatchObject([{ name: 'b.txt' }])
  const [added, removed] = told.changes.map((change) =>
    'page' in change && typeof change.page === 'object' ? change.page.id : '',
  )
  await client.spaces.updateChangeRequestContent(spaceId, request.id, {
    changes: [
      { operation: 'delete_page', page: removed as string },
      { operation: 'revert_page', page },
    ],
  })

  const { data: revision } = await client.spaces.getRevisionOfChangeRequestById(spaceId, request.id)
  expect(revision.pages).toMatchObject([{ id: group, pages: [{ id: added }, { id: page, title: 'First steps' }] }])
  expect((await client.spaces.listPagesInChangeRequest(spaceId, request.id)).data.pages).toEqual(revision.pages)
  const { data: byId } = await client.spaces.getPageInChangeRequestById(spaceId, request.id, added as string, {
    format: 'markdown',
  })
  expect(byId).toMatchObject({ title: 'Added', path: 'basics/added' })
  const path = encodeURIComponent('basics/added')
  expect(
    (await client.spaces.getPageInChangeRequestByPath(spaceId, request.id, path, { format: 'markdown' })).data,
  ).toEqual(byId)
  expect((await client.spaces.listChangeRequestPageMetaLinks(spaceId, request.id, page)).data.canonical).toBeDefined()
  const { data: files } = await client.spaces.listFilesInChangeRequestById(spaceId, request.id)
  expect(files.count).toBe(2)
  const file = files.items[0]?.id as string
  expect((await client.spaces.getFileInChangeRequestById(spaceId, request.id, file)).data).toEqual(files.items[0])
  const reusable = revision.reusableContents[0]?.id as string
  expect((await client.spaces.getReusableContentInChangeRequestById(spaceId, request.id, reusable)).data).toEqual(
    revision.reusableContents[0],
  )
  const { data: changes } = await client.spaces.getChangeRequestChanges(spaceId, request.id)
  expect(changes.changes.map(({ type }) => type).sort()).toEqual(['file_created', 'page_created'])

  expect((await client.spaces.mergeChangeRequest(spaceId, request.id)).data.result).toBe('merge')
  expect((await client.spaces.getPageById(spaceId, added as string)).data.title).toBe('Added')
  const refused = client.spaces.updateChangeRequestContent(spaceId, request.id, {
    changes: [{ operation: 'delete_page', page }],
  })
  await expect(refused).rejects.toMatchObject({ code: 409 })
})
