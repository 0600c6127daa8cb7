import { describe, expect, it } from 'vitest'
import { measureDocument } from '../../src/content/document/limits.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { readWebPage } from '../../src/website/read-page.ts'
import { expectLinear } from '../support/growth.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { docusaurusPage } from '../support/websites.ts'

const url = 'https://acme.dev/'
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('')
const whole = (body: string) => `<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`

describe('hostile page', () => {
  it.each<[string, size: number, make: (count: number) => string, word: string]>([
    ['nested elements', 6000, (count) => whole(`${'<div>'.repeat(count)}end`), 'end'],
    ['lists in lists', 200, (count) => whole(`${'<ul><li>x'.repeat(count)}end`), 'end'],
    ['quotes in quotes', 1000, (count) => whole(`${'<blockquote><p>x'.repeat(count)}end`), 'end'],
    [
      'links in a navigation in a navigation',
      20,
      (count) =>
        whole(
          `${'<nav>'.repeat(count)}${many(count * 6, (index) => `<a href="/${index}">x</a>`)}${'</nav>'.repeat(count)}<p>end`,
        ),
      'end',
    ],
    [
      'titles of tabs without panels',
      125,
      (count) => whole(`${'<div role=tablist><b role=tab>x</b></div>'.repeat(count)}<p role=tabpanel>end`),
      'end',
    ],
    [
      'notes on notes',
      50,
      (count) =>
        whole(
          `${many(count, (index) => `w<sup><a href="#f${index}">1</a></sup> `)}<div class=footnotes><ol>${many(count, (index) => `<li id=f${index}>n <a href="#f${(index + 1) % count}">a</a> <a href="#f${(index + 2) % count}">b</a>`)}</ol></div>`,
        ),
      'w',
    ],
    [
      'cells of a million columns',
      20,
      (count) =>
        whole(
          `<table><tr><th>a<th>b</tr>${'<tr><td colspan=1000000 rowspan=1000000>x<td>end</tr>'.repeat(count)}</table>`,
        ),
      'x',
    ],
    ['tables in tables', 60, (count) => whole(`${'<table><tr><td>x<td>'.repeat(count)}end`), 'end'],
    ['one long word', 100_000, (count) => whole(`<p>${'a'.repeat(count)}`), 'aaa'],
    ['entities', 2500, (count) => whole(`<p>${'&amp;&nbsp;'.repeat(count)}end`), 'end'],
    ['brackets that open nothing', 24_000, (count) => '<'.repeat(count), '<'],
    ['items', 1250, (count) => whole(`<ul>${'<li>x'.repeat(count)}end`), 'end'],
    ['attributes', 5000, (count) => whole(`<p ${many(count, (index) => `a${index}=">" `)}>end`), 'end'],
    [
      'attributes on all elements',
      100,
      (count) => whole(`${`<p ${many(400, (index) => `a${index} `)}>`.repeat(count)}end`),
      'end',
    ],
    ['tags that are never closed', 10_000, (count) => whole(`<p>end</p>${'<a '.repeat(count)}`), 'end'],
    [
      'tags behind a comment that opens a text',
      1000,
      (count) => whole(`<!-- <b c=" --><ul>${'<li>x'.repeat(count)}end`),
      'end',
    ],
    ['classes', 50_000, (count) => whole(`<p class=">${'a '.repeat(count)}">end`), 'end'],
    [
      'links behind a long base',
      200,
      (count) =>
        `<base href="https://acme.dev/${'a/'.repeat(count * 25)}">${whole(many(count, (index) => `<a href=x${index}>end</a> `))}`,
      'end',
    ],
  ])('of %s is read in linear time and within the maximum nesting', async (_, size, make, word) => {
    await expectLinear(size, async (count) => {
      const { markdown } = await readWebPage(make(count), url)
      expect(markdown).toContain(word)
      const { document } = parsePage(markdown, { references: verbatimReferences, isExpression: () => false })
      expect(measureDocument(document).depth).toBeLessThanOrEqual(50)
    })
  })

  it('that is truncated or incomplete is read without an error', async () => {
    const chance = seededRandom(7)
    for (let round = 0; round < 25; round++) {
      const from = randomInteger(chance, 0, docusaurusPage.length)
      const to = randomInteger(chance, from, docusaurusPage.length)
      const cut = docusaurusPage.slice(0, from) + docusaurusPage.slice(to)
      const { markdown } = await readWebPage(cut, url)
      expect(() => parsePage(markdown, { references: verbatimReferences, isExpression: () => false })).not.toThrow()
    }
  })
})
