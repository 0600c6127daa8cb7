import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { ChangeRequest, ChangeRequestStatus } from '../../src/contract/change-request.ts'
import { type Proposal, editLive, emptySpace, insertPage, propose, readLive, updatePage } from '../support/content.ts'
import { migratedHomeForTest } from '../support/home.ts'
import { readAllPages } from '../support/lists.ts'
import { runOctavo as command, startServerProcess } from '../support/process.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { refusal } from '../support/refusal.ts'
import { type Admin, serverForTest } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'

const titlesOf = async (api: Client, spaceId: string): Promise<string[]> =>
  (await api.listPages({ params: { spaceId } })).pages.map(({ title }) => title).sort()

/** Returns the revisions of a space, newest first, after checking that each is the parent of the next newer one. */
async function historyOf(api: Client, spaceId: string) {
  const pages = await readAllPages((page) => api.listRevisions({ params: { spaceId }, query: { limit: '1000', page } }))
  const revisions = pages.flat()
  const space = await api.getSpaceById({ params: { spaceId } })
  expect(space.revision).toBe(revisions[0]?.id)
  expect(revisions.slice(0, -1).map(({ parents }) => parents[0])).toEqual(revisions.slice(1).map(({ id }) => id))
  return revisions
}

test('concurrent merges of two change requests both succeed without losing pages', async () => {
  const { admin } = await serverForTest()
  const spaceId = await emptySpace(admin)
  const expected: string[] = []
  for (let pair = 1; pair <= 10; pair++) {
    const proposals = [await propose(admin, spaceId), await propose(admin, spaceId)]
    for (const [side, { edit }] of proposals.entries()) {
      expected.push(`Pair ${pair} side ${side}`)
      await edit(insertPage(`# Pair ${pair} side ${side}`))
    }
    const outcomes = await Promise.all(proposals.map(({ merge }) => merge()))
    expect(outcomes.map(({ result }) => result)).toEqual(['merge', 'merge'])
  }
  expect(await titlesOf(admin.api, spaceId)).toEqual(expected.sort())
  const history = await historyOf(admin.api, spaceId)
  expect(history.filter(({ type }) => type === 'merge')).toHaveLength(20)
  expect(await admin.api.getSpaceById({ params: { spaceId } })).toMatchObject({
    changeRequests: 20,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
  })
})

const atOnce = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 6 }, (_, index) => work(index)))

test('concurrent edits, change requests and merges of a space are serialized', async () => {
  const { admin } = await serverForTest()
  await writeTogether(admin)
  const spaceId = await emptySpace(admin)
  const [shared = ''] = await editLive(admin, spaceId, insertPage('# Shared'))

  await atOnce((index) => editLive(admin, spaceId, insertPage(`# Page ${index}`)))
  expect(await titlesOf(admin.api, spaceId)).toEqual([...Array.from({ length: 6 }, (_, at) => `Page ${at}`), 'Shared'])
  expect(await historyOf(admin.api, spaceId)).toHaveLength(8)

  const proposals = await atOnce(() => propose(admin, spaceId))
  const numbers = await Promise.all(proposals.map(({ params }) => admin.api.getChangeRequestById({ params })))
  expect(numbers.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6])

  const [proposal, contrary, ...others] = proposals as [Proposal, Proposal, ...Proposal[]]
  await atOnce((index) => proposal.edit(insertPage(`# Proposed ${index}`)))
  await proposal.edit(updatePage(shared, { title: 'Ours' }))
  await contrary.edit(updatePage(shared, { title: 'Theirs' }))
  // Of two conflicting change requests only one is merged, and repeated merges of one succeed only once.
  const results = await Promise.all([proposal.merge(), contrary.merge()])
  expect(results.map(({ result }) => result).sort()).toEqual(['conflicts', 'merge'])
  const repeated = others[0] as Proposal
  const outcomes = await atOnce(() => refusal(repeated.merge()))
  expect(outcomes.filter((outcome) => outcome === 'was not refused')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === '409')).toHaveLength(5)
  expect(await admin.api.getSpaceById({ params: { spaceId } })).toMatchObject({
    changeRequests: 6,
    changeRequestsDraft: 4,
  })
})

