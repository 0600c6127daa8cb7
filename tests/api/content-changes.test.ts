import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContentChange } from '../../src/contract/content-changes.ts'
import { type Change, insertPage, propose, updatePage, writePage } from '../support/content.ts'
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

const front = (title: string) => `---\ntitle: ${title}\n---\n\n`

describe('replies', () => {
  test('contain the change request, and with `compat=false` also the result of each change', async () => {
    const { spaceId, page } = await spaceWith(
      insertPage('# Old'),
      insertPage('# Gone', { ref: 'g' }),
      insertPage('# Sub', { into: 'g' }),
    )
    const { params } = await propose(octavo.admin, spaceId)
    const changes = [
      updatePage(page(0), { title: 'New' }),
      insertPage('# Made', { ref: 'made' }),
      updatePage(page(0), { icon: 'rocket' }),
      { operation: 'delete_page', page: page(1) },
      { operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }] },
    ] as ContentChange[]
    const full = await api().updateChangeRequestContent({ params, query: { compat: false }, body: { changes } })
    if (!('changes' in full)) throw new Error('The reply is that of the compatible form')
    const pages = await api().listPagesInChangeRequest({ params })
    const made = pages.pages[1]?.id as string
    const location = (id: string) => ({
      object: 'page',
      id,
      urls: {
        location: `${octavo.url}/v1/spaces/${spaceId}/change-requests/${params.changeRequestId}/content/page/${id}`,
      },
    })
    expect(full.changes).toEqual([
      { object: 'updated_page', page: location(page(0)) },
      { object: 'created_page', ref: 'made', page: location(made) },
      { object: 'deleted_page', page: page(1) },
      { object: 'deleted_page', page: page(2) },
    ])
    expect(full.insertedFiles).toMatchObject([{ name: 'a.txt', size: 1 }])
    for (const change of full.changes) {
      if (!('page' in change) || typeof change.page === 'string') continue
      const reply = await octavo.fetch(new URL(change.page.urls.location).pathname, { token: octavo.admin.token })
      expect(reply.status).toBe(200)
    }
    expect(full.changeRequest).toEqual(await api().getChangeRequestById({ params }))

    const body = { changes: [updatePage(page(0), { title: 'Newer' })] as ContentChange[] }
    for (const query of [{}, { compat: true }]) {
      const reply = await api().updateChangeRequestContent({ params, query, body })
      expect(reply).toEqual(await api().getChangeRequestById({ params }))
    }
    expect(await refusal(api().updateChangeRequestContent({ params, query: { compat: 'x' }, body }))).toBe(
      '400 query.compat',
    )
  })

  test('to live edits contain the new revision, or the current one if nothing changes', async () => {
    const { params, page, revision, read } = await spaceWith(
      insertPage('# T\n\nText', { icon: 'x', variables: { a: 1 } }),
      { operation: 'set_variables', variables: { a: 1 } },
      { operation: 'set_tags', tags: [{ slug: 'a', label: 'A' }] },
    )
    const before = await revision()
    const was = await read(page(0))
    const same = [
      writePage(page(0), 'Text'),
      updatePage(page(0), { title: 'T', icon: 'x', hidden: false, variables: { a: 1 }, description: '' }),
      updatePage(page(0), { slug: 't', into: null, at: 0 }),
      updatePage(page(0), {}),
      { operation: 'set_variables', variables: { a: 1, none: null } },
      { operation: 'set_tags', tags: [{ slug: 'a', label: 'A' }] },
    ] as ContentChange[]
    const reply = await api().updateSpaceContent({ params, body: { changes: same } })
    expect(reply.revision).toBe(before)
    expect(await revision()).toBe(before)
    const changes = [updatePage(page(0), { title: 'U' })] as ContentChange[]
    const changed = await api().updateSpaceContent({ params, body: { changes } })
    expect(changed.revision).toBe(await revision())
    expect(changed.revision).not.toBe(before)
    expect((await read(page(0))).updatedAt?.localeCompare(was.updatedAt as string)).toBe(1)
  })
})

