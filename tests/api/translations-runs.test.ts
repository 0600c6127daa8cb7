import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, minutes } from '../../src/kernel/time.ts'
import { editLive, emptySpace, insertPage, propose, writePage } from '../support/content.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'
import { engineForTest, startDeeplEngine } from '../support/translation-engines.ts'
import { type TranslatedSpace, translatedSpace, waitForTranslation } from '../support/translations.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const firstPage = async ({ sourceId }: TranslatedSpace): Promise<string> =>
  (await octavo.admin.api.getCurrentRevision({ params: { spaceId: sourceId } })).pages[0]?.id ?? ''

const listRuns = async ({ params }: TranslatedSpace) =>
  (await octavo.admin.api.listTranslationRuns({ params, query: {} })).items

describe('budgets', () => {
  test('of a run stop it before a request that would exceed them, and the next run continues', async () => {
    const texts = Array.from({ length: 120 }, (_, index) => `This is the text with the number ${index}.`)
    const translated = await translatedSpace(octavo, [insertPage(texts.join('\n\n'), { title: 'First' })], {
      limits: { run: 3000 },
    })
    expect(translated.translation).toMatchObject({
      status: 'completed',
      failure: 'The run would send more than 3000 characters, its limit',
    })
    expect(translated.translation.result).toBeUndefined()
    const [run] = await listRuns(translated)
    expect(run).toMatchObject({ status: 'failed', usage: { characters: expect.any(Number) } })
    expect(run?.usage.characters).toBeGreaterThan(1000)
    expect(run?.usage.characters).toBeLessThanOrEqual(3000)
    for (let count = 0; count < 2; count++) await translated.run()
    const done = await octavo.admin.api.getTranslation({ params: translated.params })
    expect(done.failure).toBeUndefined()
    expect(done.stats).toMatchObject({ runs: 3, totalPages: 1 })
    const sent = translated.takeSentTexts()
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent).toHaveLength(121)
    expect(done.stats.totalCharacters).toBe(sent.join('').length)
  })

  test('of a month apply to all runs of the translation, and a new month has its own', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Twenty characters….', { title: 'First' })], {
      limits: { month: 40 },
    })
    expect(translated.translation.failure).toBeUndefined()
    const page = await firstPage(translated)
    await translated.editSource(writePage(page, 'Twenty other characters.'))
    const { failure } = await translated.run()
    expect(failure).toBe('The translation would send more than 40 characters this month, its limit')
    const { limits } = await octavo.admin.api.updateTranslation({
      params: translated.params,
      body: { limits: { month: null } },
    })
    expect(limits).toEqual({ run: null, month: null })
    expect((await translated.run()).failure).toBeUndefined()
  })
})

test('the server limits what an organization sends to its engine in a month', async () => {
  const engine = await engineForTest(startDeeplEngine())
  const own = await serverForTest({
    OCTAVO_TRANSLATION: 'deepl',
    OCTAVO_TRANSLATION_URL: engine.url,
    OCTAVO_TRANSLATION_KEY: 'key',
    OCTAVO_TRANSLATION_MONTHLY_CHARACTERS: '30',
  })
  const params = { organizationId: own.admin.organizationId }
  const spaceId = await emptySpace(own.admin)
  await editLive(own.admin, spaceId, insertPage('Twenty characters….', { title: 'First' }))
  const translate = async (language: 'fr' | 'de') => {
    const body = { language, source: { space: spaceId, language: 'en' as const } }
    const { id } = await own.admin.api.createTranslation({ params, body })
    return waitForTranslation(own.admin, id)
  }
  expect((await translate('fr')).failure).toBeUndefined()
  expect((await translate('de')).failure).toMatch(/more than 30 characters this month, the limit of this server/)
  expect(engine.requests).toHaveLength(1)
  own.clock.advance(days(40))
  const { items } = await own.admin.api.listTranslations({ params, query: { limit: 1 } })
  const translationId = items[0]?.id ?? ''
  await own.admin.api.runTranslation({ params: { ...params, translationId } })
  expect((await waitForTranslation(own.admin, translationId)).failure).toBeUndefined()
  const { usage } = await own.admin.api.getTranslationEngine({ params })
  expect(usage).toMatchObject({ month: '2026-02', characters: 24 })
})

