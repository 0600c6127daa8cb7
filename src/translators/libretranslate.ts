import type { Language } from '../contract/space.ts'
import type { TranslationEngine } from './engine.ts'
import {
  type ServiceConnection,
  countCharacters,
  getField,
  parseReply,
  postJson,
  readTexts,
} from './service-request.ts'

/** Names of the models of languages, which all versions accept; newer ones also accept codes such as `zh-Hant`. */
const modelCodes: Partial<Record<Language, string>> = { 'pt-br': 'pb', 'zh-tw': 'zt', no: 'nb' }

/** Small requests, because servers often run without a GPU, and public ones limit the length. */
const limits = { texts: 20, characters: 4000 }

/** Creates an engine for the API of LibreTranslate, which supports neither terms nor instructions. */
export function createLibreTranslateEngine(connection: ServiceConnection, concurrency: number): TranslationEngine {
  const { key } = connection
  return {
    name: 'libretranslate',
    limits: { ...limits, concurrency },
    async translate({ source, target, texts }, signal) {
      const body = {
        q: texts,
        source: modelCodes[source] ?? source,
        target: modelCodes[target] ?? target,
        format: 'html',
        ...(key !== undefined && { api_key: key }),
      }
      const reply = parseReply(await postJson(connection, '/translate', { headers: {}, body }, signal), connection)
      return {
        texts: readTexts(getField(reply, 'translatedText'), texts.length, (text) => text),
        characters: countCharacters(texts),
      }
    },
  }
}
