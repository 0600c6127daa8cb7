import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, editLive, emptySpace, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const api = () => octavo.admin.api

const textFile = (name: string) => ({ name, contentType: 'text/plain', base64: Buffer.from(name).toString('base64') })
const insertFiles = (...names: string[]): Change => ({ operation: 'insert_files', files: names.map(textFile) })

/** Returns the distinct refusals of the calls. */
async function refused(...reads: Promise<unknown>[]): Promise<Set<string>> {
  return new Set(await Promise.all(reads.map(refusal)))
}

async function headOf(spaceId: string) {
  return (await api().getSpaceById({ params: { spaceId } })).revision
}

test('every edit creates a revision that remains readable', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const first = await headOf(spaceId)
  const [page = ''] = await editLive(octavo.admin, spaceId, insertPage('# One\n\nold', { slug: 'one' }))
  const second = await headOf(spaceId)
  await editLive(octavo.admin, spaceId, updatePage(page, { title: 'Two', slug: 'two', document: { markdown: 'new' } }))
  const third = await headOf(spaceId)
  const params = { spaceId, revisionId: second }
  const query = { format: 'markdown' }
  expect(await api().getPageInRevisionById({ params: { ...params, pageId: page }, query })).toMatchObject({
    markdown: '# One\n\nold\n',
  })
  expect(await api().getPageInRevisionByPath({ params: { ...params, pagePath: 'ONE' }, query })).toMatchObject({
    id: page,
    markdown: '# One\n\nold\n',
  })
  expect(await refusal(api().getPageInRevisionByPath({ params: { ...params, pagePath: 'two' } }))).toBe('404')
  expect((await api().listPagesInRevisionById({ params })).pages).toMatchObject([{ title: 'One', path: 'one' }])
  const revision = await api().getRevisionById({ params, query: { metadata: false, computed: false } })
  expect(revision).toMatchObject({ id: second, type: 'edits', parents: [first], createdBy: { id: octavo.admin.id } })
  expect(await api().getRevisionById({ params: { spaceId, revisionId: third } })).toEqual(
    await api().getCurrentRevision({ params: { spaceId } }),
  )
})

test('lists revisions newest first and paginated, without those of open change requests', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const ids = [await headOf(spaceId)]
  for (const title of ['A', 'B', 'C']) {
    await editLive(octavo.admin, spaceId, insertPage(`# ${title}`))
    ids.unshift(await headOf(spaceId))
  }
  const request = await propose(octavo.admin, spaceId, 'Proposal')
  await request.edit(insertPage('# D'))
  const proposed = await api().getChangeRequestById({ params: request.params })
  const params = { spaceId }
  const first = await api().listRevisions({ params, query: { limit: 3 } })
  const rest = await api().listRevisions({ params, query: { limit: 3, page: first.next?.page } })
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids)
  expect([first.count, rest.count, rest.next]).toEqual([4, 4, undefined])
  expect(first.items[0]).not.toHaveProperty('pages')
  // The revision of a change request is not listed but can be read by id.
  expect((await api().getRevisionById({ params: { spaceId, revisionId: proposed.revision } })).pages).toHaveLength(4)

  const { revision } = await request.merge()
  const [newest] = (await api().listRevisions({ params })).items
  expect(newest).toMatchObject({ id: revision, type: 'merge', mergedFrom: { id: request.id, status: 'merged' } })
})

test('returns 404 for a revision of another space and for content missing from a revision', async () => {
  const [spaceId, other] = [await emptySpace(octavo.admin), await emptySpace(octavo.admin)]
  const [page = ''] = await editLive(octavo.admin, other, insertPage('# Other'))
  const ids = { revisionId: await headOf(other), pageId: page, pagePath: 'other', fileId: 'x', reusableContentId: 'x' }
  const own = { ...ids, spaceId, revisionId: await headOf(spaceId) }
  for (const params of [{ ...ids, spaceId }, own, { ...ids, spaceId: other, pageId: 'x', pagePath: 'x' }]) {
    expect(
      await refused(
        api().getPageInRevisionById({ params }),
        api().getPageInRevisionByPath({ params }),
        api().getPageDocumentInRevisionById({ params }),
        api().listRevisionPageMetaLinks({ params }),
        api().getFileInRevisionById({ params }),
        api().getReusableContentInRevisionById({ params }),
        api().getReusableContentDocumentInRevisionById({ params }),
      ),
    ).toEqual(new Set(['404']))
  }
  const params = { ...ids, spaceId }
  expect(
    await refused(
      api().getRevisionById({ params }),
      api().listPagesInRevisionById({ params }),
      api().listFilesInRevisionById({ params }),
      api().getRevisionSemanticChanges({ params }),
    ),
  ).toEqual(new Set(['404']))
})

