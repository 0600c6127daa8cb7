import { GitBookAPI, TranslationLanguage } from '@gitbook/api'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { ReplyOf } from '../../src/contract/operation.ts'
import { insertPage } from '../support/content.ts'
import { OfficialSchemas } from '../support/official-schemas.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { translatedSpace, waitForTranslation } from '../support/translations.ts'

// Calls all official operations on translations and the glossary with the published client and validates the replies.

let octavo: TestServer
let client: GitBookAPI
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
})
afterAll(() => octavo.stop())

const names = [
  'listTranslations',
  'createTranslation',
  'getTranslation',
  'updateTranslation',
  'deleteTranslation',
  'runTranslation',
  'listGlossaryEntries',
  'updateGlossaryEntries',
  'getGlossaryEntry',
] as const
type Name = (typeof names)[number]

/** Fields of replies of the published client whose values are checked below by its schemas. */
type OfficialFields<N extends Name> = GitBookAPI['orgs'][N] extends (
  ...request: never[]
) => Promise<{ data: infer Data }>
  ? keyof Data
  : never

type Missing = {
  [N in Name]: ReplyOf<Api[N]> extends object ? Exclude<OfficialFields<N>, keyof ReplyOf<Api[N]>> : never
}[Name]

test('replies have all fields of the official client', () => {
  expectTypeOf<Missing>().toBeNever()
})

const instructions = (text: string) => ({
  object: 'document' as const,
  data: {},
  nodes: [
    {
      object: 'block' as const,
      type: 'paragraph' as const,
      isVoid: false as const,
      data: {},
      nodes: [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text, marks: [] }] }],
    },
  ],
})

test('all replies match the schemas of the public API', async () => {
  const schemas = new OfficialSchemas()
  const called = new Set<Name>()
  /** Validates the reply of an operation and returns it. */
  async function check<Data>(name: Name, call: Promise<{ data: Data }>, status = 200): Promise<Data> {
    const { data } = await call
    called.add(name)
    const problems = schemas.problemsOf(name, status, status === 204 ? undefined : data)
    expect([name, problems]).toEqual([name, []])
    return data
  }
  const { orgs } = client
  const org = octavo.admin.organizationId
  const { sourceId } = await translatedSpace(octavo, [insertPage('Read **this**.', { title: 'Start' })])

  const operations = [
    { type: 'insert' as const, translations: { en: 'page', fr: 'feuille' } },
    { type: 'insert' as const, translations: { en: 'api', fr: 'interface' } },
  ]
  await check('updateGlossaryEntries', orgs.updateGlossaryEntries(org, { operations }), 204)
  const entries = await check('listGlossaryEntries', orgs.listGlossaryEntries(org, { limit: 1 }))
  expect(entries).toMatchObject({
    count: 2,
    items: [{ translations: { en: 'api' } }],
    next: { page: expect.any(String) },
  })
  const id = entries.items[0]?.id ?? ''
  const update = [{ type: 'update' as const, id, translations: { en: 'API', de: 'Schnittstelle' } }]
  await check('updateGlossaryEntries', orgs.updateGlossaryEntries(org, { operations: update }), 204)
  const entry = await check('getGlossaryEntry', orgs.getGlossaryEntry(org, id))
  expect(entry.translations).toEqual({ en: 'API', de: 'Schnittstelle' })

  const body = {
    language: TranslationLanguage.De,
    source: { space: sourceId, language: TranslationLanguage.En },
    instructions: instructions('Be formal.'),
  }
  const created = await check('createTranslation', orgs.createTranslation(org, body), 201)
  expect(created).toMatchObject({ status: 'pending', language: 'de', stats: { runs: 0 } })
  await waitForTranslation(octavo.admin, created.id)
  const done = await check('getTranslation', orgs.getTranslation(org, created.id))
  expect(done).toMatchObject({ status: 'completed', result: { language: 'de' }, stats: { runs: 1, totalPages: 1 } })
  const changed = orgs.updateTranslation(org, created.id, { instructions: instructions('Be brief.') })
  expect(JSON.stringify((await check('updateTranslation', changed)).instructions)).toContain('Be brief.')
  await check('runTranslation', orgs.runTranslation(org, created.id), 204)
  expect(await waitForTranslation(octavo.admin, created.id)).toMatchObject({ stats: { runs: 2, latestPages: 0 } })
  const list = await check('listTranslations', orgs.listTranslations(org, { limit: 1 }))
  expect(list).toMatchObject({ count: 2, items: [{ id: created.id }] })
  await check('deleteTranslation', orgs.deleteTranslation(org, created.id), 204)
  await expect(orgs.getTranslation(org, created.id)).rejects.toMatchObject({ code: 404 })
  expect([...called].sort()).toEqual([...names].sort())
})
