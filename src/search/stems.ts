import { stemmer as stemDanish } from '@orama/stemmers/danish'
import { stemmer as stemDutch } from '@orama/stemmers/dutch'
import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemFinnish } from '@orama/stemmers/finnish'
import { stemmer as stemFrench } from '@orama/stemmers/french'
import { stemmer as stemGerman } from '@orama/stemmers/german'
import { stemmer as stemItalian } from '@orama/stemmers/italian'
import { stemmer as stemNorwegian } from '@orama/stemmers/norwegian'
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese'
import { stemmer as stemRussian } from '@orama/stemmers/russian'
import { stemmer as stemSpanish } from '@orama/stemmers/spanish'
import { stemmer as stemSwedish } from '@orama/stemmers/swedish'
import type { Row } from '../schema/tables.ts'

/** Language of a space; null if it is not set. */
export type SpaceLanguage = Row<'spaces'>['language']

export type Language = NonNullable<SpaceLanguage>

const stemmers: { readonly [L in Language]?: (word: string) => string } = {
  da: stemDanish,
  nl: stemDutch,
  en: stemEnglish,
  fi: stemFinnish,
  fr: stemFrench,
  de: stemGerman,
  it: stemItalian,
  no: stemNorwegian,
  pt: stemPortuguese,
  'pt-br': stemPortuguese,
  ru: stemRussian,
  es: stemSpanish,
  sv: stemSwedish,
}

/** Returns the language of texts in a space; English if it is not set. */
export const resolveLanguage = (language: SpaceLanguage): Language => language ?? 'en'

const minLength = 3
const lettersOnly = /^\p{L}+$/u

/** Maximum number of stems that are cached for each language. */
const maxCached = 50_000
const caches = new Map<Language, Map<string, string>>()

/** Returns the stem of a normalized word, which several forms of the word share; the word itself in other languages. */
export function stemWord(word: string, spaceLanguage: SpaceLanguage): string {
  if (word.length < minLength) return word
  const language = resolveLanguage(spaceLanguage)
  const stem = stemmers[language]
  if (!stem) return word
  let cache = caches.get(language)
  if (!cache || cache.size >= maxCached) caches.set(language, (cache = new Map()))
  const cached = cache.get(word)
  if (cached !== undefined) return cached
  const result = lettersOnly.test(word) ? stem(word) || word : word
  cache.set(word, result)
  return result
}
