import { expect, test } from 'vitest'
import { toSlug, uniqueSlug } from '../../src/content/markdown/slug.ts'

test.each([
  ['Getting Started', 'getting-started'],
  ["What's new? It’s `code`", 'whats-new-its-code'],
  ['  -- Edges -- ', 'edges'],
  ['CHAP 11. The end', 'chap-11.-the-end'],
  ['CHAP 11.', 'chap-11.'],
  ['Server + Studio (WASM)', 'server-+-studio-wasm'],
  ['snake_case', 'snake_case'],
  ['AT&T', 'at-and-t'],
  ['a | b < c > d', 'a-or-b-less-than-c-greater-than-d'],
  ['Octavo™ for $5…', 'octavotm-for-usd5...'],
  ['Ärger über Größe und Straße', 'aerger-ueber-groesse-und-strasse'],
  ['Łódź, façade, œuvre, Ærø', 'lodz-facade-oeuvre-aero'],
  ['e\u0301te\u0301', 'ete'],
  ['Отримання даних', 'otrimannya-danikh'],
  ['Цей ящик, ёж і їжа', 'cei-yashik-yozh-i-yizha'],
  ['關鍵字', 'guan-jian-zi'],
  ['API 接口 v2', 'api-jie-kou-v2'],
  ['한국어', 'undefined'],
  ['ひらがな カタカナ', 'undefined'],
  ['한국어 API', 'api'],
  ['🎉 Party', 'party'],
  ['', 'undefined'],
  ['..', 'undefined'],
])('the text %j has the slug %j', (text, slug) => {
  expect(toSlug(text)).toBe(slug)
  expect(toSlug(slug)).toBe(slug)
})

test('a long text is cut at a word boundary, or inside a word that exceeds the limit', () => {
  const words = toSlug('alpha beta '.repeat(30))
  expect(words.length).toBeLessThanOrEqual(100)
  expect(words).toMatch(/^(?:alpha-beta-)+(?:alpha|alpha-beta)$/)
  expect(toSlug('關'.repeat(60))).toMatch(/^(?:guan-)+guan$/)
  expect(toSlug('x'.repeat(300))).toBe('x'.repeat(100))
})

test('the first free number is added to a slug that is taken', () => {
  const taken = new Set(['orders', 'orders-1'])
  expect(uniqueSlug('orders', (slug) => taken.has(slug))).toBe('orders-2')
  expect(uniqueSlug('free', (slug) => taken.has(slug))).toBe('free')
})

test('thousands of equal slugs are numbered in order with few lookups each', () => {
  const taken = new Set<string>()
  let questions = 0
  for (let count = 0; count < 5000; count++) {
    const slug = uniqueSlug('same', (one) => {
      questions++
      return taken.has(one)
    })
    expect(slug).toBe(count === 0 ? 'same' : `same-${count}`)
    taken.add(slug)
  }
  expect(questions / 5000).toBeLessThan(30)
})

test('a numbered slug does not exceed the length limit', () => {
  const long = 'x'.repeat(100)
  expect(uniqueSlug(long, (slug) => slug === long)).toBe(`${'x'.repeat(98)}-1`)
  const hyphen = `${'x'.repeat(97)}-ab`
  expect(uniqueSlug(hyphen, (slug) => slug === hyphen)).toBe(`${'x'.repeat(97)}-1`)
})
