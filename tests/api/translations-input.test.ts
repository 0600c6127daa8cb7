import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days } from '../../src/kernel/time.ts'
import { emptySpace, insertPage, writePage } from '../support/content.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'
import { type TranslatedSpace, translatedSpace } from '../support/translations.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const organization = () => ({ organizationId: octavo.admin.organizationId })

/** Sends a request; returns the status and the message. */
async function send(method: string, path: string, body?: unknown): Promise<string> {
  const reply = await octavo.fetch(`/v1/orgs/${octavo.admin.organizationId}/${path}`, {
    method,
    token: octavo.admin.token,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await reply.text()
  if (reply.status < 300) return String(reply.status)
  return `${reply.status} ${(JSON.parse(text) as { error: { message: string } }).error.message}`
}

const countTranslations = async () =>
  (await octavo.admin.api.listTranslations({ params: organization(), query: {} })).count

describe('creating a translation', () => {
  test('refuses bad input and changes nothing', async () => {
    const space = await emptySpace(octavo.admin)
    const trashed = await emptySpace(octavo.admin)
    await octavo.admin.api.deleteSpaceById({ params: { spaceId: trashed } })
    const source = { space, language: 'en' }
    const refusals: [unknown, RegExp][] = [
      [{}, /^400/],
      [{ language: 'fr' }, /^400 .*source/],
      [{ language: 'fr', source: space }, /^400/],
      [{ language: 'fr', source: { space } }, /^400/],
      [{ language: 'en', source }, /^400 .*must differ from the language of the source/],
      [{ language: 'klingon', source }, /^400 .*language/],
      [{ language: 'FR', source }, /^400/],
      [{ language: 'fr', source: { space, language: 'xx' } }, /^400/],
      [{ language: 'fr', source: { space: trashed, language: 'en' } }, /^404/],
      [{ language: 'fr', source: { space: 'missing', language: 'en' } }, /^404/],
      [{ language: 'fr', source, instructions: 'Be formal' }, /^400/],
      [{ language: 'fr', source, instructions: { object: 'document' } }, /^400/],
      [{ language: 'fr', source, resultMode: 'mail' }, /^400/],
      [{ language: 'fr', source, runAfterMerge: 'yes' }, /^400/],
      [{ language: 'fr', source, limits: { run: 0 } }, /^400/],
      [{ language: 'fr', source, limits: { month: 1e12 } }, /^400/],
      [{ language: 'fr', source, limits: { run: 1.5 } }, /^400/],
    ]
    for (const [body, expected] of refusals) expect(await send('POST', 'translations', body)).toMatch(expected)
    const text = 'x'.repeat(20_000)
    const leaf = { object: 'leaf', text, marks: [] }
    const paragraph = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [leaf] }] }
    const instructions = { object: 'document', data: {}, nodes: [paragraph] }
    expect(await send('POST', 'translations', { language: 'fr', source, instructions })).toMatch(/^400 .*20000/)
    expect(await countTranslations()).toBe(0)
  })

  test('without an engine leaves it pending, and running it says what to configure', async () => {
    const space = await emptySpace(octavo.admin)
    const created = await octavo.admin.api.createTranslation({
      params: organization(),
      body: { language: 'fr', source: { space, language: 'en' } },
    })
    expect(created).toMatchObject({ status: 'pending', stats: { runs: 0 } })
    expect(created.result).toBeUndefined()
    expect(await send('POST', `translations/${created.id}/run`)).toMatch(
      /^409 No translation engine is configured\. Set/,
    )
    expect(await send('POST', 'translations', { language: 'fr', source: { space, language: 'en' } })).toBe(
      '409 The space already has a translation into fr',
    )
    await octavo.admin.api.deleteTranslation({ params: { ...organization(), translationId: created.id } })
  })

  test('refuses the result of another translation as source', async () => {
    const translated = await translatedSpace(octavo, [insertPage('A text.', { title: 'First' })])
    const space = translated.translation.result?.space
    expect(await send('POST', 'translations', { language: 'de', source: { space, language: 'fr' } })).toMatch(
      /^400 .*must not be the result of another translation/,
    )
  })
})

