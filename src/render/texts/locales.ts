import type { Texts } from '../texts.ts'
import { chinese } from './chinese.ts'
import { dutch } from './dutch.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import { norwegian } from './norwegian.ts'
import { portuguese } from './portuguese.ts'
import { russian } from './russian.ts'
import { spanish } from './spanish.ts'

const textsByLocale = new Map<string, Texts>([
  ['en', english],
  ['fr', french],
  ['es', spanish],
  ['zh', chinese],
  ['ja', japanese],
  ['de', german],
  ['nl', dutch],
  ['no', norwegian],
  ['nb', norwegian],
  ['pt', portuguese],
  ['pt-br', portuguese],
  ['ru', russian],
])

/** What the interface says in a locale, or else in its language, or else in English. */
export function textsIn(locale: string): Texts {
  const name = locale.toLowerCase()
  const [language = ''] = name.split('-')
  return textsByLocale.get(name) ?? textsByLocale.get(language) ?? english
}

/** Whether the interface speaks a language. */
export const hasTexts = (locale: string): boolean => textsByLocale.has(locale.toLowerCase().split('-')[0] ?? '')

/** Locales whose own names leave open how the language is written. */
const precise = new Map([
  ['no', 'nb'],
  ['zh', 'zh-Hans'],
  ['zh-tw', 'zh-Hant'],
])

/** The name of a locale by which browsers know it, as `lang` has it. */
export function languageTag(locale: string): string {
  try {
    return precise.get(locale.toLowerCase()) ?? Intl.getCanonicalLocales(locale)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** How long a date is written. */
export type DateFormat = 'full' | 'short' | 'numeric'

const dateParts: Record<DateFormat, Intl.DateTimeFormatOptions> = {
  full: { year: 'numeric', month: 'long', day: 'numeric' },
  short: { year: 'numeric', month: 'short', day: 'numeric' },
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
}

// Formatters take long to make, and the locales of settings are few.
const dateFormatters = new Map<string, Intl.DateTimeFormat>()
const numberFormatters = new Map<string, Intl.NumberFormat>()

const isoDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/i

/** The day of a date or time, for everybody the one in UTC; what is no date stays as it is written. */
export function formatDate(isoText: string, locale: string, format: DateFormat = 'full'): string {
  const parts = isoDate.exec(isoText)
  if (!parts) return isoText
  const [, time, zone] = parts
  // A time without a zone would be read in the one of the server.
  const moment = Date.parse(time !== undefined && zone === undefined ? `${isoText}Z` : isoText)
  if (Number.isNaN(moment)) return isoText
  const tag = languageTag(locale)
  const key = `${tag} ${format}`
  let formatter = dateFormatters.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(tag, { ...dateParts[format], timeZone: 'UTC' })
    dateFormatters.set(key, formatter)
  }
  return formatter.format(moment)
}

export function formatNumber(value: number, locale: string): string {
  const tag = languageTag(locale)
  let formatter = numberFormatters.get(tag)
  if (!formatter) numberFormatters.set(tag, (formatter = new Intl.NumberFormat(tag)))
  return formatter.format(value)
}
