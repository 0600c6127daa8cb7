import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDocument, leaf, paragraph } from '../../src/content/document/build.ts'
import { Draft } from '../../src/content/revision/draft.ts'
import { openTree } from '../../src/content/revision/tree.ts'
import { findDerivationState } from '../../src/derived/derivation-states.ts'
import { findSpaceHead } from '../../src/derived/heads.ts'
import { createRevision, moveSpaceHead } from '../../src/domain/revisions/revisions.ts'
import type { ContentLocation } from '../../src/contract/links.ts'
import { newId } from '../../src/kernel/ids.ts'
import { updateLinks } from '../../src/links/update-links.ts'
import { editLive, emptySpace, insertPage, writePage } from '../support/content.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// The server has no worker: the tests run its jobs themselves.
let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ ROLES: 'api' })
})
afterAll(() => octavo.stop())

const now = () => '2026-01-01T00:00:00.000Z'

/** Adds pages, each with a link to the one before and to a URL, and removes pages, as one revision. */
async function fill(spaceId: string, count: number, removed: readonly string[] = []): Promise<string[]> {
  const { database, openObjects, queue } = octavo.server.app
  return database.transaction(async (db) => {
    const space = await db.selectFrom('spaces').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
    const objects = openObjects(db, space.organization_id)
    const head = await findSpaceHead(db, spaceId)
    const draft = new Draft(await openTree(objects, head?.rootHash ?? ''))
    const ids: string[] = []
    const text = { object: 'text' as const, leaves: [leaf('text')] }
    for (let number = 0; number < count; number++) {
      const refs = [
        { kind: 'page' as const, page: ids.at(-1) ?? 'none' },
        { kind: 'url' as const, url: `https://example.com/${number}` },
      ]
      const nodes = refs.map((ref) => ({
        object: 'inline' as const,
        type: 'link' as const,
        data: { ref },
        nodes: [text],
      }))
      const document = objects.write({ kind: 'document', document: createDocument([paragraph(nodes)]) })
      const id = newId()
      const into = number % 50 === 0 ? null : (ids[number - (number % 50)] ?? null)
      const body = { title: `Page ${number}`, document, createdAt: now(), updatedAt: now() }
      await draft.insertPage({ id, type: 'document', slug: `page-${number}`, body }, { into })
      ids.push(id)
    }
    for (const id of removed) await draft.deletePage(id)
    const rootHash = await draft.commit()
    await objects.flush()
    const revision = { id: newId(), space, rootHash, type: 'edits' as const, parents: [space.revision_id] }
    await createRevision({ db, openObjects }, { ...revision, createdBy: octavo.admin.id, createdAt: now() })
    await moveSpaceHead({ db, enqueue: queue.enqueue, now, openObjects }, space, revision.id)
    return ids
  })
}

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
