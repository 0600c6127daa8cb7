import { signal } from '@preact/signals'
import { address } from './router.ts'
import { type TextArea, listTextAreas } from './texts/areas.ts'
import type { LanguageTexts, Translation } from './texts/translation.ts'

/** Texts of a screen in English; a text with a number has one form for each plural category. */
type TextTable = Record<string, string | PluralText>

export interface PluralText {
  one: string
  other: string
}

/** Languages of the interface; the direction of the text is that of the language. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  nl: 'Nederlands',
  no: 'Norsk',
  pt: 'Português',
  ru: 'Русский',
  zh: '中文',
} as const

export type LanguageCode = keyof typeof languages

export const language = signal<LanguageCode>('en')
let pluralRules = new Intl.PluralRules('en')
/** Loaded translations; English texts are part of the screens. */
let translation: Translation = {}
let loadedAreas = new Set<TextArea>()
let areas: LanguageTexts['areas'] | undefined

const languageTexts: Record<Exclude<LanguageCode, 'en'>, () => Promise<{ default: LanguageTexts }>> = {
  de: () => import('./texts/de/index.ts'),
  es: () => import('./texts/es/index.ts'),
  fr: () => import('./texts/fr/index.ts'),
  ja: () => import('./texts/ja/index.ts'),
  nl: () => import('./texts/nl/index.ts'),
  no: () => import('./texts/no/index.ts'),
  pt: () => import('./texts/pt/index.ts'),
  ru: () => import('./texts/ru/index.ts'),
  zh: () => import('./texts/zh/index.ts'),
}

/** The languages that can be chosen. */
export const availableLanguages = Object.keys(languages) as LanguageCode[]

/** Defines the texts of a screen: `const texts = defineTexts('home', { title: 'Home' })`, read as `texts.title`. */
export function defineTexts<Table extends TextTable>(group: string, table: Table): Table {
  return new Proxy(table, {
    get(target, name) {
      // Components that show a text are rendered again when the language changes.
      void language.value
      const text = target[String(name)]
      if (typeof text !== 'object') return translation[`${group}.${String(name)}`] ?? text
      return { ...text, group, name } as PluralText
    },
  })
}

/** Replaces `{name}` in a text by values. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
}

/** Returns the form of a text for a number, which replaces `{count}`. */
export function countText(text: PluralText, count: number, values: Record<string, string | number> = {}): string {
  const { group, name } = text as PluralText & { group?: string; name?: string }
  const category = pluralRules.select(count)
  const translated = translation[`${group}.${name}.${category}`] ?? translation[`${group}.${name}.other`]
  const form = translated ?? (category === 'one' ? text.one : text.other)
  return fillText(form, { ...values, count: formatNumber(count) })
}

export const formatNumber = (value: number): string => new Intl.NumberFormat(language.value).format(value)

const storageKey = 'octavo.language'

/** Selects the language that the user chose, or the first supported language of the browser. */
export async function loadLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(storageKey) ?? '', ...navigator.languages]
  const codes = wanted
    .map((tag) => tag.toLowerCase().split('-')[0] as string)
    .map((code) => (code === 'nb' ? 'no' : code))
  const found = codes.find((code): code is LanguageCode => availableLanguages.some((one) => one === code)) ?? 'en'
  await useLanguage(found)
}

/** Changes the language and remembers it in this browser. */
export async function setLanguage(code: LanguageCode): Promise<void> {
  localStorage.setItem(storageKey, code)
  await useLanguage(code)
}

async function useLanguage(code: LanguageCode): Promise<void> {
  const texts = code === 'en' ? undefined : (await languageTexts[code]()).default
  const wanted = listTextAreas(address.value.path)
  const loaded = texts ? await Promise.all(wanted.map((area) => texts.areas[area]())) : []
  translation = Object.assign({}, texts?.common, ...loaded.map((module) => module.default)) as Translation
  loadedAreas = new Set(wanted)
  areas = texts?.areas
  pluralRules = new Intl.PluralRules(code)
  document.documentElement.lang = code
  language.value = code
}

/** Returns whether the texts of the screen of an address are loaded in the language of the user. */
export function hasTexts(path: string): boolean {
  void language.value
  return !areas || listTextAreas(path).every((area) => loadedAreas.has(area))
}

/** Loads the texts of the screen of an address in the language of the user. */
export async function loadTexts(path: string): Promise<void> {
  const from = areas
  if (!from) return
  await Promise.all(
    listTextAreas(path).map(async (area) => {
      const { default: texts } = await from[area]()
      // Another language may have been chosen in the meantime.
      if (areas !== from) return
      translation = { ...translation, ...texts }
      loadedAreas.add(area)
    }),
  )
}
