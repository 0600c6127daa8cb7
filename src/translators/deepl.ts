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

/** Codes of target languages that are not the code of the language in upper case. */
const targetCodes: Partial<Record<Language, string>> = {
  en: 'EN-US',
  pt: 'PT-PT',
  zh: 'ZH-HANS',
  'zh-tw': 'ZH-HANT',
  no: 'NB',
}

/** Codes of source languages, which have no variants. */
const sourceCodes: Partial<Record<Language, string>> = { 'pt-br': 'PT', 'zh-tw': 'ZH', no: 'NB' }

/** Options for texts with inline tags: tags never split a sentence. */
const tagOptions = {
  tag_handling: 'xml',
  outline_detection: false,
  non_splitting_tags: ['g', 'x'],
  split_sentences: 'nonewlines',
  preserve_formatting: true,
}

/** A request may have 50 texts and 128 KiB; characters have up to three bytes, and the context and JSON need some too. */
const limits = { texts: 50, characters: 35_000 }

/** Maximum length of the context, which counts as part of the request. */
const maxContextLength = 2000

/** Creates an engine for the API of DeepL. Glossaries of the service are not used, because terms are checked afterwards. */
export function createDeeplEngine(connection: ServiceConnection, concurrency: number): TranslationEngine {
  const headers: Record<string, string> =
    connection.key === undefined ? {} : { authorization: `DeepL-Auth-Key ${connection.key}` }
  return {
    name: 'deepl',
    limits: { ...limits, concurrency },
    async translate({ source, target, texts, context }, signal) {
      const body = {
        text: texts,
        source_lang: sourceCodes[source] ?? source.toUpperCase(),
        target_lang: targetCodes[target] ?? target.toUpperCase(),
        ...tagOptions,
        ...(context !== '' && { context: context.slice(0, maxContextLength).toWellFormed() }),
      }
      const reply = parseReply(await postJson(connection, '/v2/translate', { headers, body }, signal), connection)
      return {
        texts: readTexts(getField(reply, 'translations'), texts.length, (entry) => getField(entry, 'text')),
        characters: countCharacters(texts),
      }
    },
  }
}
