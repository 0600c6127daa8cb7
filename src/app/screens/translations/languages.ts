import type { Language } from '../../../contract/space.ts'
import { language } from '../../texts.ts'

/** Languages into which spaces can be translated; the compiler names those that are missing. */
const codes: Record<Language, true> = {
  ar: true,
  bg: true,
  cs: true,
  da: true,
  de: true,
  el: true,
  en: true,
  es: true,
  et: true,
  fi: true,
  fr: true,
  he: true,
  hi: true,
  hr: true,
  hu: true,
  id: true,
  it: true,
  ja: true,
  ko: true,
  lt: true,
  lv: true,
  ms: true,
  nl: true,
  no: true,
  pl: true,
  pt: true,
  'pt-br': true,
  ro: true,
  ru: true,
  sk: true,
  sl: true,
  sv: true,
  th: true,
  tr: true,
  uk: true,
  vi: true,
  yue: true,
  zh: true,
  'zh-tw': true,
}

export const languageCodes = Object.keys(codes) as Language[]

/** Returns the name of a language in the language of the interface. */
export const nameOfLanguage = (code: string): string =>
  new Intl.DisplayNames(language.value, { type: 'language' }).of(code) ?? code

/** Returns all languages with their names, sorted by name. */
export const listLanguages = (): { value: Language; title: string }[] =>
  languageCodes
    .map((value) => ({ value, title: nameOfLanguage(value) }))
    .toSorted((one, other) => one.title.localeCompare(other.title, language.value))