describe('cancelling', () => {
  test('stops a run; what was translated is used by the next one', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    const page = await firstPage(translated)
    const before = await translated.read(page)
    translated.takeSentTexts()
    await translated.editSource(writePage(page, 'Another text.'))
    const release = translated.engine.hold()
    await octavo.admin.api.runTranslation({ params: translated.params })
    await waitUntil(async () => translated.engine.requests.length > 1, 'the engine receives the text')
    const running = await octavo.admin.api.getTranslation({ params: translated.params })
    expect(running.status).toBe('running')
    await octavo.admin.api.cancelTranslationRun({ params: translated.params })
    release()
    const { items } = await octavo.admin.api.listTranslationRuns({ params: translated.params, query: { limit: 1 } })
    expect(items).toMatchObject([{ status: 'cancelled', endedAt: expect.any(String) }])
    expect(await octavo.admin.api.getTranslation({ params: translated.params })).toMatchObject({
      status: 'completed',
      failure: 'The run was cancelled',
      stats: { runs: 2 },
    })
    expect(await translated.read(page)).toBe(before)
    expect((await translated.run()).failure).toBeUndefined()
    expect(await translated.read(page)).toContain('rehtonA txet.')
    // Cancelling without a run has no effect.
    await octavo.admin.api.cancelTranslationRun({ params: translated.params })
    expect((await octavo.admin.api.getTranslation({ params: translated.params })).failure).toBeUndefined()
  })

  test('and starting at the same time leaves at most one run active', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    await translated.editSource(writePage(await firstPage(translated), 'Another text.'))
    const release = translated.engine.hold()
    await Promise.all(Array.from({ length: 5 }, () => octavo.admin.api.runTranslation({ params: translated.params })))
    release()
    await waitForTranslation(octavo.admin, translated.params.translationId)
    expect((await listRuns(translated)).map(({ status }) => status)).toEqual(['completed', 'completed'])
  })
})

describe('a translation that runs after merges', () => {
  test('runs once for many changes, some time after them', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })], {
      runAfterMerge: true,
    })
    const page = await firstPage(translated)
    const proposal = await propose(octavo.admin, translated.sourceId)
    await proposal.edit(writePage(page, 'Merged text.'))
    await proposal.merge()
    await translated.editSource(writePage(page, 'Merged text.\n\nLive text.'))
    expect(await listRuns(translated)).toHaveLength(1)
    octavo.clock.advance(minutes(2))
    await waitUntil(async () => (await listRuns(translated)).length === 2, 'a run starts')
    await waitForTranslation(octavo.admin, translated.params.translationId)
    expect(await translated.read(page)).toContain('degreM txet.\n\neviL txet.')
    expect(await listRuns(translated)).toHaveLength(2)
  })

  test('does not run if it does not follow, or if its result changes', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    const page = await firstPage(translated)
    await translated.editSource(writePage(page, 'Changed text.'))
    await octavo.admin.api.updateTranslation({ params: translated.params, body: { runAfterMerge: true } })
    await translated.editResult(writePage(page, 'Texte.'))
    const { database } = octavo.server.app
    const jobs = await database.reader
      .selectFrom('jobs')
      .selectAll()
      .where('name', '=', 'translations.follow')
      .execute()
    const ours = jobs.filter(({ payload }) => payload.includes(translated.params.translationId))
    expect(ours).toEqual([])
  })
})

const startReviewed = (texts: string) =>
  translatedSpace(octavo, [insertPage(texts, { title: 'First' })], { resultMode: 'change-request' })

