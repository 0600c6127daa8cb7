import type { TextArea } from './areas.ts'

/** Translated texts by `group.name`; those with plural forms by `group.name.category`. */
export type Translation = Readonly<Record<string, string>>

/** Texts of a language: those that screens of several areas show, and modules with those of each area. */
export interface LanguageTexts {
  common: Translation
  areas: Readonly<Record<TextArea, () => Promise<{ default: Translation }>>>
}
