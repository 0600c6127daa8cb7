import { test } from 'vitest'
import { readWebPage } from '../../src/website/read-page.ts'
const wrap = (b: string) => `<!doctype html><html><head><title>T</title></head><body>${b}</body></html>`
const cases: Record<string, string> = {
  deep: wrap('<div>'.repeat(200000) + 'x'),
  deepLists: wrap('<ul><li>x'.repeat(90000)),
  deepLists2: wrap(('<ul><li>x'.repeat(30) + '</li></ul>'.repeat(30)).repeat(1500)),
  deepQuote: wrap('<blockquote><p>x'.repeat(50000)),
  spans: wrap('<span>'.repeat(100000) + 'x'),
  bolds: wrap('<p>' + '<b>x<i>y</i></b> '.repeat(50000)),
  ps: wrap('<p>x &amp; y &copy;</p>'.repeat(50000)),
  links: wrap('<a href="/x">y</a> '.repeat(50000)),
  links2: wrap(Array.from({ length: 20000 }, (_, i) => `<a href="/x${i}">y</a> `).join('')),
  navs: wrap('<nav>'.repeat(500) + Array.from({ length: 20000 }, (_, i) => `<a href="/x${i}">y</a> `).join('')),
  tablists: wrap('<div role=tablist><b role=tab>x</b></div><div role=tabpanel>y</div>'.repeat(12000)),
  notes: wrap('<a href="#f">1</a><div class=footnotes><li id=f>x <a href="#f">y</a></div>'.repeat(12000)),
  notes2: wrap(
    Array.from({ length: 6000 }, (_, i) => `w<sup><a href="#f${i}">1</a></sup>`).join(' ') +
      '<div class=footnotes><ol>' +
      Array.from(
        { length: 6000 },
        (_, i) => `<li id=f${i}>x <a href="#f${(i + 1) % 6000}">y</a><a href="#f${(i + 2) % 6000}">y</a></li>`,
      ).join('') +
      '</ol></div>',
  ),
  table: wrap(
    '<table><tr><th>a<th>b</tr>' + '<tr><td colspan=1000000 rowspan=100000>x<td>y</tr>'.repeat(15000) + '</table>',
  ),
  table2: wrap('<table><tr>' + '<td>x'.repeat(100000) + '</tr></table>'),
  tables: wrap('<table><tr><td>x<td>'.repeat(30000)),
  code: wrap('<pre><code>' + '<span class=hll>x\n</span>'.repeat(40000) + '</code></pre>'),
  code2: wrap('<div class=highlight>'.repeat(300) + '<pre>x</pre>'.repeat(40000)),
  heads: wrap('<h2 id=a>A</h2>'.repeat(50000)),
  cards: wrap('<a href="/x"><div>c</div></a>'.repeat(30000)),
  lt: '<'.repeat(1000000),
  garbage: Array.from({ length: 200000 }, (_, i) => '<>"\'=&;/ap!-'[(i * 7919 + (i >> 3)) % 12]).join(''),
  word: wrap(
    '<p>' + 'a'.repeat(1000000) + '<sup><a href="#f">1</a></sup><div class=footnotes><ol><li id=f>n</ol></div>',
  ),
  underscores: wrap('<p>' + '_*'.repeat(400000)),
  brs: wrap('<p>' + 'x<br>'.repeat(150000)),
  details: wrap('<details><summary>x</summary>'.repeat(30000)),
  nbsp: wrap('<p>' + '&nbsp;'.repeat(160000)),
  imgs: wrap('<img src="x.png#only-light">'.repeat(30000)),
  attrs: wrap('<p ' + 'class="a b" '.repeat(80000) + '>x'),
  sections: wrap(
    '<section>'.repeat(150) + '<div class="flex-row"><div class="select-none">1</div><p>x</p></div>'.repeat(12000),
  ),
  steps: wrap(('<div>' + '<div class="flex-row"><div class="select-none">1</div>').repeat(10000)),
  empty: '',
  nul: '\0\0<p>a\0b',
  half: wrap('<p>\ud800 x'),
}
test('x', async () => {
  for (const [name, html] of Object.entries(cases)) {
    if (process.env.ONLY && !process.env.ONLY.split(',').includes(name)) continue
    const t = Date.now()
    const p = await readWebPage(html, 'https://acme.dev/docs/setup/install/')
    ;(await import('node:fs')).appendFileSync('/tmp/perf.txt', [name, html.length, p.markdown.length, Date.now() - t].join(' ') + '\n')
  }
}, 600000)
