import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { type Change, editLive, insertPage, propose, readLive, updatePage, writePage } from '../support/content.ts'
import { spaceWith } from '../support/content-space.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const api = () => octavo.admin.api
const text = (name: string, base64 = 'YQ==') => ({ name, contentType: 'text/plain', base64 })
const remove = (page: string): Change => ({ operation: 'delete_page', page })

async function restore(spaceId: string, revisionId: string, body: { subject?: string; page?: string } = {}) {
  return api().restoreRevision({ params: { spaceId, revisionId }, body })
}

const message = async (call: Promise<unknown>) => ((await call.catch((error: unknown) => error)) as Error).message

/** Restores a revision, merges the change request and returns the new revision id. */
async function restoreLive(spaceId: string, revisionId: string, body: { subject?: string; page?: string } = {}) {
  const { id } = await restore(spaceId, revisionId, body)
  const merged = await api().mergeChangeRequest({ params: { spaceId, changeRequestId: id } })
  expect(merged.result).toBe('merge')
  return merged.revision
}

/** Creates a change request with these changes, merges it and returns the created ids. */
async function mergeInto(spaceId: string, ...changes: Change[]): Promise<string[]> {
  const request = await propose(octavo.admin, spaceId)
  const created = await request.edit(...changes)
  expect((await request.merge()).result).toBe('merge')
  return created
}

/** Returns the content of a revision with its documents, without times and URLs. */
async function contentOf(spaceId: string, revisionId: string) {
  const { pages, files, reusableContents, variables, tags } = await api().getRevisionById({
    params: { spaceId, revisionId },
    query: {},
  })
  const told = async (page: RevisionPage): Promise<object> => {
    const { urls: _, updatedAt: __, createdAt: ___, ...fields } = page as RevisionPage & Record<string, unknown>
    const {
      documentId: ____,
      pages: inside = [],
      ...rest
    } = fields as Record<string, unknown> & {
      pages?: RevisionPage[]
    }
    const params = { spaceId, revisionId, pageId: page.id }
    const document = page.type === 'document' && (await api().getPageDocumentInRevisionById({ params, query: {} }))
    return { ...rest, document, pages: await Promise.all(inside.map(told)) }
  }
  const contents = reusableContents.map(async ({ id, title }) => {
    const params = { spaceId, revisionId, reusableContentId: id }
    return { id, title, document: await api().getReusableContentDocumentInRevisionById({ params, query: {} }) }
  })
  return {
    pages: await Promise.all(pages.map(told)),
    files: files.map(({ id, name, size }) => ({ id, name, size })),
    reusableContents: await Promise.all(contents),
    variables,
    tags,
  }
}

/** Creates a space with all kinds of content and changes them in several merges. */
async function changedSpace() {
  const space = await spaceWith(
    octavo.admin,
    { operation: 'set_tags', tags: [{ slug: 'beta', label: 'Beta' }] },
    { operation: 'set_variables', variables: { version: 1, name: 'Octavo' } },
    { operation: 'insert_files', files: [text('a.txt'), text('b.txt', 'YmI=')] },
    { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'Shared words.' } },
    insertPage('# A\n\nOne.\n\nTwo.\n\nThree.', {
      description: 'First',
      tags: [{ tag: { kind: 'tag', tag: 'beta' } }],
    }),
    insertPage('# B\n\n| x | y |\n| - | - |\n| 1 | 2 |', { ref: 'b' }),
    insertPage('# Child\n\nText.', { into: 'b', ref: 'child' }),
    insertPage('# Grandchild\n\nDeep.', { into: 'child' }),
    insertPage('# C\n\n```js\nlet a\n```'),
    { operation: 'insert_link', title: 'Out', target: { kind: 'url', url: 'https://example.com/' } },
  )
  const old = await space.revision()
  const before = await contentOf(space.spaceId, old)
  const [a = '', b = '', child = '', , c = ''] = space.pages
  await mergeInto(
    space.spaceId,
    updatePage(a, { title: 'A again', slug: 'a-again', description: 'Other', document: { markdown: 'One.\n\n2.' } }),
    updatePage(c, { at: 0 }),
    { operation: 'set_variables', variables: { version: 2, name: null, more: true } },
    { operation: 'set_tags', tags: [{ slug: 'alpha', label: 'Alpha' }] },
  )
  await mergeInto(space.spaceId, updatePage(child, { into: null }), remove(b), insertPage('# New', { into: child }))
  await mergeInto(
    space.spaceId,
    remove(child),
    { operation: 'delete_files', files: [before.files[0]?.id ?? ''] },
    { operation: 'update_file', file: before.files[1]?.id ?? '', name: 'c.txt' },
    { operation: 'insert_files', files: [text('new.txt')] },
    {
      operation: 'update_reusable_content',
      reusableContent: before.reusableContents[0]?.id ?? '',
      document: { markdown: 'Other words.' },
    },
  )
  return { ...space, old, before, a, b, child, c }
}