/** Changes each paragraph of a live page over the same base at the same moment. */
async function writeTogether(admin: Admin): Promise<void> {
  const spaceId = await emptySpace(admin)
  const words = Array.from({ length: 6 }, (_, index) => `Paragraph ${index}`)
  const [page = ''] = await editLive(admin, spaceId, insertPage(`# Shared\n\n${words.join('.\n\n')}.`))
  const { revision: base } = await admin.api.getSpaceById({ params: { spaceId } })
  await atOnce((changed) => {
    const text = words.map((word, index) => (index === changed ? `${word} changed.` : `${word}.`)).join('\n\n')
    return editLive(admin, spaceId, updatePage(page, { document: { markdown: `# Shared\n\n${text}` }, base }))
  })
  expect((await readLive(admin, spaceId, page)).markdown).toBe(`# Shared\n\n${words.join(' changed.\n\n')} changed.\n`)
  expect(await historyOf(admin.api, spaceId)).toHaveLength(8)
}

const statuses = ['draft', 'open', 'archived', 'merged'] as const

async function allRequests(api: Client, spaceId: string): Promise<ChangeRequest[]> {
  const lists = await Promise.all(
    statuses.map((status: ChangeRequestStatus) =>
      readAllPages((page) =>
        api.listChangeRequestsForSpace({ params: { spaceId }, query: { status, limit: '1000', page } }),
      ),
    ),
  )
  return lists.flat(2)
}

test('acknowledged edits and merges survive kill -9', async () => {
  const env = await migratedHomeForTest()
  const chance = seededRandom(3)
  let spaceId = ''
  /** Titles of acknowledged live pages, and change requests by the title of their page. */
  const live = new Set<string>()
  const proposed = new Map<string, { id: string; isEdited: boolean; isMerged: boolean }>()

  const check = async (api: Client) => {
    const titles = new Set(await titlesOf(api, spaceId))
    expect([...live].filter((title) => !titles.has(title))).toEqual([])
    const requests = new Map((await allRequests(api, spaceId)).map((request) => [request.id, request]))
    for (const [title, { id, isEdited, isMerged }] of proposed) {
      const request = requests.get(id)
      if (isMerged) expect(request?.status).toBe('merged')
      // A merge is applied completely or not at all, even if its reply was lost.
      expect(titles.has(title)).toBe(request?.status === 'merged')
      const params = { spaceId, changeRequestId: id }
      const { pages } = await api.listPagesInChangeRequest({ params })
      if (isEdited) expect(pages.map((page) => page.title)).toContain(title)
    }
    const merged = (await historyOf(api, spaceId)).filter(({ type }) => type === 'merge').map(({ id }) => id)
    const byStatus = (status: ChangeRequestStatus) => [...requests.values()].filter((one) => one.status === status)
    expect(merged.sort()).toEqual(
      byStatus('merged')
        .map(({ revisionMerged }) => revisionMerged)
        .sort(),
    )
    expect([...requests.values()].map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: requests.size }, (_, index) => index + 1),
    )
    expect(await api.getSpaceById({ params: { spaceId } })).toMatchObject({
      changeRequests: requests.size,
      changeRequestsOpen: byStatus('open').length,
      changeRequestsDraft: byStatus('draft').length,
    })
  }

  for (let round = 1; round <= 2; round++) {
    const server = await startServerProcess(env)
    const api = server.api()
    if (spaceId === '') {
      const params = { organizationId: await getOrganizationId(api) }
      spaceId = (await api.createSpace({ params, body: { title: 'Space', empty: true } })).id
    } else await check(api)
    let left = randomInteger(chance, 15, 30)
    const acknowledged = () => {
      if (--left === 0) server.kill('SIGKILL')
    }
    const writeLive = async () => {
      for (let number = 1; ; number++) {
        const title = `Live ${round}-${number}`
        await editLive({ api }, spaceId, insertPage(`# ${title}`))
        live.add(title)
        acknowledged()
      }
    }
    const writeProposals = async (writer: number) => {
      for (let number = 1; ; number++) {
        const title = `Proposed ${round}-${writer}-${number}`
        const proposal = await propose({ api }, spaceId)
        const state = { id: proposal.id, isEdited: false, isMerged: false }
        proposed.set(title, state)
        acknowledged()
        await proposal.edit(insertPage(`# ${title}`))
        state.isEdited = true
        acknowledged()
        await proposal.merge()
        state.isMerged = true
        acknowledged()
      }
    }
    const ends = await Promise.allSettled([writeLive(), writeProposals(1), writeProposals(2)])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await server.ended).toMatchObject({ signal: 'SIGKILL' })
  }
  const server = await startServerProcess(env)
  await check(server.api())
  // All writers must have made progress.
  expect(live.size).toBeGreaterThan(2)
  expect([...proposed.values()].filter(({ isMerged }) => isMerged).length).toBeGreaterThan(2)
  expect(await command(['doctor', '--content'], env)).toMatchObject({ exitCode: 0 })
})
