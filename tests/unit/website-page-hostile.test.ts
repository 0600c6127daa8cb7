import { describe, expect, it } from 'vitest'
import { measure } from '../../src/content/document/limits.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { verbatim } from '../../src/content/markdown/references.ts'
import { readWebPage } from '../../src/website/read-page.ts'
import { between, seeded } from '../support/random.ts'
import { docusaurusPage } from '../support/websites.ts'

const url = 'https://acme.dev/'
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('')
const whole = (body: string) => `<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`

describe('a hostile page', () => {
  // Each takes minutes when any part of reading takes the square of its size.
  it.each([
    ['a megabyte of nested elements', whole(`${'<div>'.repeat(200_000)}end`), 'end'],
    ['lists in lists', whole(`${'<ul><li>x'.repeat(40_000)}end`), 'end'],
    ['quotes in quotes', whole(`${'<blockquote><p>x'.repeat(30_000)}end`), 'end'],
    [
      'links in a navigation in a navigation',
      whole(`${'<nav>'.repeat(400)}${many(2500, (index) => `<a href="/${index}">x</a>`)}${'</nav>'.repeat(400)}<p>end`),
      'end',
    ],
    [
      'titles of tabs without panels',
      whole(`${'<div role=tablist><b role=tab>x</b></div>'.repeat(5000)}<p role=tabpanel>end`),
      'end',
    ],
    [
      'notes on notes',
      whole(
        `${many(600, (index) => `w<sup><a href="#f${index}">1</a></sup> `)}<div class=footnotes><ol>${many(600, (index) => `<li id=f${index}>n <a href="#f${(index + 1) % 600}">a</a> <a href="#f${(index + 2) % 600}">b</a>`)}</ol></div>`,
      ),
      'w',
    ],
    [
      'cells of a million columns',
      whole(`<table><tr><th>a<th>b</tr>${'<tr><td colspan=1000000 rowspan=1000000>x<td>end</tr>'.repeat(300)}</table>`),
      'x',
    ],
    ['tables in tables', whole(`${'<table><tr><td>x<td>'.repeat(10_000)}end`), 'end'],
    ['one word of a megabyte', whole(`<p>${'a'.repeat(1_000_000)}`), 'aaa'],
    ['entities', whole(`<p>${'&amp;&nbsp;'.repeat(20_000)}end`), 'end'],
    ['brackets that open nothing', '<'.repeat(50_000), '<'],
    ['items', whole(`<ul>${'<li>x'.repeat(400_000)}end`), 'end'],
    ['attributes', whole(`<p ${many(100_000, (index) => `a${index}=">" `)}>end`), 'end'],
    ['attributes on all elements', whole(`${`<p ${many(400, (index) => `a${index} `)}>`.repeat(2500)}end`), 'end'],
    ['tags that are never closed', whole(`<p>end</p>${'<a '.repeat(200_000)}`), 'end'],
    ['tags behind a comment that opens a text', whole(`<!-- <b c=" --><ul>${'<li>x'.repeat(300_000)}end`), 'end'],
    ['classes', whole(`<p class=">${'a '.repeat(500_000)}">end`), 'end'],
    [
      'links behind a long base',
      `<base href="https://acme.dev/${'a/'.repeat(100_000)}">${whole(many(4000, (index) => `<a href=x${index}>end</a> `))}`,
      'end',
    ],
  ])('of %s is read before a test ends, and as deep as a document may be', async (_, html, word) => {
    const { markdown } = await readWebPage(html, url)
    expect(markdown).toContain(word)
    const { document } = parsePage(markdown, { references: verbatim, isExpression: () => false })
    expect(measure(document).depth).toBeLessThanOrEqual(50)
  })

  it('that is cut or mixed up anywhere is read all the same', { timeout: 20_000 }, async () => {
    const chance = seeded(7)
    for (let round = 0; round < 25; round++) {
      const from = between(chance, 0, docusaurusPage.length)
      const to = between(chance, from, docusaurusPage.length)
      const cut = docusaurusPage.slice(0, from) + docusaurusPage.slice(to)
      const { markdown } = await readWebPage(cut, url)
      expect(() => parsePage(markdown, { references: verbatim, isExpression: () => false })).not.toThrow()
    }
  })
})
