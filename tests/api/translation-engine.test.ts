import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../src/kernel/sealer.ts'
import { refusal } from '../support/refusal.ts'
import { type Admin, type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { engineForTest, startDeeplEngine, startOpenAiEngine } from '../support/translation-engines.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const key = 'a-secret-key-of-the-service'

const params = () => ({ organizationId: octavo.admin.organizationId })
const set = (body: Parameters<Admin['api']['setTranslationEngine']>[0]['body']) =>
  octavo.admin.api.setTranslationEngine({ params: params(), body })
const remove = () => octavo.admin.api.removeTranslationEngine({ params: params() })

/** Translates a text with the engine of an organization. */
async function translate({ server }: TestServer, organizationId: string, sealer = server.app.sealer) {
  const { database, resolveEngine } = server.app
  const engine = await resolveEngine({ db: database.reader, sealer }, organizationId)
  const request = { source: 'en', target: 'fr', texts: ['Hello'], terms: [], instructions: '', context: '' } as const
  const reply = await engine?.translate(request, new AbortController().signal)
  return engine && { origin: engine.origin, text: reply?.texts[0] }
}

test('there is none at first', async () => {
  expect(await octavo.admin.api.getTranslationEngine({ params: params() })).toEqual({
    object: 'translation-engine',
    origin: 'none',
    hasKey: false,
    usage: { month: '2026-01', characters: 0, tokens: 0 },
    urls: { location: `${octavo.url}/v1/orgs/${octavo.admin.organizationId}/translation-engine` },
  })
  expect(await translate(octavo, octavo.admin.organizationId)).toBeUndefined()
})

test('an organization sets, replaces and removes its engine', async () => {
  const service = await engineForTest(startOpenAiEngine())
  const saved = await set({ kind: 'openai', url: `${service.url}/`, model: 'small', key })
  expect(saved).toMatchObject({
    origin: 'organization',
    kind: 'openai',
    url: service.url,
    model: 'small',
    hasKey: true,
  })
  expect(await octavo.admin.api.getTranslationEngine({ params: params() })).toEqual(saved)
  expect(await translate(octavo, octavo.admin.organizationId)).toEqual({ origin: 'organization', text: 'HELLO' })
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)

  const deepl = await engineForTest(startDeeplEngine())
  const replaced = await set({ kind: 'deepl', url: deepl.url, key: 'other' })
  expect(replaced).toMatchObject({ kind: 'deepl', hasKey: true })
  expect(replaced).not.toHaveProperty('model')
  await translate(octavo, octavo.admin.organizationId)
  expect(deepl.requests[0]?.headers.authorization).toBe('DeepL-Auth-Key other')

  await remove()
  await remove()
  expect(await octavo.admin.api.getTranslationEngine({ params: params() })).toMatchObject({ origin: 'none' })
})

test('the key is kept only for the same server', async () => {
  const service = await engineForTest(startOpenAiEngine())
  const other = await engineForTest(startOpenAiEngine())
  const keyAfter = async (url: string) => {
    const { hasKey } = await set({ kind: 'openai', url, model: 'large' })
    await translate(octavo, octavo.admin.organizationId)
    return hasKey
  }
  await set({ kind: 'openai', url: service.url, model: 'small', key })
  expect(await keyAfter(service.url)).toBe(true)
  expect(service.requests.at(-1)).toMatchObject({
    headers: { authorization: `Bearer ${key}` },
    body: { model: 'large' },
  })
  expect(await keyAfter(other.url)).toBe(false)
  expect(other.requests.at(-1)?.headers).not.toHaveProperty('authorization')
  // The key of the first server is gone, and is not used again there either.
  expect(await keyAfter(service.url)).toBe(false)
  await set({ kind: 'libretranslate', url: service.url, key })
  expect(await keyAfter(service.url)).toBe(false)
  await remove()
})