describe('a translation whose result is reviewed', () => {
  test('proposes its result, continues the open change request, and follows what was merged', async () => {
    const translated = await startReviewed('Start.')
    const page = await firstPage(translated)
    const spaceId = translated.translation.result?.space ?? ''
    const [run] = await listRuns(translated)
    const changeRequestId = run?.changeRequest ?? ''
    const read = async () =>
      octavo.admin.api.getPageInChangeRequestById({
        params: { spaceId, changeRequestId, pageId: page },
        query: { format: 'markdown' },
      })
    expect((await octavo.admin.api.getCurrentRevision({ params: { spaceId } })).pages).toEqual([])
    expect(await read()).toMatchObject({ title: 'tsriF', markdown: expect.stringContaining('tratS.') })

    await translated.editSource(writePage(page, 'Start.\n\nMore text.'))
    await translated.run()
    expect((await listRuns(translated))[0]?.changeRequest).toBe(changeRequestId)
    expect(await read()).toMatchObject({ markdown: expect.stringContaining('tratS.\n\neroM txet.') })

    await octavo.admin.api.mergeChangeRequest({ params: { spaceId, changeRequestId } })
    await editLive(octavo.admin, spaceId, writePage(page, 'Début.\n\neroM txet.'))
    await translated.editSource(writePage(page, 'Start.\n\nMuch more text.'))
    await translated.run()
    const [next] = await listRuns(translated)
    expect(next?.changeRequest).not.toBe(changeRequestId)
    await octavo.admin.api.mergeChangeRequest({ params: { spaceId, changeRequestId: next?.changeRequest ?? '' } })
    expect(await translated.read(page)).toContain('Début.\n\nhcuM erom txet.')
  })

  test('proposes its changes again after the change request was archived, without sending texts again', async () => {
    const translated = await startReviewed('Start.')
    const page = await firstPage(translated)
    const spaceId = translated.translation.result?.space ?? ''
    const changeRequestId = (await listRuns(translated))[0]?.changeRequest ?? ''
    await octavo.admin.api.updateChangeRequestById({
      params: { spaceId, changeRequestId },
      body: { status: 'archived' },
    })
    translated.takeSentTexts()
    await translated.run()
    expect(translated.takeSentTexts()).toEqual([])
    const [run] = await listRuns(translated)
    expect(run?.changeRequest).not.toBe(changeRequestId)
    await octavo.admin.api.mergeChangeRequest({ params: { spaceId, changeRequestId: run?.changeRequest ?? '' } })
    expect(await translated.read(page)).toContain('tratS.')
  })

  test('resolves findings in the open change request', async () => {
    const translated = await startReviewed('Start.')
    const page = await firstPage(translated)
    const spaceId = translated.translation.result?.space ?? ''
    const changeRequestId = (await listRuns(translated))[0]?.changeRequest ?? ''
    const params = { spaceId, changeRequestId }
    const changes = [writePage(page, 'Début.')] as never
    await octavo.admin.api.updateChangeRequestContent({ params, query: { compat: 'false' }, body: { changes } })
    await translated.editSource(writePage(page, 'A new start.'))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    const { items } = await octavo.admin.api.listTranslationFindings({ params: translated.params, query: {} })
    expect(items).toMatchObject([{ machine: 'A wen trats.', current: 'Début.' }])
    const findingId = items[0]?.id ?? ''
    await octavo.admin.api.resolveTranslationFinding({
      params: { ...translated.params, findingId },
      body: { use: 'machine' },
    })
    const read = await octavo.admin.api.getPageInChangeRequestById({
      params: { ...params, pageId: page },
      query: { format: 'markdown' },
    })
    expect(read).toMatchObject({ markdown: expect.stringContaining('A wen trats.') })
    expect((await octavo.admin.api.getCurrentRevision({ params: { spaceId } })).pages).toEqual([])
  })
})
