import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { type Change, editLive, emptySpace, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const api = () => octavo.admin.api
const revert = (page: string, more: object = {}): Change => ({ operation: 'revert_page', page, ...more })

/** Creates a space with these pages and a change request in it. */
async function proposalIn(...changes: Change[]) {
  const spaceId = await emptySpace(octavo.admin)
  const pages = await editLive(octavo.admin, spaceId, ...changes)
  const request = await propose(octavo.admin, spaceId)
  const { params } = request
  const documentOf = async (pageId: string) => {
    const page = await api().getPageInChangeRequestById({
      params: { ...params, pageId },
      query: { format: 'document' },
    })
    return (('document' in page && page.document?.nodes) || []) as unknown as {
      key: string
      nodes: { leaves: { text: string }[] }[]
    }[]
  }
  return {
    ...request,
    spaceId,
    page: (index: number) => pages[index] as string,
    async markdown(pageId: string) {
      const page = await api().getPageInChangeRequestById({
        params: { ...params, pageId },
        query: { format: 'markdown' },
      })
      return 'markdown' in page ? page.markdown : undefined
    },
    async paths() {
      const paths = (list: RevisionPage[]): string[] =>
        list.flatMap((page) => ('path' in page ? [page.path, ...paths(page.pages)] : []))
      return paths((await api().listPagesInChangeRequest({ params })).pages)
    },
    /** Returns the key of the block with this text. */
    async keyOf(pageId: string, text: string) {
      const blocks = await documentOf(pageId)
      return blocks.find((block) => block.nodes[0]?.leaves[0]?.text === text)?.key as string
    },
    revision: async () => (await api().getChangeRequestById({ params })).revision,
  }
}

describe('reverting a page', () => {
  test('restores its position after its former predecessor and does not move an unmoved page', async () => {
    const request = await proposalIn(insertPage('# A'), insertPage('# B'), insertPage('# C'), insertPage('# D'))
    const [b, c] = [request.page(1), request.page(2)]
    await request.edit(insertPage('# New', { at: 1 }), updatePage(b, { at: 4 }), { operation: 'delete_page', page: c })
    expect(await request.paths()).toEqual(['a', 'new', 'd', 'b'])
    await request.edit(revert(b), revert(c))
    expect(await request.paths()).toEqual(['a', 'b', 'c', 'new', 'd'])
    await request.edit(revert(request.page(3)))
    expect(await request.paths()).toEqual(['a', 'b', 'c', 'new', 'd'])
  })

  test('restores its document, fields, slug and parent from the base revision', async () => {
    const request = await proposalIn(
      insertPage('# Page\n\nold', { icon: 'rocket', description: 'Old' }),
      insertPage('# Parent'),
    )
    const [page, parent] = [request.page(0), request.page(1)]
    await request.edit(
      updatePage(page, { title: 'Other', slug: 'other', icon: '', hidden: true, into: parent, document: {} }),
    )
    expect(await request.paths()).toEqual(['parent', 'parent/other'])
    await request.edit(revert(page))
    expect(await request.markdown(page)).toBe('# Page\n\nold\n')
    const read = await api().getPageInChangeRequestById({ params: { ...request.params, pageId: page } })
    expect(read).toMatchObject({ title: 'Page', icon: 'rocket', description: 'Old', path: 'page' })
    expect(read).not.toHaveProperty('hidden')
    const again = await request.revision()
    await request.edit(revert(page))
    expect(await request.revision()).toBe(again)
  })

  test('removes an added page and restores a deleted page with its descendants', async () => {
    const request = await proposalIn(
      insertPage('# Kept'),
      insertPage('# Gone\n\ntext', { ref: 'gone' }),
      insertPage('# Below', { into: 'gone' }),
    )
    const [added = ''] = await request.edit(insertPage('# Added'), { operation: 'delete_page', page: request.page(1) })
    expect(await request.paths()).toEqual(['kept', 'added'])
    await request.edit(revert(added), revert(request.page(1)))
    expect(await request.paths()).toEqual(['kept', 'gone', 'gone/below'])
    expect(await request.markdown(request.page(1))).toBe('# Gone\n\ntext\n')
  })

  test('keeps its position when the former parent is deleted or is its descendant', async () => {
    const request = await proposalIn(
      insertPage('# Parent', { ref: 'parent' }),
      insertPage('# Child\n\nold', { into: 'parent' }),
    )
    const [parent, child] = [request.page(0), request.page(1)]
    await request.edit(
      updatePage(child, { into: null, document: { markdown: 'new' } }),
      updatePage(parent, { into: child }),
    )
    await request.edit(revert(child))
    expect(await request.paths()).toEqual(['child', 'child/parent'])
    expect(await request.markdown(child)).toBe('# Child\n\nold\n')
    await request.edit(
      updatePage(child, { title: 'Changed' }),
      { operation: 'delete_page', page: parent },
      revert(child),
    )
    expect(await request.paths()).toEqual(['child'])
    expect(await request.markdown(child)).toBe('# Child\n\nold\n')
  })

  test('accepts any revision of the same space and rejects others with 400', async () => {
    const request = await proposalIn(insertPage('# One\n\nfirst'))
    const page = request.page(0)
    const { id: first } = await api().getCurrentRevision({ params: { spaceId: request.spaceId } })
    await request.edit(writePage(page, 'second'))
    const second = await request.revision()
    await request.edit(writePage(page, 'third'))
    await request.edit(revert(page, { revision: second }))
    expect(await request.markdown(page)).toBe('# One\n\nsecond\n')
    await request.edit(revert(page, { revision: first }))
    expect(await request.markdown(page)).toBe('# One\n\nfirst\n')

    const foreign = await emptySpace(octavo.admin)
    const { id: other } = await api().getCurrentRevision({ params: { spaceId: foreign } })
    for (const revision of ['none', other]) {
      expect(await refusal(request.edit(revert(page, { revision })))).toBe('400 body.changes.0.revision')
    }
    expect(await refusal(request.edit(revert('none')))).toBe('400 body.changes.0.page')
  })

  test('discards earlier changes of the list but not later ones', async () => {
    const request = await proposalIn(insertPage('# Page\n\nold'))
    const page = request.page(0)
    await request.edit(writePage(page, 'new'), revert(page))
    expect(await request.markdown(page)).toBe('# Page\n\nold\n')
    await request.edit(writePage(page, 'newer'))
    await request.edit(revert(page), writePage(page, 'newest'))
    expect(await request.markdown(page)).toBe('# Page\n\nnewest\n')
    await request.edit(writePage(page, 'last'), { operation: 'delete_page', page }, revert(page))
    expect(await request.markdown(page)).toBe('# Page\n\nold\n')
  })
})

describe('reverting a block', () => {
  test('removes an added block, restores a deleted or edited one, and keeps the other blocks', async () => {
    const request = await proposalIn(insertPage('# Page\n\none\n\ntwo words\n\nthree\n\nfour'))
    const page = request.page(0)
    const [two, three] = [await request.keyOf(page, 'two words'), await request.keyOf(page, 'three')]
    await request.edit(writePage(page, 'added\n\none\n\ntwo other words\n\nfour'))
    expect(await request.keyOf(page, 'two other words')).toBe(two)
    const added = await request.keyOf(page, 'added')

    await request.edit(revert(page, { block: [two] }))
    expect(await request.markdown(page)).toBe('# Page\n\nadded\n\none\n\ntwo words\n\nfour\n')
    await request.edit(revert(page, { block: [added] }))
    expect(await request.markdown(page)).toBe('# Page\n\none\n\ntwo words\n\nfour\n')
    await request.edit(revert(page, { block: [three] }))
    expect(await request.markdown(page)).toBe('# Page\n\none\n\ntwo words\n\nthree\n\nfour\n')

    const before = await request.revision()
    await request.edit(revert(page, { block: [two, three] }))
    expect(await request.revision()).toBe(before)
  })

  test('applies to the document as modified by earlier changes of the list', async () => {
    const request = await proposalIn(insertPage('# Page\n\none\n\ntwo'))
    const page = request.page(0)
    const [one, two] = [await request.keyOf(page, 'one'), await request.keyOf(page, 'two')]
    await request.edit(writePage(page, 'two changed'), revert(page, { block: [two] }))
    expect(await request.markdown(page)).toBe('# Page\n\ntwo\n')
    await request.edit(revert(page, { block: [one] }), revert(page, { block: [one, two] }))
    expect(await request.markdown(page)).toBe('# Page\n\none\n\ntwo\n')
  })

  test('is rejected with 400 for no blocks, unknown blocks and pages missing from the base revision', async () => {
    const request = await proposalIn(insertPage('# Page\n\none'))
    const page = request.page(0)
    const one = await request.keyOf(page, 'one')
    const before = await request.revision()
    const other = updatePage(page, { title: 'Other' })
    expect(await refusal(request.edit(other, revert(page, { block: [one, 'none'] })))).toBe(
      '400 body.changes.1.block.1',
    )
    expect(await refusal(request.edit(revert(page, { block: [] })))).toBe('400 body.changes.0.block')
    expect(await request.revision()).toBe(before)
    const [added = ''] = await request.edit(insertPage('# Added\n\nx'))
    expect(await refusal(request.edit(revert(added, { block: [one] })))).toBe('400 body.changes.0.block')
  })
})