describe('pages', () => {
  test('get their title from the Markdown, then from the title field, then from a default', async () => {
    const { page, read } = await spaceWith(
      insertPage('# Heading\n\nx', { title: 'Field' }),
      insertPage(`${front('Front')}x`, { title: 'Field' }),
      insertPage(`${front('Front')}# Heading\n\nx`),
      insertPage('x', { title: 'Field' }),
      insertPage('x'),
      insertPage('#\n\nx', { title: 'Field' }),
      insertPage('x\n\n# Later'),
      insertPage('# *Rich* `code`'),
    )
    const titles = []
    for (let index = 0; index < 8; index++) titles.push((await read(page(index))).title)
    expect(titles).toEqual(['Heading', 'Front', 'Heading', 'Field', 'Untitled', 'Field', 'Untitled', 'Rich code'])
    // The heading becomes the title and is not repeated in the document.
    expect((await read(page(0))).markdown).toBe('# Heading\n\nx\n')
  })

  test('get their fields from the front matter unless the change sets them', async () => {
    const markdown = [
      '---',
      'description: From the text',
      'icon: rocket',
      'hidden: true',
      'noIndex: true',
      'if: visitor.claims.isBeta',
      'vars:',
      '  version: 3',
      'layout:',
      '  width: wide',
      'tags:',
      '  - tag: beta',
      '    primary: true',
      'cover: https://example.com/cover.png',
      '---',
      '# Title',
      '',
      'Text',
    ].join('\n')
    const { edit, page, read } = await spaceWith(
      insertPage(markdown, { description: 'From the change', hidden: false }),
    )
    expect(await read(page(0))).toMatchObject({
      description: 'From the change',
      icon: 'rocket',
      noIndex: true,
      condition: 'visitor.claims.isBeta',
      variables: { version: 3 },
      layout: { width: 'wide', cover: true },
      tags: [{ tag: { kind: 'tag', tag: 'beta' }, primary: true }],
      cover: { ref: { kind: 'url', url: 'https://example.com/cover.png' } },
    })
    expect(await read(page(0))).not.toHaveProperty('hidden')
    await edit(writePage(page(0), '---\ndescription: Second\n---\n\nOther'))
    expect(await read(page(0))).toMatchObject({ title: 'Title', description: 'Second', icon: 'rocket', noIndex: true })
    await edit(updatePage(page(0), { icon: '', condition: '', variables: null, tags: null, cover: null, layout: null }))
    const bare = await read(page(0))
    expect(bare).toMatchObject({ tags: [], layout: { width: 'default', cover: false }, markdown: '# Title\n\nOther\n' })
    for (const field of ['icon', 'condition', 'variables', 'cover']) expect(bare).not.toHaveProperty(field)
  })

  test('are inserted and moved to the given parent and position', async () => {
    const { edit, page, paths } = await spaceWith(
      insertPage('# A'),
      insertPage('# B'),
      insertPage('# C', { at: 0 }),
      insertPage('# D', { at: 1 }),
      insertPage('# E', { at: 999 }),
    )
    expect(await paths()).toEqual(['c', 'd', 'a', 'b', 'e'])
    await edit(updatePage(page(0), { at: 0 }), updatePage(page(2), { at: 999 }))
    expect(await paths()).toEqual(['a', 'd', 'b', 'e', 'c'])
    await edit(updatePage(page(1), { into: page(0) }), updatePage(page(3), { into: page(0), at: 0 }))
    expect(await paths()).toEqual(['a', 'a/d', 'a/b', 'e', 'c'])
    await edit(updatePage(page(1), { title: 'Still there' }))
    expect(await paths()).toEqual(['a', 'a/d', 'a/b', 'e', 'c'])
    await edit(updatePage(page(1), { into: null, at: 1 }), updatePage(page(3), { into: null }))
    expect(await paths()).toEqual(['a', 'b', 'e', 'c', 'd'])
  })

  test('get slugs from the title or the slug field that are unique among siblings', async () => {
    const { edit, page, read, paths } = await spaceWith(
      insertPage('# Über uns!', { ref: 'p' }),
      insertPage('# Über uns'),
      insertPage('# Über uns', { into: 'p' }),
      insertPage('# X', { slug: 'My Slug/..' }),
      insertPage('# Y', { slug: '' }),
      insertPage('# 한국어'),
    )
    expect(await paths()).toEqual(['ueber-uns', 'ueber-uns/ueber-uns', 'ueber-uns-1', 'my-slug-..', 'y', 'undefined'])
    await edit(updatePage(page(0), { title: 'About us' }))
    expect((await read(page(0))).path).toBe('ueber-uns')
    await edit(updatePage(page(0), { slug: '' }))
    expect((await read(page(0))).path).toBe('about-us')
    // The former slug of the first page can be reused.
    await edit(updatePage(page(1), { slug: 'ueber-uns' }))
    expect((await read(page(1))).path).toBe('ueber-uns')
  })

  test('can be written as JSON documents and are read back unchanged', async () => {
    const { page, read, edit, params } = await spaceWith(insertPage('# T\n\n- [ ] a\n\n> b\n\n|x|y|\n|-|-|\n|1|2|\n'))
    const get = () => api().getPageById({ params: { ...params, pageId: page(0) }, query: { format: 'document' } })
    const before = await get()
    const document = 'document' in before ? before.document : undefined
    const [copy = ''] = await edit(insertPage('', { title: 'T2', document: { document } }))
    expect((await read(copy)).markdown).toBe((await read(page(0))).markdown?.replace('# T', '# T2'))
    await edit(updatePage(page(0), { document: { document } }))
    expect(await get()).toEqual(before)
    await edit(updatePage(page(0), { document: {} }))
    expect((await read(page(0))).markdown).toBe('# T\n')
  })
})

