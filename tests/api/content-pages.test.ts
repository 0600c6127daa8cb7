import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RevisionPage, RevisionPageDocument } from '../../src/contract/revision.ts'
import { type Change, editLive, emptySpace, insertPage, propose, readLive, updatePage } from '../support/content.ts'
import { spaceWith as makeSpace } from '../support/content-space.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const api = () => octavo.admin.api

const spaceWith = (...changes: Change[]) => makeSpace(octavo.admin, ...changes)

function asDocument(page: RevisionPage): RevisionPageDocument {
  if (page.type !== 'document') throw new Error(`The page is a ${page.type}`)
  return page
}

const pathsOf = (pages: RevisionPage[]) => pages.map((one) => [one.id, 'path' in one && one.path])

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

test('a new space contains a welcome page unless it is created empty', async () => {
  const { organizationId } = octavo.admin
  const space = await api().createSpace({ params: { organizationId }, body: { title: 'New' } })
  const revision = await api().getCurrentRevision({ params: { spaceId: space.id } })
  expect(revision).toMatchObject({ object: 'revision', id: space.revision, parents: [], files: [], tags: [] })
  expect(revision.pages).toMatchObject([{ type: 'document', kind: 'sheet', title: 'Welcome' }])
  const empty = await api().createSpace({ params: { organizationId }, body: { title: 'New', empty: true } })
  expect((await api().getCurrentRevision({ params: { spaceId: empty.id } })).pages).toEqual([])
})

test('a duplicated space has the same pages and its own revision, and is edited independently', async () => {
  const { params, page } = await spaceWith(
    insertPage('# Guide\n\nText', { ref: 'g' }),
    insertPage('# Sub', { into: 'g' }),
  )
  const original = await api().getCurrentRevision({ params })
  const copy = await api().duplicateSpace({ params })
  const copied = await api().getCurrentRevision({ params: { spaceId: copy.id } })
  expect(copied.id).toBe(copy.revision)
  expect(copied.id).not.toBe(original.id)
  expect(pathsOf(copied.pages)).toEqual(pathsOf(original.pages))
  expect((await readLive(octavo.admin, copy.id, page(0))).markdown).toBe('# Guide\n\nText\n')

  await editLive(octavo.admin, copy.id, updatePage(page(0), { title: 'Fork' }))
  expect(await api().getCurrentRevision({ params })).toEqual(original)
  // Document ids are specific to a space.
  const { documentId } = asDocument(copied.pages[0] as RevisionPage)
  expect(documentId).not.toBe(asDocument(original.pages[0] as RevisionPage).documentId)
})

test('the page tree contains all fields of pages, groups and links', async () => {
  const { params, pages } = await spaceWith(
    { operation: 'insert_group', title: 'Basics', ref: 'basics', noIndex: true },
    insertPage('Hello', {
      into: 'basics',
      title: 'First Steps',
      ref: 'first',
      description: 'How to begin',
      icon: 'rocket',
      hidden: true,
      linkTitle: 'Begin',
      layout: { width: 'wide', outline: false },
      cover: { ref: { kind: 'url', url: 'https://example.com/c.png' } },
      variables: { version: 3 },
    }),
    { operation: 'insert_link', title: 'Out', target: { kind: 'url', url: 'https://example.com' }, into: 'first' },
  )
  const [group, first, link] = pages
  const { pages: tree } = await api().listPages({ params })
  const { createdAt, updatedAt, documentId } = asDocument(
    await api().getPageById({ params: { ...params, pageId: first as string } }),
  )
  expect(plain(tree)).toEqual([
    {
      id: group,
      kind: 'group',
      type: 'group',
      title: 'Basics',
      slug: 'basics',
      path: 'basics',
      noIndex: true,
      createdAt,
      updatedAt,
      pages: [
        {
          id: first,
          kind: 'sheet',
          type: 'document',
          title: 'First Steps',
          linkTitle: 'Begin',
          description: 'How to begin',
          icon: 'rocket',
          hidden: true,
          slug: 'first-steps',
          path: 'basics/first-steps',
          createdAt,
          updatedAt,
          documentId,
          urls: { app: expect.stringContaining(`/spaces/${params.spaceId}/`) as unknown },
          layout: {
            width: 'wide',
            cover: true,
            coverSize: 'hero',
            coverMask: 'none',
            title: true,
            description: true,
            tableOfContents: true,
            outline: false,
            pagination: true,
            metadata: true,
            tags: true,
            actions: true,
            anchors: true,
          },
          cover: { ref: { kind: 'url', url: 'https://example.com/c.png' }, yPos: 0 },
          variables: { version: 3 },
          tags: [],
          pages: [
            {
              id: link,
              kind: 'link',
              type: 'link',
              title: 'Out',
              createdAt,
              updatedAt,
              target: { kind: 'url', url: 'https://example.com' },
              href: 'https://example.com',
            },
          ],
        },
      ],
    },
  ])
  const revision = await api().getCurrentRevision({ params })
  expect(revision.pages).toEqual(tree)
  // The content has no Git metadata and no computed pages, so neither flag has an effect.
  for (const query of [{ metadata: false }, { computed: false }, { metadata: true, computed: true }]) {
    expect(await api().getCurrentRevision({ params, query })).toEqual(revision)
    expect(await api().listPages({ params, query })).toEqual({ pages: tree })
  }
  expect(await refusal(api().listPages({ params, query: { metadata: 'maybe' } }))).toBe('400 query.metadata')
})

