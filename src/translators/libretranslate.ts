import { z } from 'zod'
import type { Language } from '../contract/space.ts'
import type { TranslationEngine } from './engine.ts'
import { normalizeMarkup } from './markup.ts'
import { type ServiceConnection, countCharacters, invalidReply, parseReply, postJson } from './service-request.ts'

/** Names of the models of languages, which all versions accept; newer ones also accept codes such as `zh-Hant`. */
const modelCodes: Partial<Record<Language, string>> = { 'pt-br': 'pb', 'zh-tw': 'zt', no: 'nb' }

/** Small requests, because servers often run without a GPU, and public ones limit the length. */
const limits = { texts: 20, characters: 4000 }

const Reply = z.object({ translatedText: z.array(z.string()) })

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
      const reply = Reply.safeParse(
        parseReply(await postJson(connection, '/translate', { headers: {}, body }, signal), connection),
      )
      if (reply.data?.translatedText.length !== texts.length) throw invalidReply('it has no translation for each text')
      return { texts: reply.data.translatedText.map(normalizeMarkup), characters: countCharacters(texts) }
    },
  }
}