test('returns the semantic changes of a revision', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const [group = '', page = '', gone = ''] = await editLive(
    octavo.admin,
    spaceId,
    { operation: 'insert_group', title: 'Group' },
    insertPage('# Page\n\nold'),
    insertPage('# Gone'),
    { operation: 'set_variables', variables: { a: 1, b: 2 } },
    { operation: 'set_tags', tags: [{ slug: 'beta', label: 'Beta' }] },
    { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'x' } },
    insertFiles('a.txt'),
  )
  const { files, reusableContents } = await api().getCurrentRevision({ params: { spaceId } })
  await editLive(
    octavo.admin,
    spaceId,
    updatePage(page, { title: 'Renamed', into: group, document: { markdown: 'new' } }),
    { operation: 'delete_page', page: gone },
    insertPage('# New'),
    { operation: 'set_variables', variables: { a: 3, b: null } },
    { operation: 'set_tags', tags: [{ slug: 'beta', label: 'Preview' }] },
    { operation: 'update_reusable_content', reusableContent: reusableContents[0]?.id, title: 'Notice' },
    { operation: 'update_file', file: files[0]?.id, name: 'b.txt' },
  )
  const params = { spaceId, revisionId: await headOf(spaceId) }
  const { changes, more } = await api().getRevisionSemanticChanges({ params, query: { limit: 100, metadata: false } })
  expect(more).toBeUndefined()
  const told = Object.fromEntries(changes.map((change) => [change.type, change]))
  expect(Object.keys(told).sort()).toEqual([
    'file_edited',
    'page_created',
    'page_deleted',
    'page_edited',
    'page_moved',
    'reusable_content_edited',
    'tag_edited',
    'variables_edited',
  ])
  expect(told).toMatchObject({
    page_created: { page: { title: 'New', path: 'new', type: 'document' } },
    page_deleted: { page: { id: gone, title: 'Gone', path: 'gone' } },
    page_edited: {
      page: { id: page, path: 'group/page' },
      attributes: { title: { before: 'Page', after: 'Renamed' }, document: { before: expect.any(String) as unknown } },
    },
    page_moved: { page: { id: page }, parent: { after: { id: group, type: 'group' } } },
    variables_edited: { variables: { a: { before: 1, after: 3 }, b: { before: 2 } } },
    tag_edited: { tag: { slug: 'beta' }, attributes: { label: { before: 'Beta', after: 'Preview' } } },
    reusable_content_edited: { attributes: { title: { before: 'Note', after: 'Notice' } } },
    file_edited: { file: { name: 'b.txt' }, attributes: { name: { before: 'a.txt', after: 'b.txt' } } },
  })
  const some = await api().getRevisionSemanticChanges({ params, query: { limit: 3 } })
  expect([some.changes.length, some.more]).toEqual([3, changes.length - 3])
  const [first] = (await api().listRevisions({ params: { spaceId } })).items.slice(-1)
  const beginning = { spaceId, revisionId: first?.id as string }
  expect(await api().getRevisionSemanticChanges({ params: beginning })).toEqual({ changes: [] })
})