describe('groups, links, variables, tags, reusable contents and files', () => {
  test('can be created, updated and deleted', async () => {
    const { params, page, edit, paths } = await spaceWith(
      { operation: 'insert_group', title: 'Group', ref: 'g' },
      { operation: 'insert_link', title: 'Out', target: { kind: 'url', url: 'https://a.example' }, into: 'g' },
      insertPage('# In', { into: 'g' }),
      { operation: 'insert_group', title: 'Second', at: 0, icon: 'x' },
      { operation: 'set_variables', variables: { a: 'x', b: 1, c: true } },
      { operation: 'set_tags', tags: [{ slug: 'beta', label: 'Beta', color: 'blue', emoji: '🚧' }] },
      { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'x' } },
      { operation: 'insert_files', files: ['1', '2'].map((name) => ({ name, contentType: 'text/plain', base64: '' })) },
    )
    const before = await api().getCurrentRevision({ params })
    expect(before).toMatchObject({
      variables: { a: 'x', b: 1, c: true },
      tags: [{ slug: 'beta', label: 'Beta', color: 'blue', emoji: '🚧' }],
    })
    const [one, two] = before.files
    const note = before.reusableContents[0]?.id as string
    const reply = await api().updateSpaceContent({
      params,
      body: {
        changes: [
          { operation: 'update_group', page: page(0), title: 'Renamed', slug: 'renamed', at: 0 },
          { operation: 'update_link', page: page(1), target: { kind: 'page', page: page(2) }, into: null, at: 1 },
          { operation: 'set_variables', variables: { a: null, b: 2 } },
          { operation: 'set_tags', tags: [{ slug: 'new', label: 'New' }] },
          { operation: 'update_reusable_content', reusableContent: note, title: 'Notice', document: { markdown: 'y' } },
          { operation: 'update_file', file: one?.id as string, name: 'renamed' },
          { operation: 'delete_files', files: [two?.id as string] },
        ],
      },
    })
    expect(reply.changes.map(({ object }) => object)).toEqual([
      'updated_page',
      'updated_page',
      'updated_variables',
      'updated_tags',
      'updated_reusable_content',
      'updated_file',
      'deleted_file',
    ])
    expect(await paths()).toEqual(['renamed', 'renamed/in', 'Out', 'second'])
    const after = await api().getCurrentRevision({ params })
    expect(after).toMatchObject({
      variables: { b: 2, c: true },
      tags: [{ slug: 'new', label: 'New', color: 'default' }],
      files: [{ id: one?.id, name: 'renamed', size: 0 }],
      reusableContents: [{ id: note, title: 'Notice' }],
      pages: [{ title: 'Renamed' }, { type: 'link', target: { kind: 'page', page: page(2) } }, {}],
    })
    await edit(
      { operation: 'delete_page', page: page(0) },
      { operation: 'delete_reusable_content', reusableContent: note },
    )
    expect(await paths()).toEqual(['Out', 'second'])
    expect((await api().getCurrentRevision({ params })).reusableContents).toEqual([])
  })

  test('reject operations on a page or parent of the wrong type with 400', async () => {
    const { page, edit } = await spaceWith(
      insertPage('# Page'),
      { operation: 'insert_group', title: 'Group' },
      { operation: 'insert_link', title: 'Link', target: { kind: 'url', url: 'https://a.example' } },
    )
    const [document, group, link] = [page(0), page(1), page(2)]
    const refusals: [Change, string][] = [
      [updatePage(group, { title: 'x' }), 'page'],
      [updatePage(link, { title: 'x' }), 'page'],
      [{ operation: 'update_group', page: document, title: 'x' }, 'page'],
      [{ operation: 'update_link', page: group, title: 'x' }, 'page'],
      [{ operation: 'insert_group', title: 'x', into: document }, 'into'],
      [{ operation: 'update_group', page: group, into: document }, 'into'],
      [insertPage('# x', { into: link }), 'into'],
      [updatePage(document, { into: link }), 'into'],
      [{ operation: 'revert_page', page: document, block: ['none'] }, 'block'],
    ]
    for (const [change, field] of refusals) expect(await refusal(edit(change))).toBe(`400 body.changes.0.${field}`)
  })
})

test('a locked space rejects live edits with 409 and changes only through merged change requests', async () => {
  const { spaceId, page, read, edit } = await spaceWith(insertPage('# T\n\nold'))
  await api().updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
  expect(await refusal(edit(writePage(page(0), 'new')))).toBe('409')
  const request = await propose(octavo.admin, spaceId)
  await request.edit(writePage(page(0), 'new'))
  expect((await read(page(0))).markdown).toBe('# T\n\nold\n')
  await request.merge()
  expect((await read(page(0))).markdown).toBe('# T\n\nnew\n')
})
