import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptySpace, propose, readLive, writePage } from '../support/content.ts'
import { corpusFolders } from '../support/corpus.ts'
import { exportTo, importFrom } from '../support/git.ts'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import type { RevisionPage } from '../../src/contract/revision.ts'

// Real repositories on the whole road: in, out, and out again after an edit.

const folders = corpusFolders()
const chosen = [
  ...folders.filter(({ name }) => ['elsa', 'beefree', 'iot-logic/docs'].includes(name)),
  ...folders.filter(({ name }) => name.startsWith('evolve')).slice(0, 2),
]

let octavo: TestServer
let server: GitServer

beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  server = await startGitServer()
})

afterAll(async () => {
  await octavo.stop()
  server.close()
})

function* documentsIn(pages: readonly RevisionPage[]): Generator<string> {
  for (const page of pages) {
    if (page.type === 'document' && page.git?.path.endsWith('.md')) yield page.id
    if ('pages' in page) yield* documentsIn(page.pages)
  }
}

test.for(chosen)(
  '$name comes in and goes out without a changed byte, and an edit changes its file alone',
  async ({ name, path }) => {
    const repository = server.repository(name.replaceAll('/', '-'))
    const isProject = name === 'iot-logic/docs'
    repository.commitFolder(isProject ? path.replace(/\/docs$/, '') : path)
    const first = repository.tip() ?? ''
    const options = isProject ? { repoProjectDirectory: 'docs' } : {}
    const spaceId = await emptySpace(octavo.admin)
    expect(await importFrom(octavo.admin, spaceId, repository, options)).toMatchObject({
      state: 'success',
      commit: first,
    })
    expect(await exportTo(octavo.admin, spaceId, repository, options)).toMatchObject({
      state: 'success',
      commit: first,
    })
    expect(repository.tip()).toBe(first)

    const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
    const ids = [...documentsIn(pages)]
    const page = await readLive(octavo.admin, spaceId, ids[Math.floor(ids.length / 2)] ?? '')
    const proposal = await propose(octavo.admin, spaceId, 'One more sentence')
    await proposal.edit(writePage(page.id, `${page.markdown}\n\nOne more sentence.\n`))
    expect(await proposal.merge()).toMatchObject({ result: 'merge' })
    expect(await exportTo(octavo.admin, spaceId, repository, options)).toMatchObject({ state: 'success' })
    const changed = repository.git(['diff', '--numstat', first, 'main']).trim().split('\n')
    expect(changed).toHaveLength(1)
    const [added, removed, file] = changed[0]?.split('\t') ?? []
    expect(file).toBe(page.git?.path)
    expect(Number(added) - Number(removed)).toBeGreaterThan(0)
    const tip = repository.tip()
    const { revision } = await octavo.admin.api.getSpaceById({ params: { spaceId } })
    expect(await importFrom(octavo.admin, spaceId, repository, options)).toMatchObject({
      state: 'success',
      commit: tip,
    })
    expect((await octavo.admin.api.getSpaceById({ params: { spaceId } })).revision).toBe(revision)
  },
)
