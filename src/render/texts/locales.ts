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

/** Returns the texts of a locale, falling back to its language, then to English. */
export function getTexts(locale: string): Texts {
  const name = locale.toLowerCase()
  const [language = ''] = name.split('-')
  return textsByLocale.get(name) ?? textsByLocale.get(language) ?? english
}

/** Whether the interface is translated into a language. */
export const hasTexts = (locale: string): boolean => textsByLocale.has(locale.toLowerCase().split('-')[0] ?? '')

/** Locales whose names do not specify a script. */
const languageTags = new Map([
  ['no', 'nb'],
  ['zh', 'zh-Hans'],
  ['zh-tw', 'zh-Hant'],
])

/** Returns the BCP 47 tag of a locale for the attribute `lang`. */
export function languageTag(locale: string): string {
  try {
    return languageTags.get(locale.toLowerCase()) ?? Intl.getCanonicalLocales(locale)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** Length of a formatted date. */
export type DateFormat = 'full' | 'short' | 'numeric'

const dateParts: Record<DateFormat, Intl.DateTimeFormatOptions> = {
  full: { year: 'numeric', month: 'long', day: 'numeric' },
  short: { year: 'numeric', month: 'short', day: 'numeric' },
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
}

// Creating a formatter is slow, and there are few locales.
const dateFormatters = new Map<string, Intl.DateTimeFormat>()
const numberFormatters = new Map<string, Intl.NumberFormat>()

const isoDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/i

/** Formats the day of a date or time in UTC; returns an invalid date unchanged. */
export function formatDate(isoText: string, locale: string, format: DateFormat = 'full'): string {
  const parts = isoDate.exec(isoText)
  if (!parts) return isoText
  const [, time, zone] = parts
  // A time without a zone would be parsed in the zone of the server.
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
