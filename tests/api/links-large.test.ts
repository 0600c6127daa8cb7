import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaf } from '../../src/content/document/build.ts'
import type { ContentRef, InlineNode } from '../../src/content/document/nodes.ts'
import { findDerivationState } from '../../src/derived/derivation-states.ts'
import { findSpaceHead } from '../../src/derived/heads.ts'
import type { ContentLocation } from '../../src/contract/links.ts'
import { updateLinks } from '../../src/links/update-links.ts'
import { editLive, emptySpace, insertPage, writePage } from '../support/content.ts'
import { insertPages } from '../support/many-pages.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// The server has no worker: the tests run its jobs themselves.
let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ ROLES: 'api' })
})
afterAll(() => octavo.stop())

const text: InlineNode = { object: 'text', leaves: [leaf('text')] }

const link = (ref: ContentRef): InlineNode => ({ object: 'inline', type: 'link', data: { ref }, nodes: [text] })

/** Adds pages, each with a link to the one before and to a URL, and removes pages, as one revision. */
const fill = (spaceId: string, count: number, removed: readonly string[] = []): Promise<string[]> =>
  insertPages(octavo, spaceId, count, {
    perParent: 50,
    removed,
    write: (number, ids) => [
      link({ kind: 'page', page: ids.at(-1) ?? 'none' }),
      link({ kind: 'url', url: `https://example.com/${number}` }),
    ],
  })

interface RunOptions {
  /** Number of transactions after which the job fails. */
  maxTransactions?: number
}

async function runUpdate(spaceId: string, { maxTransactions = Infinity }: RunOptions = {}): Promise<number> {
  const { database, openObjects } = octavo.server.app
  let transactions = 0
  await updateLinks(
    {
      db: database.reader,
      openObjects,
      signal: new AbortController().signal,
      transaction: async (work) => {
        if (++transactions > maxTransactions) throw new Error('interrupted')
        return database.transaction(work)
      },
    },
    spaceId,
  )
  return transactions
}

const isUpToDate = async (spaceId: string): Promise<boolean> => {
  const { reader } = octavo.server.app.database
  const head = await findSpaceHead(reader, spaceId)
  const state = head && (await findDerivationState(reader, 'link_states', head))
  return state?.root_hash === head?.rootHash && state?.pending_hash === null
}

const pageOf = (location: ContentLocation | undefined) => (location?.kind === 'page' ? location.page : undefined)

test('a job stores the links of a large change, also after an interruption; small changes follow at once', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const params = { spaceId }
  const pages = await fill(spaceId, 1200)
  expect(await isUpToDate(spaceId)).toBe(false)
  await expect(runUpdate(spaceId, { maxTransactions: 5 })).rejects.toThrow('interrupted')
  await runUpdate(spaceId)
  expect(await isUpToDate(spaceId)).toBe(true)
  expect(await runUpdate(spaceId)).toBe(0)
  const all = await admin.api.listSpaceLinks({ params, query: { limit: '5' } })
  expect(all).toMatchObject({ count: 2400, stats: { total: 2400, broken: { total: 1 } } })
  expect(all.items).toHaveLength(5)

  const target = pages[600] ?? ''
  await editLive(admin, spaceId, writePage(pages[700] ?? '', `# Edited\n\n[x](/pages/${target}#none)`))
  expect(await isUpToDate(spaceId)).toBe(true)
  const backlinks = await admin.api.listSpacePageBacklinks({ params: { spaceId, pageId: target } })
  expect(backlinks.items.map(pageOf)).toEqual([pages[601], pages[700]])
  const broken = await admin.api.listSpaceLinks({ params, query: { status: 'broken' } })
  expect(broken).toMatchObject({ count: 2, items: { length: 2 } })

  await fill(spaceId, 0, [pages[50] ?? ''])
  expect(await isUpToDate(spaceId)).toBe(true)
  // The 49 pages below it are deleted too; page 100 links to the last one.
  expect((await admin.api.listSpaceLinks({ params })).stats.broken.total).toBe(3)
})

test('the status of listed links is correct before the job has run', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [target = ''] = await editLive(admin, spaceId, insertPage('# Target'))
  const [source = ''] = await editLive(admin, spaceId, insertPage(`# Source\n\n[t](/pages/${target})`))
  const other = await emptySpace(admin)
  await editLive(admin, other, insertPage(`# Other\n\n[t](/spaces/${spaceId}/pages/${target})`))
  await fill(spaceId, 600, [target])
  expect(await isUpToDate(spaceId)).toBe(false)
  const ofSpace = await admin.api.listSpaceLinks({ params: { spaceId } })
  expect(ofSpace.items).toMatchObject([{ status: 'broken', targetReference: { page: target } }])
  expect((await admin.api.listSpaceLinks({ params: { spaceId: other } })).items).toMatchObject([{ status: 'broken' }])
  const ofPage = await admin.api.listPageLinksInSpace({ params: { spaceId, pageId: source } })
  expect(ofPage.items).toMatchObject([{ status: 'broken' }])
  await runUpdate(spaceId)
  expect((await admin.api.listSpaceLinks({ params: { spaceId: other } })).stats.broken.total).toBe(1)
})

test('links to a space are evaluated again when the space moves to another organization and back', async () => {
  const { admin } = octavo
  const { id: elsewhere } = await admin.api.createOrganization({ body: { title: 'Elsewhere' } })
  const [linking, moving] = [await emptySpace(admin), await emptySpace(admin)]
  const [target = ''] = await editLive(admin, moving, insertPage('# Target'))
  const move = async (organization: string) => {
    await admin.api.transferSpace({ params: { spaceId: moving }, body: { organization } })
    await runUpdate(moving)
  }
  const list = async () => (await admin.api.listSpaceLinks({ params: { spaceId: linking } })).stats
  await move(elsewhere)
  await editLive(admin, linking, insertPage(`# Linking\n\n[t](/spaces/${moving}/pages/${target})`))
  expect(await list()).toMatchObject({ total: 1, broken: { total: 1 } })
  await move(admin.organizationId)
  expect(await list()).toMatchObject({ total: 1, broken: { total: 0 } })
  await move(elsewhere)
  expect(await list()).toMatchObject({ total: 1, broken: { total: 1 } })
})