test('finds pages and groups by URL-encoded path, ignoring case and outer slashes, but not links', async () => {
  const { params, page } = await spaceWith(
    { operation: 'insert_group', title: 'Basics', ref: 'basics' },
    insertPage('# Steps', { into: 'basics', ref: 'steps' }),
    insertPage('# Größe & Maß', { into: 'steps' }),
    { operation: 'insert_link', title: 'Out', target: { kind: 'url', url: 'https://example.com' } },
  )
  const found = async (path: string) => {
    const reply = await octavo.fetch(`/v1/spaces/${params.spaceId}/content/path/${path}`, { token: octavo.admin.token })
    return reply.status === 200 ? ((await reply.json()) as RevisionPage).id : reply.status
  }
  expect(await found('basics%2Fsteps')).toBe(page(1))
  expect(await found('basics%2fsteps')).toBe(page(1))
  expect(await found('Basics%2FSTEPS')).toBe(page(1))
  expect(await found('%2Fbasics%2Fsteps%2F')).toBe(page(1))
  expect(await found('basics')).toBe(page(0))
  expect(await found('basics%2Fsteps%2Fgroesse-and-mass')).toBe(page(2))
  for (const nowhere of [
    'out',
    'steps',
    'basics%2F%2Fsteps',
    '..%2Fbasics',
    '%2F',
    'basics%2Fsteps%2Fx',
    '%25',
    '%E2%82',
  ]) {
    expect([nowhere, await found(nowhere)]).toEqual([nowhere, 404])
  }
  expect(await found('%00')).toBe(400)
  const query = { cachedMetadata: true, format: 'markdown' }
  expect(await api().getPageByPath({ params: { ...params, pagePath: 'basics/steps' }, query })).toMatchObject({
    path: 'basics/steps',
    markdown: '# Steps\n',
  })
})

test('finds a page by its former paths until another page uses them or the page is deleted', async () => {
  const { spaceId, params, page } = await spaceWith(
    insertPage('# Guide'),
    insertPage('# Setup', { ref: 'setup' }),
    insertPage('# Linux', { into: 'setup' }),
  )
  const idAt = async (pagePath: string) => (await api().getPageByPath({ params: { ...params, pagePath } })).id
  await editLive(octavo.admin, spaceId, updatePage(page(1), { slug: 'install' }))
  await editLive(octavo.admin, spaceId, updatePage(page(1), { into: page(0) }))
  expect(asDocument(await api().getPageById({ params: { ...params, pageId: page(2) } })).path).toBe(
    'guide/install/linux',
  )
  for (const path of ['setup', 'Install', 'guide/install']) expect(await idAt(path)).toBe(page(1))
  for (const path of ['setup/linux', 'install/linux', 'guide/install/linux']) expect(await idAt(path)).toBe(page(2))

  const [newcomer] = await editLive(octavo.admin, spaceId, insertPage('# Setup'))
  expect(await idAt('setup')).toBe(newcomer)
  expect(await idAt('install')).toBe(page(1))
  await editLive(octavo.admin, spaceId, { operation: 'delete_page', page: page(0) })
  expect(await refusal(idAt('install'))).toBe('404')
  expect(await refusal(idAt('setup/linux'))).toBe('404')
})

test('returns a page without its document, with a JSON document or with Markdown', async () => {
  const { params, page } = await spaceWith(insertPage('# Title\n\nSome **bold** words.\n\n## Part'))
  const get = async (query: object) =>
    asDocument(await api().getPageById({ params: { ...params, pageId: page(0) }, query }))
  const bare = await get({})
  expect([bare.markdown, bare.document]).toEqual([undefined, undefined])
  const { document, markdown } = await get({ format: 'document' })
  expect(markdown).toBeUndefined()
  expect(document).toMatchObject({
    object: 'document',
    nodes: [
      {
        type: 'paragraph',
        key: expect.any(String) as unknown,
        nodes: [{ leaves: [{ text: 'Some ' }, { text: 'bold', marks: [{ type: 'bold' }] }, { text: ' words.' }] }],
      },
      { type: 'heading-1', meta: { id: 'part' } },
    ],
  })
  expect((await get({ format: 'markdown' })).markdown).toBe('# Title\n\nSome **bold** words.\n\n## Part\n')
  const byId = await api().getDocumentById({ params: { ...params, documentId: bare.documentId as string } })
  expect(byId).toEqual(document)
  const { id: revisionId } = await api().getCurrentRevision({ params })
  const inRevision = { ...params, revisionId, pageId: page(0) }
  expect(await api().getPageDocumentInRevisionById({ params: inRevision })).toEqual(document)
  expect(await refusal(get({ format: 'html' }))).toBe('400 query.format')
})