test('the key is stored encrypted and is in no reply, event or log', async () => {
  const service = await engineForTest(startOpenAiEngine())
  const replies = [await set({ kind: 'openai', url: service.url, model: 'small', key })]
  service.misbehave('reject-key')
  const failure = await translate(octavo, octavo.admin.organizationId).then(String, String)
  expect(failure).toContain('does not accept the key')
  const { database } = octavo.server.app
  const rows = await database.reader.selectFrom('translation_engines').selectAll().execute()
  const { items } = await octavo.admin.api.listOrganizationAuditEvents({ params: params(), query: { limit: 100 } })
  const engineEvents = items.filter(({ action }) => action.startsWith('translation-engine'))
  expect(engineEvents.length).toBeGreaterThan(0)
  expect(JSON.stringify([replies, rows, failure, items, octavo.log])).not.toContain(key)
  await remove()
})

test('a key that cannot be decrypted is reported, and nothing is sent', async () => {
  const service = await engineForTest(startDeeplEngine())
  await set({ kind: 'deepl', url: service.url, key })
  const sealer = createSealer('another secret')
  await expect(translate(octavo, octavo.admin.organizationId, sealer)).rejects.toThrow('Set it again')
  expect(service.requests).toEqual([])
  await remove()
})

test('bad settings are refused and change nothing', async () => {
  const url = 'https://translate.example.com'
  const before = await set({ kind: 'libretranslate', url })
  expect(await refusal(set({ kind: 'openai', url }))).toBe('400 body.model')
  expect(await refusal(set({ kind: 'deepl', url }))).toBe('400 body.key')
  expect(await refusal(set({ kind: 'libretranslate', url, model: 'x' }))).toBe('400 body.model')
  expect(await refusal(set({ kind: 'apertium' as 'deepl', url }))).toBe('400 body.kind')
  for (const wrong of [
    'file:///etc/passwd',
    'localhost',
    `${url}?key=1`,
    `${url}#a`,
    'https://a:b@translate.example.com',
  ])
    expect(await refusal(set({ kind: 'libretranslate', url: wrong })), wrong).toBe('400 body.url')
  for (const wrong of ['', 'a b', 'a\nb', 'clé', 'x'.repeat(5000)])
    expect(await refusal(set({ kind: 'libretranslate', url, key: wrong })), wrong).toBe('400 body.key')
  expect(await octavo.admin.api.getTranslationEngine({ params: params() })).toEqual(before)
  await remove()
})

test('organizations have separate engines, which only administrators see', async () => {
  const service = await engineForTest(startOpenAiEngine())
  await set({ kind: 'openai', url: service.url, model: 'small', key })
  const stranger = await octavo.person('Stranger')
  const { id: organizationId } = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
  expect(await stranger.api.getTranslationEngine({ params: { organizationId } })).toMatchObject({ origin: 'none' })
  expect(await translate(octavo, organizationId)).toBeUndefined()
  expect(await refusal(stranger.api.getTranslationEngine({ params: params() }))).toBe('404')
  const editor = await octavo.member('edit')
  expect(await refusal(editor.api.getTranslationEngine({ params: params() }))).toBe('403')
  expect(await refusal(editor.api.removeTranslationEngine({ params: params() }))).toBe('403')
  await remove()
})

test('the engine of the server is used by organizations without their own, and its address is not shown', async () => {
  const service = await engineForTest(startOpenAiEngine())
  const own = await serverForTest({
    OCTAVO_TRANSLATION: 'openai',
    OCTAVO_TRANSLATION_URL: service.url,
    OCTAVO_TRANSLATION_MODEL: 'small',
    OCTAVO_TRANSLATION_KEY: key,
  })
  const { api, organizationId } = own.admin
  const seen = await api.getTranslationEngine({ params: { organizationId } })
  expect(seen).toMatchObject({ origin: 'server', kind: 'openai', model: 'small', hasKey: false })
  expect(seen).not.toHaveProperty('url')
  // A URL of the operator may be in a private network, one of an organization may not.
  expect(await translate(own, organizationId)).toEqual({ origin: 'server', text: 'HELLO' })
  await api.setTranslationEngine({
    params: { organizationId },
    body: { kind: 'openai', url: service.url, model: 'small' },
  })
  await expect(translate(own, organizationId)).rejects.toThrow('private address')
  expect(service.requests).toHaveLength(1)
})
