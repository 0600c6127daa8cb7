import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TranslationFinding } from '../../src/contract/translation.ts'
import { insertPage, updatePage, writePage } from '../support/content.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { type Misbehaviour, engineForTest, startOpenAiEngine } from '../support/translation-engines.ts'
import { type TranslatedSpace, reverseWords, translatedSpace, waitForTranslation } from '../support/translations.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const listFindings = async ({ params }: TranslatedSpace): Promise<TranslationFinding[]> =>
  (await octavo.admin.api.listTranslationFindings({ params, query: { status: 'open' } })).items

const firstPage = async ({ sourceId }: TranslatedSpace): Promise<string> =>
  (await octavo.admin.api.getCurrentRevision({ params: { spaceId: sourceId } })).pages[0]?.id ?? ''

const markdown = 'Read **this** text with `code` inside of it.'

describe('a text without a usable translation', () => {
  test.each<[Misbehaviour, string]>([
    ['drop-tags', 'The tag with the id 1 is missing'],
    ['invent-tags', 'The text contains a tag that the source does not have'],
    ['return-source', 'The text was not translated'],
    ['garbage', 'The reply contains no translation of the text'],
  ])('is sent once more, then stays in the source language and is listed: %s', async (behaviour, message) => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    const page = await firstPage(translated)
    translated.takeSentTexts()
    translated.engine.misbehave(behaviour, behaviour)
    await translated.editSource(writePage(page, `Start.\n\n${markdown}`))
    expect(await translated.run()).toMatchObject({ status: 'completed', openFindings: 1 })
    const sent = 'Read <g id="1">this</g> text with <x id="2"/> inside of it.'
    expect(translated.takeSentTexts()).toEqual([sent, sent])
    expect(await translated.read(page)).toContain(`tratS.\n\n${markdown}`)
    const text = 'Read this text with code inside of it.'
    expect(await listFindings(translated)).toMatchObject([
      { kind: 'not-translated', page: { id: page, title: 'First' }, source: text, current: text, message },
    ])

    // The next run tries the page again, and sends nothing but this text.
    expect(await translated.run()).toMatchObject({ status: 'completed', openFindings: 0 })
    expect(translated.takeSentTexts()).toEqual([sent])
    expect(await translated.read(page)).toContain('daeR **siht** txet htiw `code` edisni fo ti.')
  })

  test('is no longer listed and not replaced when somebody has translated it', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    const page = await firstPage(translated)
    translated.engine.misbehave('return-source', 'return-source')
    await translated.editSource(writePage(page, `Start.\n\n${markdown}`))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    await translated.editResult(writePage(page, 'tratS.\n\nLisez **ce** texte avec `code`.'))
    translated.engine.misbehave('return-source', 'return-source')
    expect(await translated.run()).toMatchObject({ openFindings: 0 })
    expect(await translated.read(page)).toContain('Lisez **ce** texte avec `code`.')
  })

  test('is listed in reusable contents and tags too, and resolved when these are removed', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    translated.engine.translateWith((text) => (text.includes('bad') ? '<b>bad</b>' : reverseWords(text)))
    await translated.editSource(
      { operation: 'insert_reusable_content', title: 'A bad part', document: { markdown: 'Bad words: bad.' } },
      { operation: 'set_tags', tags: [{ slug: 'bad-tag', label: 'Some bad tag' }] },
    )
    expect(await translated.run()).toMatchObject({ openFindings: 3 })
    const spaceId = translated.sourceId
    const { reusableContents } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
    const reusableContent = reusableContents[0]?.id ?? ''
    expect(await listFindings(translated)).toMatchObject([
      { reusableContent, field: 'title', source: 'A bad part' },
      { reusableContent, block: expect.any(String), source: 'Bad words: bad.' },
      { field: 'tags.bad-tag', source: 'Some bad tag' },
    ])
    translated.engine.translateWith((text) => (text.includes('tag') ? '<b>bad</b>' : reverseWords(text)))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    await translated.editSource({ operation: 'delete_reusable_content', reusableContent })
    translated.engine.translateWith(reverseWords)
    expect(await translated.run()).toMatchObject({ openFindings: 0 })
  })
})

describe('a run', () => {
  test('continues after failures that are temporary, without sending a text again that was translated', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    const page = await firstPage(translated)
    translated.takeSentTexts()
    translated.engine.misbehave('fail', 'close')
    await translated.editSource(updatePage(page, { title: 'Another title' }))
    const done = await translated.run()
    expect(done).toMatchObject({ status: 'completed', openFindings: 0 })
    expect(done.failure).toBeUndefined()
    expect(translated.takeSentTexts()).toEqual(['Another title', 'Another title', 'Another title'])
  })

  test.each<[Misbehaviour, RegExp]>([
    ['reject-key', /does not accept the key/],
    ['quota', /no quota left/],
  ])('fails with a readable message and changes nothing: %s', async (behaviour, failure) => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    const page = await firstPage(translated)
    const before = await translated.read(page)
    translated.engine.misbehave(behaviour)
    await translated.editSource(writePage(page, 'Another text.'))
    expect(await translated.run()).toMatchObject({
      status: 'completed',
      failure: expect.stringMatching(failure),
      stats: { runs: 2 },
    })
    expect(await translated.read(page)).toBe(before)
    const { items } = await octavo.admin.api.listTranslationRuns({ params: translated.params, query: {} })
    expect(items).toMatchObject([
      { status: 'failed', failure: expect.stringMatching(failure) },
      { status: 'completed' },
    ])
    const done = await translated.run()
    expect(done.failure).toBeUndefined()
    expect(await translated.read(page)).toContain('rehtonA txet.')
  })

  test('fails if no translation of many is usable', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    const page = await firstPage(translated)
    const before = await translated.read(page)
    translated.engine.translateWith(() => '<b>')
    const texts = Array.from({ length: 300 }, (_, index) => `Text number ${index}.`)
    await translated.editSource(writePage(page, texts.join('\n\n')))
    const { failure } = await translated.run()
    expect(failure).toMatch(/no usable translation 5 times in a row/)
    expect(await translated.read(page)).toBe(before)
  })

  test('works with language models, and counts their tokens', async () => {
    const { api, organizationId } = octavo.admin
    const translated = await translatedSpace(octavo, [insertPage('Start.', { title: 'First' })])
    const engine = await engineForTest(startOpenAiEngine({ streams: 'always' }))
    engine.translateWith(reverseWords)
    await api.setTranslationEngine({
      params: { organizationId },
      body: { kind: 'openai', url: engine.url, model: 'small' },
    })
    const document = { markdown: 'Write politely.' }
    await octavo.fetch(`/v1/orgs/${organizationId}/translations/${translated.params.translationId}`, {
      method: 'PUT',
      token: octavo.admin.token,
      body: JSON.stringify({ instructions: document }),
      headers: { 'content-type': 'application/json' },
    })
    await translated.editSource(writePage(await firstPage(translated), `Start.\n\n${markdown}`))
    await api.runTranslation({ params: translated.params })
    const done = await waitForTranslation(octavo.admin, translated.params.translationId)
    expect(done.stats).toMatchObject({ totalTokens: 120, latestWords: 7 })
    expect(engine.requests).toHaveLength(1)
  })
})