test('Markdown links to other pages by relative paths or by stable page ids', async () => {
  const { spaceId, params, page } = await spaceWith(
    insertPage('# Home\n\n[a](./deep.md) [b](./sub.md#part)', { ref: 'home' }),
    insertPage('# Folder', { ref: 'folder' }),
    insertPage('# Deep\n\n[home](./home.md) [up](./folder.md) [beside](./sub.md)', { into: 'folder', ref: 'deep' }),
    insertPage('# Sub\n\n## Part', { into: 'folder', ref: 'sub' }),
  )
  const markdownOf = async (id: string, refs: string) =>
    asDocument(
      await api().getPageById({
        params: { ...params, pageId: id },
        query: { format: 'markdown', 'format.markdown.refs': refs },
      }),
    ).markdown
  expect(await markdownOf(page(0), 'relative')).toBe('# Home\n\n[a](folder/deep.md) [b](folder/sub.md#part)\n')
  expect(await markdownOf(page(2), 'relative')).toBe(
    '# Deep\n\n[home](../README.md) [up](README.md) [beside](sub.md)\n',
  )
  expect(await markdownOf(page(0), 'stable')).toBe(`# Home\n\n[a](/pages/${page(2)}) [b](/pages/${page(3)}#part)\n`)
  await editLive(octavo.admin, spaceId, updatePage(page(3), { into: null, slug: 'moved' }))
  expect(await markdownOf(page(0), 'relative')).toBe('# Home\n\n[a](folder/deep.md) [b](moved.md#part)\n')
  // Writing the exported Markdown back produces the same document.
  const before = await readLive(octavo.admin, spaceId, page(2))
  await editLive(octavo.admin, spaceId, updatePage(page(2), { document: { markdown: before.markdown } }))
  expect((await readLive(octavo.admin, spaceId, page(2))).documentId).toBe(before.documentId)
})

test('evaluates all expressions of a page, only deterministic ones, or none', async () => {
  const text = [
    'On <code class="expression">space.vars.product</code> <code class="expression">page.vars.version</code>',
    'For <code class="expression">visitor.claims.name ?? "you"</code>',
    '{% if space.vars.product == "Octavo" %}\nShown\n{% endif %}',
    '{% if visitor.claims.isBeta %}\nBeta\n{% endif %}',
  ].join('\n\n')
  const { params, page } = await spaceWith(
    { operation: 'set_variables', variables: { product: 'Octavo' } },
    insertPage(text, { title: 'T', variables: { version: 3 } }),
  )
  const read = async (evaluated: string) =>
    asDocument(
      await api().getPageById({ params: { ...params, pageId: page(0) }, query: { format: 'markdown', evaluated } }),
    ).markdown as string
  expect(await read('true')).toBe('# T\n\nOn Octavo 3\n\nFor you\n\nShown\n')
  const deterministic = await read('deterministic-only')
  expect(deterministic).toContain('On Octavo 3')
  expect(deterministic).toContain('visitor.claims.name')
  expect(deterministic).toContain('{% if visitor.claims.isBeta %}')
  expect(deterministic).not.toContain('space.vars')
  expect(await read('false')).toContain('space.vars.product')
  expect(await refusal(read('some'))).toBe('400 query.evaluated')
})

test('a reusable content has a title and a document, and `dereferenced` inserts it into pages', async () => {
  const { params, page } = await spaceWith(
    { operation: 'insert_reusable_content', title: 'Notice', document: { markdown: 'Mind the gap' }, ref: 'notice' },
    insertPage('Before\n\n{% include "./notice" %}\n\nAfter', { title: 'T' }),
  )
  const revision = await api().getCurrentRevision({ params })
  const [content] = revision.reusableContents
  if (!content) throw new Error('There is no reusable content')
  const one = { ...params, reusableContentId: content.id }
  const former = { ...one, revisionId: revision.id }
  expect(content).toMatchObject({ title: 'Notice', document: expect.any(String) as unknown })
  expect(await api().getReusableContentById({ params: one })).toEqual(content)
  expect(await api().getReusableContentInRevisionById({ params: former })).toEqual(content)
  const document = await api().getReusableContentDocumentInRevisionById({ params: former })
  expect(document.nodes).toMatchObject([{ type: 'paragraph' }])
  expect(await api().getDocumentById({ params: { ...params, documentId: content.document as string } })).toEqual(
    document,
  )
  const typesOf = async (dereferenced: string) => {
    const query = { format: 'document', dereferenced }
    const read = asDocument(await api().getPageById({ params: { ...params, pageId: page(0) }, query }))
    return read.document?.nodes.map(({ type }) => type)
  }
  expect(await typesOf('false')).toEqual(['paragraph', 'reusable-content', 'paragraph'])
  for (const asked of ['true', 'reusable-contents']) {
    expect(await typesOf(asked)).toEqual(['paragraph', 'paragraph', 'paragraph'])
  }
  expect(await refusal(api().getReusableContentById({ params: { ...params, reusableContentId: 'none' } }))).toBe('404')
})

