import { expect, test } from 'vitest'
import { SiteCustomization } from '../../src/contract/customization.ts'
import { languages } from '../../src/contract/languages.ts'
import { type Texts, fillPlaceholders } from '../../src/render/texts.ts'
import { english } from '../../src/render/texts/english.ts'
import { formatDate, formatNumber, languageTag, getTexts } from '../../src/render/texts/locales.ts'

const locales = SiteCustomization.shape.internationalization.shape.locale.options
const translated = locales.filter((locale) => locale !== 'en')

/** Returns every text by its name, nested ones as `hints.info`. */
const listed = (texts: Texts): Map<string, string> => new Map(listEntries(texts, ''))

function listEntries(texts: object, prefix: string): [string, string][] {
  return Object.entries(texts).flatMap(([name, text]: [string, string | object]): [string, string][] =>
    typeof text === 'string' ? [[prefix + name, text]] : listEntries(text, `${prefix}${name}.`),
  )
}

const places = (text: string) => (text.match(/\{\d\}/g) ?? []).sort()

/** Names of texts that are the same in these languages and in English. */
const shared: Partial<Record<(typeof locales)[number], readonly string[]>> = {
  fr: [
    'code',
    'menu',
    'note',
    'openApi.columns.description',
    'openApi.columns.type',
    'openApi.parameters.cookie',
    'pages',
    'sections',
    'variants',
  ],
  es: ['no', 'openApi.parameters.cookie', 'openApi.tryIt.token'],
  de: [
    'code',
    'openApi.body',
    'openApi.callbacks',
    'openApi.columns.name',
    'openApi.optional',
    'openApi.parameters.cookie',
    'openApi.tryIt.server',
    'openApi.tryIt.token',
    'searchIn',
    'themeSystem',
    'variants',
  ],
  nl: [
    'code',
    'diagram',
    'hints.success',
    'menu',
    'openApi.body',
    'openApi.callbacks',
    'openApi.columns.type',
    'openApi.headers',
    'openApi.parameters.cookie',
    'openApi.parameters.header',
    'openApi.parameters.other',
    'openApi.servers',
    'openApi.tryIt.server',
    'openApi.tryIt.token',
    'searchIn',
  ],
  no: [
    'diagram',
    'openApi.columns.type',
    'openApi.tryIt.send',
    'openApi.tryIt.server',
    'openApi.tryIt.token',
    'themeSystem',
  ],
  'pt-br': ['menu', 'openApi.parameters.cookie', 'openApi.tryIt.token'],
}

test('every locale that a site can use has its own texts', () => {
  expect(new Set(locales.map(getTexts)).size).toBe(locales.length)
  expect(getTexts('en')).toBe(english)
})

test.each(translated)('the texts of %s are complete and translated', (locale) => {
  const texts = listed(getTexts(locale))
  const originals = listed(english)
  expect([...texts.keys()].sort()).toEqual([...originals.keys()].sort())
  const untranslated = [...texts].filter(([name, text]) => text === originals.get(name)).map(([name]) => name)
  expect(untranslated.sort()).toEqual(shared[locale] ?? [])
  for (const [name, text] of texts) {
    expect(text.trim(), name).not.toBe('')
    expect(text, name).toBe(text.trim())
    expect(places(text), name).toEqual(places(originals.get(name) ?? ''))
  }
})

test.each(locales)('the texts of %s follow the typographic rules of the language', (locale) => {
  const typed = [...listed(getTexts(locale)).values()].join('\n')
  expect(typed).not.toMatch(/["'`]|\.\.\./)
  if (locale === 'fr') {
    expect(typed).not.toMatch(/[^\u202f][?!;]|[^\u00a0][:»]|«[^\u00a0]/)
  } else {
    expect(typed).not.toMatch(/\s[?!:;»]|«\s/)
  }
  if (locale === 'zh' || locale === 'ja') expect(typed).not.toMatch(/[?!:;,.()]/)
})

test('the URL in the prompt for assistants is separated by spaces', () => {
  const address = 'https://docs.example/guide'
  for (const locale of locales) {
    expect(fillPlaceholders(getTexts(locale).assistantPrompt, address).split(' '), locale).toContain(address)
  }
})

test('unsupported locales use the texts of their language, or English', () => {
  expect(getTexts('pt')).toBe(getTexts('pt-br'))
  expect(getTexts('PT-BR')).toBe(getTexts('pt-br'))
  expect(getTexts('fr-CA')).toBe(getTexts('fr'))
  expect(getTexts('nb')).toBe(getTexts('no'))
  for (const locale of ['ko', 'constructor', '', '-']) expect(getTexts(locale)).toBe(english)
})

test('languageTag returns valid BCP 47 tags', () => {
  expect(locales.map(languageTag)).toEqual(['en', 'fr', 'es', 'zh-Hans', 'ja', 'de', 'nl', 'nb', 'pt-BR', 'ru'])
  expect(languageTag('zh-tw')).toBe('zh-Hant')
  for (const language of languages)
    expect(Intl.DateTimeFormat.supportedLocalesOf(languageTag(language))).toHaveLength(1)
  for (const malformed of ['', 'pt_BR', '"><script>']) expect(languageTag(malformed)).toBe('en')
})

test('formats dates in the language', () => {
  expect(Object.fromEntries(locales.map((locale) => [locale, formatDate('2026-03-09T23:30:00.000Z', locale)]))).toEqual(
    {
      en: 'March 9, 2026',
      fr: '9 mars 2026',
      es: '9 de marzo de 2026',
      zh: '2026年3月9日',
      ja: '2026年3月9日',
      de: '9. März 2026',
      nl: '9 maart 2026',
      no: '9. mars 2026',
      'pt-br': '9 de março de 2026',
      ru: expect.stringMatching(/^9 марта 2026\sг\.$/),
    },
  )
  expect(formatDate('2026-03-09', 'en', 'short')).toBe('Mar 9, 2026')
  expect(formatDate('2026-03-09', 'de', 'numeric')).toBe('09.03.2026')
})

test('formats the day in UTC, independent of the time zone of the server', () => {
  const zone = process.env['TZ']
  try {
    for (const server of ['Pacific/Kiritimati', 'Pacific/Honolulu']) {
      process.env['TZ'] = server
      expect(formatDate('2026-03-09', 'en')).toBe('March 9, 2026')
      expect(formatDate('2026-03-09T23:59:59', 'en')).toBe('March 9, 2026')
      expect(formatDate('2026-03-09T01:00:00+02:00', 'en')).toBe('March 8, 2026')
    }
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
})

test('returns text that is not a date unchanged', () => {
  for (const text of ['', 'Spring 2026', 'March 2026', '2026', '2026-13-45', '2026-03-09 and later']) {
    expect(formatDate(text, 'fr')).toBe(text)
  }
})

test('groups the digits of numbers by the rules of the language', () => {
  expect(formatNumber(1234567, 'en')).toBe('1,234,567')
  expect(formatNumber(1234567, 'de')).toBe('1.234.567')
  expect(formatNumber(1234567, 'pt-br')).toBe('1.234.567')
  for (const locale of ['fr', 'no', 'ru']) expect(formatNumber(1234567, locale)).toMatch(/^1\s234\s567$/)
})
