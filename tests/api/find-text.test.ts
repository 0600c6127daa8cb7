import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, propose, updatePage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

test('a text is found literally in the pages of a space and of a change request', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const table = '| A | B |\n| --- | --- |\n| the agent | x |\n'
  const [first = '', second = ''] = await editLive(
    admin,
    spaceId,
    insertPage('# One\n\nInstall the **Age**nt, not agents.\n\n```\nagent.* --run\n```'),
    insertPage(`# Two\n\n${table}`),
    insertPage('# Three\n\nNothing.'),
  )
  const find = async (text: string, query: { caseSensitive?: boolean; wholeWord?: boolean; limit?: number } = {}) =>
    admin.api.findTextInSpace({ params: { spaceId }, query: { text, ...query } })
  const linesOf = async (...input: Parameters<typeof find>) =>
    (await find(...input)).items.flatMap(({ matches }) => matches.map(({ line, from, to }) => line.slice(from, to)))
  const all = await find('agent')
  expect(all.items.map(({ page, title, path, count }) => ({ page, title, path, count }))).toEqual([
    { page: first, title: 'One', path: 'one', count: 3 },
    { page: second, title: 'Two', path: 'two', count: 1 },
  ])
  expect(all.items[0]?.matches[0]).toEqual({ line: 'Install the Agent, not agents.', from: 12, to: 17 })
  expect(all).toMatchObject({ searchedPages: 3, revision: expect.any(String) })
  expect(all.next).toBeUndefined()
  expect(await linesOf('agent', { caseSensitive: true })).toEqual(['agent', 'agent', 'agent'])
  expect(await linesOf('agent', { wholeWord: true })).toEqual(['Agent', 'agent', 'agent'])
  expect(await linesOf('agent.*')).toEqual(['agent.*'])
  expect(await linesOf('* --')).toEqual(['* --'])

  const portion = await find('agent', { limit: 1 })
  expect(portion.items.map(({ page }) => page)).toEqual([first])
  const rest = await admin.api.findTextInSpace({
    params: { spaceId },
    query: { text: 'agent', page: portion.next?.page ?? '' },
  })
  expect(rest.items.map(({ page }) => page)).toEqual([second])

  const proposal = await propose(admin, spaceId)
  await proposal.edit(updatePage(second, { document: { markdown: '# Two\n\nAn agent and an agent.' } }))
  const proposed = await admin.api.findTextInChangeRequest({ params: proposal.params, query: { text: 'an agent' } })
  expect(proposed.items).toMatchObject([{ page: second, count: 2 }])
  expect(await linesOf('an agent')).toEqual([])
  for (const text of ['', 'a'.repeat(201)]) expect(await refusal(find(text))).toBe('400 query.text')
})
