import type { Translation } from '../../src/contract/translation.ts'
import { type Change, editLive, emptySpace, readLive } from './content.ts'
import { type Admin, type TestServer, waitUntil } from './server.ts'
import { type TestEngine, engineForTest, startDeeplEngine } from './translation-engines.ts'

/** Returns text that is no word of any language: the letters of each word in reverse order, outside tags and entities. */
export const reverseWords = (text: string): string =>
  text.replace(/<[^>]*>|&\w+;|\p{L}+/gu, (part) => (/^[<&]/.test(part) ? part : part.split('').toReversed().join('')))

/** A space with a translation, and the engine that translates it. */
export interface TranslatedSpace {
  engine: TestEngine
  sourceId: string
  translation: Translation
  params: { organizationId: string; translationId: string }
  /** Changes the source; returns the IDs of created pages. */
  editSource(...changes: Change[]): Promise<string[]>
  /** Changes the translated space. */
  editResult(...changes: Change[]): Promise<string[]>
  /** Runs the translation and waits until the run has ended. */
  run(): Promise<Translation>
  /** Returns the Markdown of a page of the translated space. */
  read(pageId: string): Promise<string>
  /** Returns the texts that were sent to the engine since the last call. */
  takeSentTexts(): string[]
}

/** Creates a space with pages and translates it into French with an engine that reverses words. */
export async function translatedSpace(
  { admin }: Pick<TestServer, 'admin'>,
  changes: readonly Change[],
  body: Partial<Parameters<Admin['api']['createTranslation']>[0]['body']> = {},
): Promise<TranslatedSpace> {
  const { api, organizationId } = admin
  const engine = await engineForTest(startDeeplEngine())
  engine.translateWith(reverseWords)
  await api.setTranslationEngine({ params: { organizationId }, body: { kind: 'deepl', url: engine.url, key: 'key' } })
  // Texts of earlier tests would not be sent again.
  await api.clearTranslationMemory({ params: { organizationId }, query: {} })
  const sourceId = await emptySpace(admin, 'Guide')
  await editLive(admin, sourceId, ...changes)
  const created = await api.createTranslation({
    params: { organizationId },
    body: { language: 'fr', source: { space: sourceId, language: 'en' }, ...body },
  })
  const params = { organizationId, translationId: created.id }
  const wait = () => waitForTranslation(admin, created.id)
  const translation = await wait()
  const resultId = async () => (await api.getTranslation({ params })).result?.space ?? ''
  let taken = 0
  return {
    engine,
    sourceId,
    translation,
    params,
    editSource: (...more) => editLive(admin, sourceId, ...more),
    editResult: async (...more) => editLive(admin, await resultId(), ...more),
    async run() {
      await api.runTranslation({ params })
      return wait()
    },
    async read(pageId) {
      return (await readLive(admin, await resultId(), pageId)).markdown ?? ''
    },
    takeSentTexts() {
      const texts = engine.requests.flatMap((request) => request.texts)
      const added = texts.slice(taken)
      taken = texts.length
      return added
    },
  }
}

/** Waits until no run of a translation is waiting or running. */
export const waitForTranslation = ({ api, organizationId }: Admin, translationId: string): Promise<Translation> =>
  waitUntil(async () => {
    const translation = await api.getTranslation({ params: { organizationId, translationId } })
    return translation.status === 'completed' && translation
  }, 'the end of the run')
