import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContentChange } from '../../src/contract/content-changes.ts'
import { type Change, editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { addFiles, fetchText, inlineFile, upload } from '../support/files.ts'
import { refusal } from '../support/refusal.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Applies changes to the published content; returns the results. */
const change = async (spaceId: string, ...changes: Change[]) =>
  octavo.admin.api.updateSpaceContent({ params: { spaceId }, body: { changes: changes as ContentChange[] } })

/** Adds a reusable content; returns its ID. */
async function addReusableContent(spaceId: string, title: string, markdown: string): Promise<string> {
  const reply = await change(spaceId, { operation: 'insert_reusable_content', title, document: { markdown } })
  const [id = ''] = reply.changes.flatMap((one) => ('reusableContent' in one ? [one.reusableContent] : []))
  return id
}

test('reusable contents are listed with their uses, and read as Markdown', async () => {
  const { api } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  const id = await addReusableContent(spaceId, 'Warning', '## Careful\n\nDo not press it.')
  await addReusableContent(spaceId, 'Unused', 'Nothing.')
  const [page = ''] = await editLive(
    octavo.admin,
    spaceId,
    insertPage(`# Page\n\n{% include "/reusable-content/${id}" %}`),
  )
  const list = await api.listReusableContents({ params: { spaceId } })
  expect(list.items.map(({ title, uses }) => `${title} ${uses}`).sort()).toEqual(['Unused 0', 'Warning 1'])
  const params = { spaceId, reusableContentId: id }
  const uses = await api.listSpaceReusableContentBacklinks({ params })
  expect(uses.items).toMatchObject([{ kind: 'page', page }])
  const read = await api.getReusableContentById({ params, query: { format: 'markdown' } })
  expect(read.markdown).toBe('# Warning\n\n## Careful\n\nDo not press it.\n')
  expect(read.urls.app).toBe(`${octavo.url}/app/spaces/${spaceId}/reusable/${id}`)
  // A change request lists its own ones, and where they would be used after a merge.
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit(insertPage(`# Second\n\n{% include "/reusable-content/${id}" %}`))
  const proposed = await api.listChangeRequestReusableContentBacklinks({
    params: { ...proposal.params, reusableContentId: id },
  })
  expect(proposed.count).toBe(2)
  await proposal.edit({ operation: 'delete_reusable_content', reusableContent: id })
  const remaining = await api.listReusableContentsInChangeRequest({ params: proposal.params })
  expect(remaining.items.map(({ title }) => title)).toEqual(['Unused'])
})

test('a reusable content is saved with a base, merges changes of others, and a deletion is reverted', async () => {
  const { api } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  const id = await addReusableContent(spaceId, 'Shared', 'First.\n\nSecond.')
  const { revision: base } = await api.getSpaceById({ params: { spaceId } })
  const write = (markdown: string, more: object = {}) =>
    change(spaceId, {
      operation: 'update_reusable_content',
      reusableContent: id,
      document: { markdown: `# Shared\n\n${markdown}` },
      ...more,
    })
  const read = async () =>
    (await api.getReusableContentById({ params: { spaceId, reusableContentId: id }, query: { format: 'markdown' } }))
      .markdown
  await write('First.\n\nSecond, changed by Ann.')
  const { changes } = await write('First, changed by Bob.\n\nSecond.', { base })
  expect(changes).toEqual([{ object: 'updated_reusable_content', reusableContent: id, merged: true }])
  expect(await read()).toBe('# Shared\n\nFirst, changed by Bob.\n\nSecond, changed by Ann.\n')
  expect(await refusal(write('First.\n\nSecond, changed by Cem.', { base }))).toMatch(/^409/)
  const { revision: before } = await api.getSpaceById({ params: { spaceId } })
  await change(spaceId, { operation: 'delete_reusable_content', reusableContent: id })
  await change(spaceId, { operation: 'revert_reusable_content', reusableContent: id, revision: before })
  expect(await read()).toBe('# Shared\n\nFirst, changed by Bob.\n\nSecond, changed by Ann.\n')
  const unknown = { operation: 'revert_reusable_content', reusableContent: 'missing', revision: before }
  expect(await refusal(change(spaceId, unknown))).toMatch(/^400 body\.changes\.0\.reusableContent/)
  expect(await refusal(write('Text.', { base: 'missing' }))).toMatch(/^400 body\.changes\.0\.base/)
})

test('variables are listed with the pages that use them, also in reusable contents and conditions', async () => {
  const { api } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  await change(spaceId, { operation: 'set_variables', variables: { version: '1.2', beta: true, unused: 3 } })
  const reusable = await addReusableContent(spaceId, 'Shared', '<code class="expression">space.vars.version</code>')
  const [direct = '', including = '', conditional = ''] = await editLive(
    octavo.admin,
    spaceId,
    insertPage('# Direct\n\nUse <code class="expression">space.vars.version + "!"</code>.'),
    insertPage(`# Including\n\n{% include "/reusable-content/${reusable}" %}`),
    insertPage('# Conditional', { condition: 'space.vars.beta' }),
  )
  await waitUntilSearchable(octavo, spaceId)
  const { variables } = await api.listVariables({ params: { spaceId } })
  expect(variables).toEqual([
    { name: 'beta', value: true, uses: 1 },
    { name: 'unused', value: 3, uses: 0 },
    { name: 'version', value: '1.2', uses: 2 },
  ])
  const listPages = async (variableName: string, query = {}) => {
    const { items, next } = await api.listSpaceVariableBacklinks({ params: { spaceId, variableName }, query })
    return { pages: items.map((item) => (item.kind === 'page' ? item.page : '')), next: next?.page }
  }
  expect((await listPages('version')).pages.sort()).toEqual([direct, including].sort())
  expect((await listPages('beta')).pages).toEqual([conditional])
  const first = await listPages('version', { limit: '1' })
  const second = await listPages('version', { limit: '1', page: first.next })
  expect([...first.pages, ...second.pages].sort()).toEqual([direct, including].sort())
  expect(await refusal(listPages('missing'))).toMatch(/^404/)
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit({ operation: 'set_variables', variables: { unused: null } })
  const proposed = await api.listVariablesInChangeRequest({ params: proposal.params })
  expect(proposed.variables.map(({ name }) => name)).toEqual(['beta', 'version'])
})

test('a file is replaced by an upload and keeps its ID, and is reverted', async () => {
  const { api, organizationId } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  const [file] = await addFiles(octavo.admin, spaceId, inlineFile('a.txt', 'Old'))
  const { revision } = await api.getSpaceById({ params: { spaceId } })
  const key = await upload(octavo.admin, organizationId, 'other.txt', 'New')
  const read = async () => {
    const { name, downloadURL } = await api.getFileById({ params: { spaceId, fileId: file?.id ?? '' } })
    return `${name}: ${await fetchText(downloadURL)}`
  }
  await change(spaceId, { operation: 'update_file', file: file?.id, upload: key })
  expect(await read()).toBe('a.txt: New')
  await change(spaceId, { operation: 'delete_files', files: [file?.id] })
  await change(spaceId, { operation: 'revert_files', files: [file?.id], revision })
  expect(await read()).toBe('a.txt: Old')
  const refused = async (fields: object) =>
    refusal(change(spaceId, { operation: 'update_file', file: file?.id, ...fields }))
  expect(await refused({})).toMatch(/^400 body\.changes\.0\.name/)
  expect(await refused({ upload: 'missing' })).toMatch(/^400 body\.changes\.0\.upload/)
  expect(await refusal(change(spaceId, { operation: 'revert_files', files: ['missing'], revision }))).toMatch(
    /^400 body\.changes\.0\.files\.0/,
  )
})

test('tags are listed, and icons are found by name and by a part of it', async () => {
  const { api } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit({ operation: 'set_tags', tags: [{ slug: 'new', label: 'New', color: 'green' }] })
  expect(await api.listTagsInChangeRequest({ params: proposal.params })).toEqual({
    tags: [{ slug: 'new', label: 'New', color: 'green' }],
  })
  expect(await api.listTags({ params: { spaceId } })).toEqual({ tags: [] })
  const named = await api.listIcons({ query: { name: ['rocket', 'zzzz', '../zzzz'] } })
  expect(named.icons.map(({ name }) => name)).toEqual(['rocket'])
  expect(named.icons[0]?.svg).toMatch(/^<svg class="icon-svg" viewBox="0 0 24 24"/)
  const found = await api.listIcons({ query: { query: 'rock', limit: '3' } })
  expect(found.icons.map(({ name }) => name)[0]).toBe('rocket')
  expect((await api.listIcons({ query: {} })).icons.length).toBeGreaterThan(20)
})
