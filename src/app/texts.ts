import { signal } from '@preact/signals'
import type { Translation } from './texts/translation.ts'

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
let translation: Translation = {}
let pluralRules = new Intl.PluralRules('en')

/** Modules `./texts/<code>.ts` with the texts of other languages; English is part of the screens. */
const translations: Record<Exclude<LanguageCode, 'en'>, () => Promise<{ default: Translation }>> = {
  de: () => import('./texts/de.ts'),
  es: () => import('./texts/es.ts'),
  fr: () => import('./texts/fr.ts'),
  ja: () => import('./texts/ja.ts'),
  nl: () => import('./texts/nl.ts'),
  no: () => import('./texts/no.ts'),
  pt: () => import('./texts/pt.ts'),
  ru: () => import('./texts/ru.ts'),
  zh: () => import('./texts/zh.ts'),
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

/** Selects the language that the user chose, or else the first of the browser that there is. */
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
  translation = code === 'en' ? {} : (await translations[code]()).default
  pluralRules = new Intl.PluralRules(code)
  document.documentElement.lang = code
  language.value = code
}
