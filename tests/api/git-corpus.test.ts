import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { gitServersForFile } from '../support/git-servers.ts'
import type { RevisionPage } from '../../src/contract/revision.ts'
import type { StatesTable } from '../../src/derived/derivation-states.ts'
import { enqueueDerivations } from '../../src/derived/jobs.ts'
import { clearCaches } from '../../src/kernel/cache.ts'
import { emptySpace, propose, readLive, writePage } from '../support/content.ts'
import { type RepositoryFolder, ownRepositories, sampleRepositories } from '../support/repositories.ts'
import { waitUntilDerived } from '../support/search.ts'
import { exportTo, importFrom } from '../support/git.ts'
import { type GitServer } from '../support/git-server.ts'
import { type TestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

function* documentsIn(pages: readonly RevisionPage[]): Generator<string> {
  for (const page of pages) {
    if (page.type === 'document' && page.git?.path.endsWith('.md')) yield page.id
    if ('pages' in page) yield* documentsIn(page.pages)
  }
}

/** Imports a repository and exports it, before and after an edit. */
async function checkRoundTrip({ name, path, projectDirectory }: RepositoryFolder): Promise<void> {
  const repository = server.repository(name.replaceAll('/', '-'))
  const first = repository.commitFolder(projectDirectory === undefined ? path : dirname(path))
  const options = projectDirectory === undefined ? {} : { repoProjectDirectory: projectDirectory }
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  const sync = {
    import: () => importFrom(octavo.admin, spaceId, repository, options),
    export: () => exportTo(octavo.admin, spaceId, repository, options),
  }
  expect(await sync.import(), name).toMatchObject({ state: 'success', commit: first })
  expect(await sync.export(), name).toMatchObject({ state: 'success', commit: first })
  expect(repository.tip()).toBe(first)

  const { pages } = await octavo.admin.api.listPages({ params })
  const ids = [...documentsIn(pages)]
  const page = await readLive(octavo.admin, spaceId, ids[Math.floor(ids.length / 2)] ?? '')
  const proposal = await propose(octavo.admin, spaceId, 'One more sentence')
  await proposal.edit(writePage(page.id, `${page.markdown}\n\nOne more sentence.\n`))
  expect(await proposal.merge()).toMatchObject({ result: 'merge' })
  const exported = await sync.export()
  expect(exported, name).toMatchObject({ state: 'success', commit: repository.tip() })
  const changed = repository.git(['diff', '--name-only', first, 'main'])
  expect(changed).toBe(`${page.git?.path}\n`)
  const { revision } = await octavo.admin.api.getSpaceById({ params })
  expect(await sync.import(), name).toMatchObject({ state: 'success', commit: exported.commit })
  expect((await octavo.admin.api.getSpaceById({ params })).revision).toBe(revision)
}

test.each(sampleRepositories())(
  '$name is exported byte for byte as imported, and an edit changes only its own file',
  checkRoundTrip,
)

const statesTables: readonly StatesTable[] = ['search_states', 'link_states', 'highlight_states']
const derivedTables = [
  'search_sections',
  'search_reuses',
  'search_vocabulary',
  'links',
  'link_targets',
  'highlighted_code',
]

/** Returns the rows that are computed from the content of a space, in order. */
async function readDerivedRows(spaceId: string): Promise<Record<string, string[]>> {
  for (const table of statesTables) await waitUntilDerived(octavo, table, spaceId)
  const rows: Record<string, string[]> = {}
  for (const table of derivedTables as 'search_sections'[]) {
    const query = octavo.server.app.database.reader.selectFrom(table).selectAll().where('space_id', '=', spaceId)
    rows[table] = (await query.execute()).map((row) => JSON.stringify({ ...row, id: undefined })).sort()
  }
  return rows
}

test('search, links and code of imported pages are the same as when they are computed again from the documents', async () => {
  const folder = ownRepositories.find(({ name }) => name === 'lighthouse')
  const repository = server.repository('derived')
  repository.commitFolder(folder?.path ?? '')
  const spaceId = await emptySpace(octavo.admin)
  await importFrom(octavo.admin, spaceId, repository)
  const afterImport = await readDerivedRows(spaceId)
  for (const table of derivedTables) expect(afterImport[table], table).not.toEqual([])

  clearCaches()
  const { database, queue } = octavo.server.app
  await database.transaction(async (db) => {
    for (const table of statesTables as 'search_states'[]) {
      await db.deleteFrom(table).where('space_id', '=', spaceId).execute()
    }
    await enqueueDerivations({ db, enqueue: queue.enqueue }, spaceId)
  })
  expect(await readDerivedRows(spaceId)).toEqual(afterImport)
})