test('returns a document only for an id issued by its own space', async () => {
  const { params, page } = await spaceWith(insertPage('Ours', { title: 'T' }))
  const other = await spaceWith(insertPage('Theirs', { title: 'T' }))
  const idIn = async (space: typeof other) =>
    asDocument(await api().getPageById({ params: { ...space.params, pageId: space.page(0) } })).documentId as string
  const [own, foreign] = [await idIn({ ...other, params, page }), await idIn(other)]
  const read = (documentId: string) => refusal(api().getDocumentById({ params: { ...params, documentId } }))
  expect(await read(own)).toBe('was not refused')
  const forged = [foreign, own.slice(0, 64), own.slice(0, -1), `${own}0`, foreign.slice(0, 64) + own.slice(64), 'x', '']
  for (const documentId of [...forged, '..', own.toUpperCase(), page(0)]) expect(await read(documentId)).toBe('404')
  const query = { schema: 'next' }
  expect(await api().getDocumentById({ params: { ...params, documentId: own }, query })).toMatchObject({
    object: 'document',
  })
})

test('returns the canonical and alternate meta links of a page', async () => {
  const { spaceId, params, page } = await spaceWith(insertPage('# A'), insertPage('# B'))
  const metaLinks = {
    canonical: { kind: 'url' as const, url: 'https://example.com/a' },
    alternates: [{ kind: 'page' as const, page: page(1) }],
  }
  const { id: revisionId } = await api().getCurrentRevision({ params })
  await editLive(octavo.admin, spaceId, updatePage(page(0), { metaLinks }))
  const of = { ...params, pageId: page(0) }
  expect(await api().listSpacePageMetaLinks({ params: of })).toEqual(metaLinks)
  expect(asDocument(await api().getPageById({ params: of })).metaLinks).toEqual(metaLinks)
  expect(await api().listRevisionPageMetaLinks({ params: { ...of, revisionId } })).toEqual({})
  const { params: request } = await propose(octavo.admin, spaceId)
  expect(await api().listChangeRequestPageMetaLinks({ params: { ...of, ...request } })).toEqual(metaLinks)
  await editLive(octavo.admin, spaceId, updatePage(page(0), { metaLinks: null }))
  expect(await api().listSpacePageMetaLinks({ params: of })).toEqual({})
  expect(await refusal(api().listSpacePageMetaLinks({ params: { ...params, pageId: 'none' } }))).toBe('404')
})

test('the table of contents has the pages of the tree with only the fields of a navigation', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [, groupId = ''] = await editLive(
    admin,
    spaceId,
    insertPage('# First\n\nText.', { emoji: '1f600', description: 'Not listed', hidden: true }),
    { operation: 'insert_group', title: 'Group', ref: 'group' },
    insertPage('# Child', { into: 'group', icon: 'rocket', linkTitle: 'Short' }),
    { operation: 'insert_link', title: 'Link', target: { kind: 'url', url: 'https://example.com' } },
  )
  const proposal = await propose(admin, spaceId)
  await proposal.edit(insertPage('# Proposed'))
  const { pages } = await admin.api.getTableOfContents({ params: { spaceId } })
  const id = expect.any(String)
  const first = { id, type: 'document', title: 'First', path: 'first', emoji: '1f600', hidden: true }
  const child = { id, type: 'document', title: 'Child', linkTitle: 'Short', path: 'group/child', icon: 'rocket' }
  const listed = [
    first,
    { id: groupId, type: 'group', title: 'Group', path: 'group', pages: [child] },
    { id, type: 'link', title: 'Link' },
  ]
  expect(pages).toEqual(listed)
  const proposed = await admin.api.getTableOfContentsInChangeRequest({ params: proposal.params })
  expect(proposed.pages).toEqual([...listed, { id, type: 'document', title: 'Proposed', path: 'proposed' }])
  // The full list is not answered with the cached table of contents.
  expect((await admin.api.listPages({ params: { spaceId } })).pages[0]).toHaveProperty('layout')
})
