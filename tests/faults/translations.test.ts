import { expect, test } from 'vitest'
import type { ContentChange } from '../../src/contract/content-changes.ts'
import { insertPage } from '../support/content.ts'
import { migratedHomeForTest } from '../support/home.ts'
import { startServerProcess } from '../support/process.ts'
import { waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'
import { engineForTest, startDeeplEngine } from '../support/translation-engines.ts'

const pageCount = 30
const textsPerPage = 20

const pages = Array.from({ length: pageCount }, (_, page) =>
  insertPage(Array.from({ length: textsPerPage }, (__, text) => `The text ${text} of the page ${page}.`).join('\n\n'), {
    title: `Page ${page}`,
  }),
)

test('a run that was interrupted by kill -9 is completed after the next start, and no text is sent twice', async () => {
  const engine = await engineForTest(startDeeplEngine())
  const env = {
    ...(await migratedHomeForTest()),
    OCTAVO_TRANSLATION: 'deepl',
    OCTAVO_TRANSLATION_URL: engine.url,
    OCTAVO_TRANSLATION_KEY: 'key',
  }
  const first = await startServerProcess(env)
  const organizationId = await getOrganizationId(first.api())
  const params = { organizationId }
  const space = await first.api().createSpace({ params, body: { title: 'Guide', empty: true } })
  await first.api().updateSpaceContent({
    params: { spaceId: space.id },
    body: { changes: pages as ContentChange[] },
  })
  let release = engine.hold()
  const { id: translationId } = await first.api().createTranslation({
    params,
    body: { language: 'fr', source: { space: space.id, language: 'en' } },
  })
  // Replies are sent one by one, so that the run is in the middle when the server is killed.
  for (let replies = 1; replies <= 4; replies++) {
    await waitUntil(async () => engine.requests.length >= replies, 'the engine receives a request')
    const opened = release
    release = engine.hold()
    opened()
  }
  const isStored = async () => {
    const { items } = await first.api().listTranslationRuns({ params: { ...params, translationId }, query: {} })
    return (items[0]?.progress.sentTexts ?? 0) > 0
  }
  await waitUntil(isStored, 'replies are stored')
  const before = await first.api().listTranslationRuns({ params: { ...params, translationId }, query: {} })
  const stored = before.items[0]?.progress.sentTexts ?? 0
  first.kill('SIGKILL')
  await first.ended
  release()
  const sentBefore = engine.requests.flatMap(({ texts }) => texts)
  expect(sentBefore.length).toBeLessThan(pageCount * (textsPerPage + 1))

  const second = await startServerProcess(env)
  const done = await waitUntil(async () => {
    const translation = await second.api().getTranslation({ params: { ...params, translationId } })
    return translation.status === 'completed' && translation
  }, 'the run is completed')
  expect(done.failure).toBeUndefined()
  expect(done).toMatchObject({ openFindings: 0, stats: { runs: 1, totalPages: pageCount } })
  const sent = engine.requests.flatMap(({ texts }) => texts)
  const all = pageCount * (textsPerPage + 1)
  expect(new Set(sent).size).toBe(all)
  // Only texts whose reply was not stored before the server was killed are sent again.
  const repeated = sent.length - all
  expect(repeated).toBeLessThanOrEqual(sentBefore.length - stored)
  const result = await second.api().getCurrentRevision({ params: { spaceId: done.result?.space ?? '' } })
  expect(result.pages).toHaveLength(pageCount)
})
