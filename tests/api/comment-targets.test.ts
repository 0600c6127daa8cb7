import { expect, test } from 'vitest'
import { readBlocks, say } from '../support/comments.ts'
import { editLive, emptySpace, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { importFrom } from '../support/git.ts'
import type { GitServer } from '../support/git-server.ts'
import { gitServersForFile } from '../support/git-servers.ts'
import type { TestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

const before = 'The first paragraph introduces the subject.'
const commented = 'The second paragraph is the one that somebody commented on.'
const after = 'The third paragraph ends the page with a summary.'
const page = (...paragraphs: string[]) => `# Page\n\n${paragraphs.join('\n\n')}\n`

interface Located {
  key: string
  /** Its content as JSON. */
  text: string
}

/** Finds a block without nested blocks anywhere in a page; undefined if it does not exist. */
async function findBlock(
  at: { spaceId: string; changeRequestId?: string },
  pageId: string,
  isWanted: (block: Located) => boolean,
): Promise<Located | undefined> {
  const pending = [...(await readBlocks(octavo.admin, at, pageId))]
  for (let block = pending.shift(); block; block = pending.shift()) {
    const located = { key: block.key, text: JSON.stringify(block.nodes ?? []) }
    if (block.object === 'block' && isWanted(located) && !(block.nodes ?? []).some((node) => node.object === 'block'))
      return located
    pending.push(...(block.nodes ?? []))
  }
  return undefined
}

/** Posts a comment about the block with a text, and returns functions that read its state. */
async function commentOn(spaceId: string, pageId: string, text: string) {
  const { api } = octavo.admin
  const block = await findBlock({ spaceId }, pageId, (found) => found.text.includes(text))
  const { id: commentId } = await api.postCommentInSpace({
    params: { spaceId },
    body: { ...say('About this'), page: pageId, node: block?.key ?? '' },
  })
  const target = async () => (await api.getCommentInSpace({ params: { spaceId, commentId } })).target
  return {
    target,
    /** Returns the text of the block that the comment is about now; undefined if the comment is outdated. */
    text: async () => {
      const { node, page: located } = await target()
      expect(node?.id).toBe(block?.key)
      if (located?.outdated) return undefined
      return (await findBlock({ spaceId }, pageId, ({ key }) => key === node?.id))?.text
    },
  }
}

async function pageWithComment(markdown = page(before, commented, after), text = commented) {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [pageId = ''] = await editLive(admin, spaceId, insertPage(markdown))
  const write = (next: string) => editLive(admin, spaceId, writePage(pageId, next))
  return { spaceId, pageId, write, ...(await commentOn(spaceId, pageId, text)) }
}

test('a comment stays on its block when the page is moved, renamed and edited at once', async () => {
  const { admin } = octavo
  const { spaceId, pageId, target, text } = await pageWithComment()
  const [group = ''] = await editLive(admin, spaceId, { operation: 'insert_group', title: 'Group' })
  const markdown = page('A new introduction.', `${commented} It was edited.`, before)
  await editLive(
    admin,
    spaceId,
    updatePage(pageId, { title: 'Renamed', slug: 'renamed', into: group, document: { markdown } }),
  )
  expect(await text()).toContain('It was edited.')
  expect((await target()).page).toMatchObject({ id: pageId, path: expect.stringMatching(/renamed$/), outdated: false })
})

test('a comment stays on its block when it is swapped with an edited neighbour, nested, and unnested', async () => {
  const { write, text } = await pageWithComment()
  await write(page(after.replace('ends', 'closes'), commented.replace('somebody', 'someone'), before))
  expect(await text()).toContain('someone commented')
  const edited = commented.replace('somebody', 'someone')
  await write(page(`{% hint style="info" %}\n${edited}\n{% endhint %}`, before))
  expect(await text()).toContain('someone commented')
  await write(page(before, after, edited))
  expect(await text()).toContain('someone commented')
})

test('a comment stays on one of several equal blocks while other blocks are inserted around them', async () => {
  const { write, text } = await pageWithComment(page('Same.', 'Same.', 'Between.', 'Same.'), 'Between.')
  const equal = await pageWithComment(page('Same.', 'Other.', 'Same.'), 'Same.')
  for (const paragraphs of [
    ['New.', 'Same.', 'Same.', 'Between.', 'Same.'],
    ['Same.', 'Same.', 'Same.', 'Same.', 'Between.', 'Same.'],
  ]) {
    await write(page(...paragraphs))
    expect(await text()).toContain('Between.')
    await equal.write(page(...paragraphs))
    expect(await equal.text()).toContain('Same.')
  }
})

test('a comment stays on its block when a merged change request rewrote its neighbours', async () => {
  const { admin } = octavo
  const { spaceId, pageId, write, text } = await pageWithComment()
  const request = await propose(admin, spaceId)
  await request.edit(
    writePage(pageId, page('Completely different words.', 'Another block.', commented, 'Nothing is as it was.')),
  )
  const other = await propose(admin, spaceId)
  await other.edit(updatePage(pageId, { title: 'Renamed by another' }), insertPage('# More'))
  await write(page(before, `${commented} Meanwhile edited.`, after))
  expect(await request.merge()).toMatchObject({ result: 'merge' })
  expect(await text()).toContain('Meanwhile edited.')
  expect(await other.merge()).toMatchObject({ result: 'merge' })
  expect(await text()).toContain('Meanwhile edited.')
})

test('a comment is outdated while its block is deleted, with the preview, and not after a revert', async () => {
  const { admin } = octavo
  const { spaceId, pageId, write, text, target } = await pageWithComment()
  const { revision } = await admin.api.getSpaceById({ params: { spaceId } })
  const remove = async () => {
    await write(page(before, after))
    expect(await text()).toBeUndefined()
    expect((await target()).node?.preview).toBe(commented)
  }
  await remove()
  await editLive(admin, spaceId, { operation: 'revert_page', page: pageId, revision })
  expect(await text()).toContain(commented)

  await remove()
  const restoring = await admin.api.restoreRevision({ params: { spaceId, revisionId: revision }, body: {} })
  expect(await text()).toBeUndefined()
  await admin.api.mergeChangeRequest({ params: { spaceId, changeRequestId: restoring.id } })
  expect(await text()).toContain(commented)

  await editLive(admin, spaceId, { operation: 'delete_page', page: pageId })
  expect(await text()).toBeUndefined()
  expect(await target()).toMatchObject({ node: { preview: commented }, page: { id: pageId, title: 'Page' } })
  const { id } = await admin.api.restoreRevision({ params: { spaceId, revisionId: revision }, body: { page: pageId } })
  await admin.api.mergeChangeRequest({ params: { spaceId, changeRequestId: id } })
  expect(await text()).toContain(commented)
})

test('a comment stays on its list item and table cell when others are inserted, sorted and removed', async () => {
  const items = (...texts: string[]) => page(before, texts.map((text) => `* ${text}`).join('\n'))
  const list = await pageWithComment(
    items('Apples are red', 'Pears are green in early summer', 'Plums are blue'),
    'Pears are green in early summer',
  )
  for (const texts of [
    ['Cherries are dark', 'Apples are red', 'Pears are green in early summer', 'Plums are blue'],
    ['Plums are blue', 'Pears are green in early summer', 'Cherries are dark', 'Apples are red'],
    ['Plums are blue', 'Cherries are dark', 'Apples are red', 'Pears are green in early summer and sweet'],
    ['Pears are green in early summer and sweet'],
  ]) {
    await list.write(items(...texts))
    expect(await list.text()).toContain('Pears are green in early summer')
  }
  await list.write(page(before))
  expect(await list.text()).toBeUndefined()

  const { admin } = octavo
  const table = (...rows: string[]) => page(`| Name | Size |\n| --- | --- |\n${rows.join('\n')}`)
  const [ant, whale, dog] = ['| Ant | small |', '| Whale | large |', '| Dog | medium |']
  const spaceId = await emptySpace(admin)
  const [pageId = ''] = await editLive(admin, spaceId, insertPage(table(ant, whale)))
  const [block] = await readBlocks(admin, { spaceId }, pageId)
  const size = Object.values(block?.data.definition ?? {}).find(({ title }) => title === 'Size')?.id ?? ''
  const tableCell = { record: Object.keys(block?.data.records ?? {})[1] ?? '', definition: size }
  const { id: commentId } = await admin.api.postCommentInSpace({
    params: { spaceId },
    body: { ...say('How large?'), page: pageId, tableCell },
  })
  const isOutdated = async () =>
    (await admin.api.getCommentInSpace({ params: { spaceId, commentId } })).target.page?.outdated
  for (const rows of [
    [dog, ant, whale],
    [whale, dog, ant],
    [whale.replace('large', 'huge'), dog],
  ]) {
    await editLive(admin, spaceId, writePage(pageId, table(...rows)))
    expect(await isOutdated()).toBe(false)
  }
  await editLive(admin, spaceId, writePage(pageId, table(dog)))
  expect(await isOutdated()).toBe(true)
})

test('a comment stays on its block when a Git import renames the file and inserts blocks above', async () => {
  const { admin } = octavo
  const repository = server.newRepository({
    'README.md': '# Home\n',
    'guide.md': page(before, commented, after),
    'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Guide](guide.md)\n',
  })
  const spaceId = await emptySpace(admin)
  expect(await importFrom(admin, spaceId, repository)).toMatchObject({ state: 'success' })
  const { id: pageId } = await admin.api.getPageByPath({ params: { spaceId, pagePath: 'guide' }, query: {} })
  const { text, target } = await commentOn(spaceId, pageId, commented)
  const inserted = Array.from({ length: 20 }, (_, index) => `Inserted block number ${index}.`)
  repository.commit({ 'guide.md': page(...inserted, before, `${commented} Edited in Git.`, after) })
  expect(await importFrom(admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await text()).toContain('Edited in Git.')
  repository.commit({
    'guide.md': undefined,
    'guides/first.md': page(...inserted, before, `${commented} Edited in Git.`, after),
    'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n  * [Guide](guides/first.md)\n',
  })
  expect(await importFrom(admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await text()).toContain('Edited in Git.')
  expect((await target()).page).toMatchObject({ id: pageId, outdated: false })
  repository.commit({ 'guides/first.md': page(...inserted, before, after) })
  expect(await importFrom(admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await text()).toBeUndefined()
})
