import { languages } from '../../../contract/languages.ts'
import type { Language } from '../../../contract/space.ts'
import { language } from '../../texts.ts'

/** Returns the name of a language in the language of the interface. */
export const nameOfLanguage = (code: string): string =>
  new Intl.DisplayNames(language.value, { type: 'language' }).of(code) ?? code

/** Returns all languages with their names, sorted by name. */
export const listLanguages = (): { value: Language; title: string }[] =>
  languages
    .map((value) => ({ value, title: nameOfLanguage(value) }))
    .toSorted((one, other) => one.title.localeCompare(other.title, language.value))
