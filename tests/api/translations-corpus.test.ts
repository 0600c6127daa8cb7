import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import type { Document } from '../../src/content/document/nodes.ts'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { emptySpace, insertPage, readLive } from '../support/content.ts'
import { exportTo, importFrom } from '../support/git.ts'
import type { GitServer } from '../support/git-server.ts'
import { gitServersForFile } from '../support/git-servers.ts'
import { type RepositoryFolder, testRepositories } from '../support/repositories.ts'
import { type TestServer, serverForTest } from '../support/server.ts'
import { withoutTexts } from '../support/translated-documents.ts'
import { engineForTest, startDeeplEngine } from '../support/translation-engines.ts'
import { waitForTranslation } from '../support/translations.ts'

let octavo: TestServer
let server: GitServer
gitServersForFile((started) => ({ octavo, server } = started))

/** The repository with every construct, and the smallest of the corpus if there is one. */
const chosen = testRepositories().filter(({ name }) => name === 'lighthouse' || name.startsWith('iot-logic'))

/** Returns text that is no word of any language, with the same tags and entities. */
const extendWords = (text: string): string =>
  text.replace(/<[^>]*>|&\w+;|\p{L}+/gu, (part) => (/^[<&]/.test(part) ? part : `${part}oux`))

function* pagesIn(pages: readonly RevisionPage[]): Generator<RevisionPage> {
  for (const page of pages) {
    yield page
    if ('pages' in page) yield* pagesIn(page.pages)
  }
}

const describePage = (page: RevisionPage) => [page.id, page.type, 'path' in page ? page.path : '']

async function readDocument(spaceId: string, pageId: string): Promise<Document | undefined> {
  const page = await octavo.admin.api.getPageById({ params: { spaceId, pageId }, query: {} })
  return page.type === 'document' ? (page.document as unknown as Document) : undefined
}

/** Imports a repository, translates it, compares all documents, and exports the translation. */
async function checkTranslation({ name, path, projectDirectory }: RepositoryFolder): Promise<void> {
  const { admin } = octavo
  const params = { organizationId: admin.organizationId }
  const engine = await engineForTest(startDeeplEngine())
  engine.translateWith(extendWords)
  await admin.api.setTranslationEngine({ params, body: { kind: 'deepl', url: engine.url, key: 'key' } })
  const repository = server.repository(`source-${name.replaceAll('/', '-')}`)
  repository.commitFolder(projectDirectory === undefined ? path : dirname(path))
  const spaceId = await emptySpace(admin, name)
  expect(await importFrom(admin, spaceId, repository)).toMatchObject({ state: 'success' })

  const body = { language: 'fr', source: { space: spaceId, language: 'en' } } as const
  const { id } = await admin.api.createTranslation({ params, body })
  const translation = await waitForTranslation(admin, id)
  expect(translation.failure).toBeUndefined()
  const resultId = translation.result?.space ?? ''
  const [source, result] = await Promise.all(
    [spaceId, resultId].map((one) => admin.api.getCurrentRevision({ params: { spaceId: one } })),
  )
  const [sourcePages, resultPages] = [[...pagesIn(source?.pages ?? [])], [...pagesIn(result?.pages ?? [])]]
  expect(resultPages.map(describePage)).toEqual(sourcePages.map(describePage))
  for (const { id: pageId } of sourcePages) {
    const [before, after] = [await readDocument(spaceId, pageId), await readDocument(resultId, pageId)]
    expect([pageId, after && withoutTexts(after)]).toEqual([pageId, before && withoutTexts(before)])
  }
  const sent = engine.requests.flatMap(({ texts }) => texts)
  expect(sent.filter((text, index) => sent.indexOf(text) !== index)).toEqual([])

  const target = server.repository(`target-${name.replaceAll('/', '-')}`)
  expect(await exportTo(admin, resultId, target)).toMatchObject({ state: 'success', commit: target.tip() })
  const exported = target.list().filter((line) => line.endsWith('.md'))
  expect(exported.length).toBeGreaterThanOrEqual(sourcePages.filter(({ type }) => type === 'document').length)
  // The pages have the names of the files that the source was imported from; one of these is not a page.
  const files = repository.list().filter((line) => line.endsWith('.md'))
  expect(files.filter((file) => !exported.includes(file)).length).toBeLessThanOrEqual(1)

  // Nothing has changed, so nothing is sent and no revision is created.
  const { revision } = await admin.api.getSpaceById({ params: { spaceId: resultId } })
  await admin.api.runTranslation({ params: { ...params, translationId: id } })
  await waitForTranslation(admin, id)
  expect(engine.requests.flatMap(({ texts }) => texts)).toHaveLength(sent.length)
  expect((await admin.api.getSpaceById({ params: { spaceId: resultId } })).revision).toBe(revision)
}

test.each(chosen)('$name keeps everything but its texts, and can be exported', checkTranslation)

/** The pairs of languages that Apertium has on this machine. */
const pairs = String(spawnSync('apertium', ['-l']).stdout ?? '').split(/\s+/)

// Apertium is an optional program; without the pair English to Spanish, no real engine translates on this machine.
test.skipIf(!pairs.includes('eng-spa'))('a space is translated by Apertium', async () => {
  const own = await serverForTest({ OCTAVO_TRANSLATION: 'apertium' })
  const { admin } = own
  const params = { organizationId: admin.organizationId }
  const spaceId = await emptySpace(admin, 'Guide')
  const markdown = 'The **house** is white. Run `npm install` in [the garden](https://example.com/a_b).'
  await admin.api.updateSpaceContent({
    params: { spaceId },
    body: { changes: [insertPage(markdown, { title: 'The red house' }) as never] },
  })
  const body = { language: 'es', source: { space: spaceId, language: 'en' } } as const
  const { id } = await admin.api.createTranslation({ params, body })
  const done = await waitForTranslation(admin, id)
  expect(done).toMatchObject({ status: 'completed', openFindings: 0 })
  const resultId = done.result?.space ?? ''
  const { pages } = await admin.api.getCurrentRevision({ params: { spaceId: resultId } })
  const page = await readLive(admin, resultId, pages[0]?.id ?? '')
  expect(page.title).toMatch(/casa roja/i)
  expect(page.markdown).toMatch(/\*\*casa\*\*/)
  expect(page.markdown).toContain('`npm install`')
  expect(page.markdown).toContain('](https://example.com/a_b)')
})
