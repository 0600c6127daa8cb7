import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ObjectStore, OpenObjects } from '../../src/kernel/context.ts'
import { indexSpace } from '../../src/search/index-space.ts'
import { findSpaceHead } from '../../src/derived/heads.ts'
import { findDerivationState } from '../../src/derived/derivation-states.ts'
import type { Db } from '../../src/schema/tables.ts'
import { editLive, emptySpace, insertPage, writePage } from '../support/content.ts'
import { insertPages } from '../support/many-pages.ts'
import { searchTitles } from '../support/search.ts'
import { type TestServer, engine, startTestServer } from '../support/server.ts'

// The server has no worker: the tests run its jobs themselves.
let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ ROLES: 'api' })
})
afterAll(() => octavo.stop())

interface Watched {
  openObjects?: OpenObjects
  onTransaction?: () => void
}

function index(spaceId: string, { openObjects, onTransaction }: Watched = {}): Promise<void> {
  const { app } = octavo.server
  return indexSpace(
    {
      db: app.database.reader,
      openObjects: openObjects ?? app.openObjects,
      signal: new AbortController().signal,
      transaction: async (work) => {
        const result = await app.database.transaction(work)
        onTransaction?.()
        return result
      },
    },
    spaceId,
  )
}

/** Writes pages into a space, 50 below each page at the top level. */
const fill = (spaceId: string, count: number) => insertPages(octavo, spaceId, count, { perParent: 50 })

/** Wraps an object store and counts the objects that are read. */
function counting(openObjects: OpenObjects) {
  let count = 0
  const watched = (objects: ObjectStore): ObjectStore =>
    new Proxy(objects, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...parameters: unknown[]): unknown => {
          if (name === 'read') count += (parameters[0] as string[]).length
          return Reflect.apply(value, target, parameters)
        }
      },
    })
  const open: OpenObjects = (db, organizationId) => watched(openObjects(db, organizationId))
  return { openObjects: open, count: () => count }
}

/** Returns a value for each row of the index that changes whenever the row is written. */
async function rowsOf(spaceId: string): Promise<Map<string, unknown>> {
  const { reader } = octavo.server.app.database
  const mark = sql.raw(engine === 'postgres' ? 'xmin::text' : 'id')
  const { rows } = await sql<{ name: string; mark: unknown }>`
    select page_id || '/' || part as name, ${mark} as mark from search_sections where space_id = ${spaceId}`.execute(
    reader,
  )
  return new Map(rows.map((row) => [row.name, row.mark]))
}

async function countWords(db: Db): Promise<number> {
  const table = sql.raw(engine === 'postgres' ? 'search_sections' : 'search_words')
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${table}`.execute(db)
  return rows[0]?.count ?? 0
}

test('indexing one edited page among 2000 reads few objects and writes only the rows of that page', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const pages = await fill(spaceId, 2000)
  await index(spaceId)
  const before = await rowsOf(spaceId)
  expect(before.size).toBe(2000)

  const edited = pages[1234] ?? ''
  await editLive(octavo.admin, spaceId, writePage(edited, '# Edited\n\nquagga\n\n## Part\n\nMore'))
  const { openObjects, count } = counting(octavo.server.app.openObjects)
  let transactions = 0
  await index(spaceId, { openObjects, onTransaction: () => transactions++ })
  expect(count()).toBeLessThan(60)
  expect(transactions).toBeLessThanOrEqual(2)
  const after = await rowsOf(spaceId)
  const written = [...after].filter(([name, mark]) => before.get(name) !== mark).map(([name]) => name)
  expect(written.sort()).toEqual([`${edited}/0`, `${edited}/1`])
  expect(await searchTitles(octavo.admin, spaceId, 'quagga')).toEqual(['Edited'])

  const again = counting(octavo.server.app.openObjects)
  await index(spaceId, { openObjects: again.openObjects })
  expect(again.count()).toBe(0)
})

test('interrupted indexing resumes where it stopped, also after the content has changed', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const pages = await fill(spaceId, 450)
  let transactions = 0
  const interrupted = index(spaceId, {
    onTransaction: () => {
      transactions++
      if (transactions === 3) throw new Error('The process ends')
    },
  })
  await expect(interrupted).rejects.toThrow('The process ends')
  const partly = await rowsOf(spaceId)
  expect(partly.size).toBeGreaterThan(0)
  expect(partly.size).toBeLessThan(450)

  const [first = '', last = ''] = [pages[0], pages.at(-1)]
  await editLive(octavo.admin, spaceId, writePage(first, '# First\n\ndodo'), { operation: 'delete_page', page: last })
  // A deleted page is not found even if the index still has its rows.
  expect(await searchTitles(octavo.admin, spaceId, 'word449')).toEqual([])
  await index(spaceId)
  const head = await findSpaceHead(octavo.server.app.database.reader, spaceId)
  const state = head && (await findDerivationState(octavo.server.app.database.reader, 'search_states', head))
  expect(state).toMatchObject({ root_hash: head?.rootHash, pending_hash: null })
  expect(await searchTitles(octavo.admin, spaceId, 'dodo')).toEqual(['First'])
  expect(await searchTitles(octavo.admin, spaceId, 'word0')).toEqual([])
  expect(await searchTitles(octavo.admin, spaceId, 'word300')).toEqual(['Page 300'])
  const kept = await rowsOf(spaceId)
  expect(kept.size).toBe(449)
  // Rows that were written before the interruption are not written again.
  const untouched = [...partly].filter(([name, mark]) => kept.get(name) === mark)
  expect(untouched.length).toBeGreaterThanOrEqual(partly.size - 1)
})

test('rows of an older format are rebuilt, and rows of deleted pages are removed', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const [page = ''] = await editLive(
    octavo.admin,
    spaceId,
    insertPage('# Page\n\nheron'),
    insertPage('# Gone\n\negret'),
  )
  await index(spaceId)
  await octavo.server.app.database.transaction(async (db) => {
    await db.updateTable('search_states').set({ format: 0 }).where('space_id', '=', spaceId).execute()
    await db.updateTable('search_sections').set({ page_id: 'former' }).where('page_id', '=', page).execute()
  })
  await index(spaceId)
  expect(await searchTitles(octavo.admin, spaceId, 'heron')).toEqual(['Page'])
  expect([...(await rowsOf(spaceId)).keys()].some((name) => name.startsWith('former'))).toBe(false)
})

test('deleting a space deletes all of its rows from the index', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const { database } = octavo.server.app
  const before = await countWords(database.reader)
  await editLive(octavo.admin, spaceId, insertPage('# Page\n\nText\n\n## Part\n\nMore'))
  await index(spaceId)
  expect(await countWords(database.reader)).toBe(before + 2)
  await database.transaction((db) => db.deleteFrom('spaces').where('id', '=', spaceId).execute())
  expect(await countWords(database.reader)).toBe(before)
  await index(spaceId)
})