describe('restoring a space', () => {
  test('restores the content, ids and order of the earlier revision with the merge', async () => {
    const { spaceId, old, before, a, paths } = await changedSpace()
    const changed = await contentOf(spaceId, (await api().getSpaceById({ params: { spaceId } })).revision)
    expect(changed).not.toEqual(before)
    const request = await restore(spaceId, old)
    expect(request).toMatchObject({
      object: 'change-request',
      status: 'draft',
      subject: expect.stringMatching(/^Restore the content of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
      outdated: false,
    })
    // The live content is unchanged before the merge.
    expect(await contentOf(spaceId, request.revisionInitial)).toEqual(changed)
    expect(await contentOf(spaceId, request.revision)).toEqual(before)
    const params = { spaceId, changeRequestId: request.id }
    const changes = await api().getChangeRequestChanges({ params, query: {} })
    expect(changes.changes.length).toBeGreaterThan(5)
    const merged = await api().mergeChangeRequest({ params })
    expect(merged.result).toBe('merge')
    expect(await contentOf(spaceId, merged.revision)).toEqual(before)
    expect(await paths()).toEqual(['a', 'b', 'b/child', 'b/child/grandchild', 'c', 'Out'])
    // The path that the page had before it was restored still resolves to it.
    const moved = await api().getPageByPath({ params: { spaceId, pagePath: 'a-again' }, query: {} })
    expect(moved.id).toBe(a)
    expect(moved).toMatchObject({ path: 'a' })
    expect(await refusal(restore(spaceId, old))).toBe('409')
  })

  test('keeps edits made while the change request is open', async () => {
    const space = await spaceWith(octavo.admin, insertPage('# A\n\nOne.'), insertPage('# B\n\nOne.'))
    const old = await space.revision()
    await space.edit(writePage(space.page(0), 'Two.'))
    const request = await restore(space.spaceId, old, { subject: 'Back' })
    expect(request.subject).toBe('Back')
    await space.edit(writePage(space.page(1), 'Other.'), insertPage('# C'))
    const params = { spaceId: space.spaceId, changeRequestId: request.id }
    expect(await api().mergeChangeRequest({ params })).toMatchObject({ result: 'merge' })
    expect(await space.paths()).toEqual(['a', 'b', 'c'])
    expect((await space.read(space.page(0))).markdown).toBe('# A\n\nOne.\n')
    expect((await space.read(space.page(1))).markdown).toBe('# B\n\nOther.\n')
  })

  test('accepts a revision of a change request, also in a locked space', async () => {
    const space = await spaceWith(octavo.admin, insertPage('# A\n\nOne.'))
    const proposal = await propose(octavo.admin, space.spaceId)
    await proposal.edit(writePage(space.page(0), 'Proposed.'))
    const { revision } = await api().getChangeRequestById({ params: proposal.params })
    await api().updateSpaceById({ params: space.params, body: { editMode: 'locked' } })
    await restoreLive(space.spaceId, revision)
    expect((await space.read(space.page(0))).markdown).toBe('# A\n\nProposed.\n')
  })

  test('creates one change request for repeated requests with the same idempotency key', async () => {
    const space = await spaceWith(octavo.admin, insertPage('# A\n\nOne.'))
    const old = await space.revision()
    await space.edit(writePage(space.page(0), 'Two.'))
    const send = () =>
      octavo.fetch(`/v1/spaces/${space.spaceId}/revisions/${old}/restore`, {
        method: 'POST',
        token: octavo.admin.token,
        headers: { 'idempotency-key': `restore-${space.spaceId}` },
      })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
    const { count } = await api().listChangeRequestsForSpace({ params: space.params, query: { status: 'draft' } })
    expect(count).toBe(1)
  })
})

describe('restoring a page', () => {
  test('restores a deleted page with its descendants at its former position', async () => {
    const space = await spaceWith(
      octavo.admin,
      insertPage('# A'),
      insertPage('# B\n\nWords.', { ref: 'b' }),
      insertPage('# Child\n\nText.', { into: 'b', ref: 'child' }),
      insertPage('# Grandchild', { into: 'child' }),
      insertPage('# Moved away', { into: 'b' }),
      insertPage('# C'),
    )
    const old = await space.revision()
    const [, b = '', , , moved = '', c = ''] = space.pages
    await mergeInto(space.spaceId, updatePage(moved, { into: null }))
    await mergeInto(space.spaceId, remove(b), writePage(c, 'Changed.'))
    expect(await space.paths()).toEqual(['a', 'c', 'moved-away'])
    const request = await restore(space.spaceId, old, { page: b })
    expect(request.subject).toMatch(/^Restore the page of .* UTC: B$/)
    const params = { spaceId: space.spaceId, changeRequestId: request.id }
    expect((await api().mergeChangeRequest({ params })).result).toBe('merge')
    expect(await space.paths()).toEqual(['a', 'b', 'b/child', 'b/child/grandchild', 'c', 'moved-away'])
    expect((await space.read(b)).markdown).toBe('# B\n\nWords.\n')
    expect((await space.read(c)).markdown).toBe('# C\n\nChanged.\n')
  })

  test('restores a page under its nearest existing ancestor when its parent is deleted', async () => {
    const space = await spaceWith(
      octavo.admin,
      insertPage('# Top', { ref: 'top' }),
      insertPage('# Middle', { into: 'top', ref: 'middle' }),
      insertPage('# Page', { into: 'middle' }),
    )
    const old = await space.revision()
    const [top = '', middle = '', page = ''] = space.pages
    await space.edit(remove(middle))
    await restoreLive(space.spaceId, old, { page })
    expect(await space.paths()).toEqual(['top', 'top/page'])
    await space.edit(remove(top))
    await restoreLive(space.spaceId, old, { page })
    expect(await space.paths()).toEqual(['page'])
  })

  test('restores the document and fields of an existing page but keeps its slug, position and child pages', async () => {
    const space = await spaceWith(
      octavo.admin,
      insertPage('# Page\n\nOld words.', { description: 'Old', icon: 'rocket', ref: 'page' }),
      insertPage('# Below', { into: 'page' }),
      insertPage('# Other\n\nOld.'),
    )
    const old = await space.revision()
    const [page = '', below = '', other = ''] = space.pages
    await space.edit(
      updatePage(page, {
        title: 'Changed',
        slug: 'changed',
        description: 'New',
        icon: '',
        hidden: true,
        into: other,
        document: { markdown: 'New words.' },
      }),
      updatePage(below, { into: null }),
      insertPage('# New', { into: page }),
      writePage(other, 'Moved on.'),
    )
    const before = await space.paths()
    await restoreLive(space.spaceId, old, { page })
    expect(await space.paths()).toEqual(before)
    const read = await space.read(page)
    expect(read).toMatchObject({ title: 'Page', description: 'Old', icon: 'rocket', slug: 'changed' })
    expect(read).not.toHaveProperty('hidden')
    expect(read.markdown).toBe('# Page\n\nOld words.\n')
    expect((await space.read(other)).markdown).toBe('# Other\n\nMoved on.\n')
    expect(await refusal(restore(space.spaceId, old, { page }))).toBe('409')
  })

  test('restores the files, reusable contents and tags that the page uses', async () => {
    const space = await spaceWith(
      octavo.admin,
      { operation: 'set_tags', tags: [{ slug: 'beta', label: 'Beta' }] },
      { operation: 'insert_files', files: [text('a.txt'), text('b.txt', 'YmI='), text('unused.txt', 'YmJi')] },
    )
    const { files } = await api().getCurrentRevision({ params: space.params, query: {} })
    const idOf = (name: string) => files.find((file) => file.name === name)?.id ?? ''
    const link = (name: string) => ({
      object: 'block',
      type: 'file',
      isVoid: true,
      data: { ref: { kind: 'file', file: idOf(name) } },
    })
    await space.edit({
      operation: 'insert_reusable_content',
      title: 'Shared',
      document: { document: { object: 'document', data: {}, nodes: [link('b.txt')] } },
    })
    const { reusableContents } = await api().getCurrentRevision({ params: space.params, query: {} })
    const reusableContent = reusableContents[0]?.id ?? ''
    const used = {
      object: 'block',
      type: 'reusable-content',
      isVoid: true,
      data: { ref: { kind: 'reusable-content', reusableContent } },
    }
    const [page = ''] = await space.edit({
      operation: 'insert_page',
      title: 'Page',
      document: { document: { object: 'document', data: {}, nodes: [link('a.txt'), used] } },
      tags: [{ tag: { kind: 'tag', tag: 'beta' } }],
    })
    const old = await space.revision()
    await space.edit(
      remove(page),
      { operation: 'delete_files', files: files.map(({ id }) => id) },
      { operation: 'delete_reusable_content', reusableContent },
      { operation: 'set_tags', tags: [] },
    )
    await restoreLive(space.spaceId, old, { page })
    const now = await api().getCurrentRevision({ params: space.params, query: {} })
    expect(now.files.map(({ name }) => name).sort()).toEqual(['a.txt', 'b.txt'])
    expect(now.reusableContents.map(({ id }) => id)).toEqual([reusableContent])
    expect(now.tags).toMatchObject([{ slug: 'beta', label: 'Beta' }])
    // The page is unchanged, but a file that it uses was deleted.
    await space.edit({ operation: 'delete_files', files: [idOf('a.txt')] })
    await restoreLive(space.spaceId, old, { page })
    const again = await api().getCurrentRevision({ params: space.params, query: {} })
    expect(again.files.map(({ name }) => name).sort()).toEqual(['a.txt', 'b.txt'])
  })
})

describe('a restore request', () => {
  test('is rejected when nothing differs, the page or revision does not exist, or the subject is too long', async () => {
    const space = await spaceWith(octavo.admin, insertPage('# A\n\nOne.'))
    const old = await space.revision()
    const [added = ''] = await space.edit(insertPage('# B'))
    const head = await space.revision()
    expect(await message(restore(space.spaceId, head))).toContain('Nothing to restore')
    expect(await message(restore(space.spaceId, old, { page: space.page(0) }))).toContain('Nothing to restore')
    expect(await refusal(restore(space.spaceId, old, { page: space.page(0) }))).toBe('409')
    expect(await refusal(restore(space.spaceId, old, { page: added }))).toBe('404 body.page')
    expect(await refusal(restore(space.spaceId, 'none'))).toBe('404')
    expect(await refusal(restore(space.spaceId, old, { subject: 'x'.repeat(101) }))).toBe('400 body.subject')
    // Rejected requests create no change request.
    const { count } = await api().listChangeRequestsForSpace({ params: space.params, query: { status: 'draft' } })
    expect(count).toBe(0)
  })

  test('returns 404 for a revision of another space or of another organization', async () => {
    const space = await spaceWith(octavo.admin, insertPage('# A'))
    const other = await spaceWith(octavo.admin, insertPage('# Secret'))
    expect(await refusal(restore(space.spaceId, await other.revision()))).toBe('404')
    expect(await refusal(restore(space.spaceId, await other.revision(), { page: other.page(0) }))).toBe('404')

    const stranger = await octavo.person('Stranger')
    const { id: organizationId } = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
    const foreign = await stranger.api.createSpace({ params: { organizationId }, body: { title: 'Own' } })
    const inOwn = { spaceId: foreign.id, revisionId: await space.revision() }
    expect(await refusal(stranger.api.restoreRevision({ params: inOwn, body: {} }))).toBe('404')
    const inForeign = { spaceId: space.spaceId, revisionId: await space.revision() }
    expect(await refusal(stranger.api.restoreRevision({ params: inForeign, body: {} }))).toBe('404')
  })

  test('is rejected with 403 for a reader and accepted for an editor', async () => {
    const space = await spaceWith(octavo.admin, insertPage('# A'))
    const params = { spaceId: space.spaceId, revisionId: await space.revision() }
    await editLive(octavo.admin, space.spaceId, insertPage('# B'))
    const reader = await octavo.member('read', 'Reader')
    expect(await refusal(reader.api.restoreRevision({ params, body: {} }))).toBe('403')
    const editor = await octavo.member('edit', 'Editor')
    const request = await editor.api.restoreRevision({ params, body: {} })
    expect(request.createdBy).toMatchObject({ id: editor.id })
    const contributors = await api().getContributorsByChangeRequestId({
      params: { spaceId: space.spaceId, changeRequestId: request.id },
      query: {},
    })
    expect(contributors.items).toMatchObject([{ user: { id: editor.id } }])
    expect((await readLive(octavo.admin, space.spaceId, space.page(0))).title).toBe('A')
  })
})