test('lists the files of a space, a change request and a revision page by page', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const names = Array.from({ length: 7 }, (_, index) => `${index}.txt`)
  await editLive(octavo.admin, spaceId, insertFiles(...names))
  const revisionId = await headOf(spaceId)
  const request = await propose(octavo.admin, spaceId)
  await request.edit(insertFiles('more.txt'))
  const lists = [
    { list: api().listFiles, get: api().getFileById, params: { spaceId }, count: 7 },
    {
      list: api().listFilesInChangeRequestById,
      get: api().getFileInChangeRequestById,
      params: request.params,
      count: 8,
    },
    {
      list: api().listFilesInRevisionById,
      get: api().getFileInRevisionById,
      params: { spaceId, revisionId },
      count: 7,
    },
  ]
  for (const { list, get, params, count } of lists) {
    const ids: string[] = []
    let page: string | undefined
    do {
      const part = await list({ params: params as never, query: { limit: 3, page, metadata: false } })
      expect([part.count, part.items.length <= 3]).toEqual([count, true])
      ids.push(...part.items.map(({ id }) => id))
      page = part.next?.page
    } while (page !== undefined)
    expect(new Set(ids).size).toBe(count)
    const whole = await list({ params: params as never })
    expect(whole.items.map(({ id }) => id)).toEqual(ids)
    const [file] = whole.items
    expect(await get({ params: { ...params, fileId: ids[0] } as never })).toEqual(file)
    expect(file).toMatchObject({ contentType: 'text/plain', size: 5 })
    expect(await refusal(get({ params: { ...params, fileId: 'none' } as never }))).toBe('404')
    expect((await list({ params: params as never, query: { limit: 0 } })).items).toEqual([])
    expect(await refusal(list({ params: params as never, query: { page: 'nonsense' } }))).toBe('400 query.page')
  }
})

test('a change request returns its proposed content while the space returns the live content', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const [page = ''] = await editLive(octavo.admin, spaceId, insertPage('# Page\n\nlive'))
  const request = await propose(octavo.admin, spaceId)
  await request.edit(writePage(page, 'proposed'), insertPage('# Other', { slug: 'Über' }), {
    operation: 'insert_reusable_content',
    title: 'Note',
    document: { markdown: 'x' },
  })
  const query = { format: 'markdown' }
  const { number } = await api().getChangeRequestById({ params: request.params })
  for (const changeRequestId of [request.id, String(number)]) {
    const params = { spaceId, changeRequestId }
    const revision = await api().getRevisionOfChangeRequestById({ params })
    expect(revision.pages).toMatchObject([{ id: page }, { path: 'ueber' }])
    expect((await api().listPagesInChangeRequest({ params })).pages).toEqual(revision.pages)
    const byId = await api().getPageInChangeRequestById({ params: { ...params, pageId: page }, query })
    expect(byId).toMatchObject({ markdown: '# Page\n\nproposed\n' })
    expect(await api().getPageInChangeRequestByPath({ params: { ...params, pagePath: 'Page' }, query })).toEqual(byId)
    const [content] = revision.reusableContents
    const reusableContentId = content?.id as string
    expect(await api().getReusableContentInChangeRequestById({ params: { ...params, reusableContentId } })).toEqual(
      content,
    )
  }
  expect(await api().getPageById({ params: { spaceId, pageId: page }, query })).toMatchObject({
    markdown: '# Page\n\nlive\n',
  })
  expect((await api().listPages({ params: { spaceId } })).pages).toHaveLength(1)
})

test('returns edits of a document as block changes with word diffs', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  const [page = ''] = await editLive(octavo.admin, spaceId, insertPage('# Page\n\nThe old house.\n\nGone soon.'))
  await editLive(octavo.admin, spaceId, writePage(page, '# Page\n\nThe new house.\n\n* A list'))
  const { revision: revisionId } = await octavo.admin.api.getSpaceById({ params })
  const { changes } = await octavo.admin.api.getRevisionSemanticChanges({ params: { ...params, revisionId } })
  expect(changes).toMatchObject([{ type: 'page_edited', page: { id: page }, attributes: { document: {} } }])
  const [change] = changes
  const blocks = (change && 'blocks' in change && change.blocks) || []
  expect(blocks.find(({ kind }) => kind === 'edited')).toMatchObject({
    type: 'paragraph',
    before: 'The old house.',
    after: 'The new house.',
    words: [
      { kind: 'equal', text: 'The ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'equal', text: ' house.' },
    ],
  })
  expect(blocks).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'removed', type: 'paragraph', before: 'Gone soon.' }),
      expect.objectContaining({ kind: 'added', type: 'list-unordered', after: 'A list' }),
    ]),
  )
  expect(blocks).toHaveLength(3)
})