test('unknown ids of runs, findings and entries are not found', async () => {
  const { params } = await translatedSpace(octavo, [insertPage('A text.', { title: 'First' })])
  const path = `translations/${params.translationId}`
  expect(await send('GET', `${path}/runs/missing`)).toMatch(/^404/)
  expect(await send('POST', `${path}/findings/missing/resolve`, { use: 'keep' })).toMatch(/^404/)
  expect(await send('POST', `${path}/findings/missing/resolve`, { use: 'both' })).toMatch(/^400/)
  expect(await send('GET', 'translations-glossary/missing')).toMatch(/^404/)
  expect(await send('GET', 'translations/missing')).toMatch(/^404/)
  expect(await send('DELETE', 'translations/missing')).toBe('204')
  expect(await send('DELETE', 'translations-memory?language=klingon')).toMatch(/^400/)
})

const firstPage = async ({ sourceId }: TranslatedSpace): Promise<string> =>
  (await octavo.admin.api.getCurrentRevision({ params: { spaceId: sourceId } })).pages[0]?.id ?? ''

describe('the spaces of a translation', () => {
  test('in the trash stop its runs until they are restored', async () => {
    const translated = await translatedSpace(octavo, [insertPage('A text.', { title: 'First' })])
    const path = `translations/${translated.params.translationId}`
    const page = await firstPage(translated)
    const resultId = translated.translation.result?.space ?? ''
    const { api } = octavo.admin
    await translated.editSource(writePage(page, 'Another text.'))
    await api.deleteSpaceById({ params: { spaceId: resultId } })
    expect((await translated.run()).failure).toMatch(/^The translated space is in the trash/)
    await api.restoreSpace({ params: { spaceId: resultId } })
    await api.deleteSpaceById({ params: { spaceId: translated.sourceId } })
    expect(await send('POST', `${path}/run`)).toMatch(/^409 The source space is in the trash/)
    expect(await send('PUT', path, { runAfterMerge: true })).toMatch(/^409/)
    expect((await api.getTranslation({ params: translated.params })).permissions).toEqual({ view: true, edit: false })
    await api.restoreSpace({ params: { spaceId: translated.sourceId } })
    expect((await translated.run()).failure).toBeUndefined()
    expect(await translated.read(page)).toContain('rehtonA txet.')
  })

  test('can be transferred or purged, and the other space remains without a translation', async () => {
    const { api } = octavo.admin
    const other = await api.createOrganization({ body: { title: 'Elsewhere' } })
    const transferred = await translatedSpace(octavo, [insertPage('A text.', { title: 'First' })])
    await api.transferSpace({ params: { spaceId: transferred.sourceId }, body: { organization: other.id } })
    await expect(api.getTranslation({ params: transferred.params })).rejects.toMatchObject({ status: 404 })
    await api.getSpaceById({ params: { spaceId: transferred.translation.result?.space ?? '' } })

    const purged = await translatedSpace(octavo, [insertPage('A text.', { title: 'First' })])
    await api.deleteSpaceById({ params: { spaceId: purged.translation.result?.space ?? '' } })
    octavo.clock.advance(days(8))
    await waitUntil(
      () =>
        api.getTranslation({ params: purged.params }).then(
          () => false,
          () => true,
        ),
      'the space is purged',
    )
    await api.getSpaceById({ params: { spaceId: purged.sourceId } })
  })

  test('that are locked are not changed without a change request', async () => {
    const translated = await translatedSpace(octavo, [insertPage('A text.', { title: 'First' })])
    const page = await firstPage(translated)
    const spaceId = translated.translation.result?.space ?? ''
    await octavo.admin.api.updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
    await translated.editSource(writePage(page, 'Another text.'))
    expect((await translated.run()).failure).toMatch(/^The translated space is locked/)
    await octavo.admin.api.updateTranslation({ params: translated.params, body: { resultMode: 'change-request' } })
    expect((await translated.run()).failure).toBeUndefined()
  })

  test('remain when the translation is deleted, also during a run', async () => {
    const translated = await translatedSpace(octavo, [insertPage('A text.', { title: 'First' })])
    const page = await firstPage(translated)
    await translated.editSource(writePage(page, 'Another text.'))
    const release = translated.engine.hold()
    await octavo.admin.api.runTranslation({ params: translated.params })
    await waitUntil(async () => translated.engine.requests.length > 1, 'the engine receives the text')
    await octavo.admin.api.deleteTranslation({ params: translated.params })
    release()
    const spaceId = translated.translation.result?.space ?? ''
    expect(await octavo.admin.api.getSpaceById({ params: { spaceId } })).toMatchObject({ language: 'fr' })
    expect(await countTranslations()).toBeGreaterThanOrEqual(0)
    expect(octavo.log.filter((line) => line.includes('A translation failed'))).toEqual([])
  })
})
