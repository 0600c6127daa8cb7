import { describe, expect, it } from 'vitest'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { plainText } from '../../src/content/document/text.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { readWebPage } from '../../src/website/read-page.ts'

const url = 'https://acme.dev/docs/install?x=1#top'
const read = async (body: string) => (await readWebPage(body, url)).markdown
const documentOf = (body: string, head = '<title>Install</title>') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

const page = async (head: string, body = '<main><p>Some text.</p></main>') => readWebPage(documentOf(body, head), url)

const sentence = 'Acme is a small tool that does one thing, and does it well enough for most people. '
const sidebar =
  '<div class="sidebar"><nav><p class="caption"><span>Start</span></p><ul><li><a href="/a">A</a></li>' +
  '<li><a href="/b">B</a><ul><li><a href="/b/c#x">C</a></li></ul></li></ul></nav></div>'
const article =
  `<p>${sentence.repeat(4)}</p><h2 id="setup">Setup<a class="headerlink" href="#setup">¶</a></h2>` +
  '<p>Get it, then <a href="next.html#x">go on</a>.</p><ul><li>one</li><li>two</li></ul>'
const expected = `${sentence.repeat(4).trim()}\n\n## Setup\n\nGet it, then [go on](https://acme.dev/docs/next.html#x).\n\n* one\n* two\n`

describe('page of an unknown site', () => {
  it.each([
    [
      'with a main part',
      `<header><nav><a href="/">Acme</a></nav></header>${sidebar}<main><h1>Install</h1>${article}</main>`,
    ],
    [
      'with a role only',
      `${sidebar}<div class="body" role="main"><section id="i"><h1>Install<a class="headerlink" href="#i">¶</a></h1>${article}</section></div>`,
    ],
    [
      'with nothing that says so',
      `<div class="top"><a href="/">Acme</a></div>${sidebar}<div><div class="page-body"><h1>Install</h1>${article}</div></div><div class="bottom">© <a href="/imprint">Imprint</a></div>`,
    ],
  ])('%s: finds the content and the navigation', async (_, body) => {
    const found = await readWebPage(documentOf(body), url)
    expect(found.markdown).toBe(expected)
    expect(found.title).toBe('Install')
    expect(found.generator).toBeUndefined()
    expect(found.navigation).toEqual([
      {
        title: 'Start',
        children: [
          { title: 'A', url: 'https://acme.dev/a', children: [] },
          {
            title: 'B',
            url: 'https://acme.dev/b',
            children: [{ title: 'C', url: 'https://acme.dev/b/c', children: [] }],
          },
        ],
      },
    ])
  })

  it('can consist of a few elements', async () => {
    const found = await readWebPage('<h1>Install</h1><p>One.<p>Two <b>words</b>.', url)
    expect(found).toEqual({
      url: 'https://acme.dev/docs/install?x=1',
      title: 'Install',
      markdown: 'One.\n\nTwo **words**.\n',
      links: [],
      navigation: [],
    })
  })

  it('can be plain text or empty', async () => {
    expect(await read('just text & more')).toBe('just text & more\n')
    expect(await readWebPage('', url)).toMatchObject({ title: '', markdown: '', links: [] })
  })
})

describe('title and description of a page', () => {
  it('are taken from the heading, else from the metadata, without the name of the site', async () => {
    expect(
      (await page('<title>X | Acme</title>', '<main><h1>Shown <a href="#s">#</a></h1><p>a</p></main>')).title,
    ).toBe('Shown')
    expect((await page('<title>Install | Acme</title>')).title).toBe('Install')
    expect((await page('<title>Set up - Fast - Acme</title><meta property="og:site_name" content="Acme">')).title).toBe(
      'Set up - Fast',
    )
    expect((await page('<title>Set up - Fast</title><meta property="og:site_name" content="Acme">')).title).toBe(
      'Set up - Fast',
    )
    expect((await page('<title>x</title><meta property="og:title" content="Install">')).title).toBe('Install')
  })

  it('do not include a description that repeats the text', async () => {
    expect((await page('<meta name="description" content="All of it.">')).description).toBe('All of it.')
    expect((await page('<meta name="description" content="Some text…">')).description).toBeUndefined()
  })
})

describe('links and images', () => {
  it('are resolved against the base URL of the page', async () => {
    const found = await readWebPage(
      documentOf(
        '<main><h1>T</h1><p><a href="b#c">b</a> <a href="#d">d</a> <img src="../p.png" alt="P"> x</p></main>',
        '<base href="https://cdn.dev/v2/docs/">',
      ),
      url,
    )
    expect(found.markdown).toBe(
      '[b](https://cdn.dev/v2/docs/b#c) [d](https://cdn.dev/v2/docs/#d) <img src="https://cdn.dev/v2/p.png" alt="P"> x\n',
    )
    expect(found.links).toEqual(['https://cdn.dev/v2/docs/b', 'https://cdn.dev/v2/docs/'])
  })

  it('with an invalid or script URL become text', async () => {
    const found = await readWebPage(
      '<p><a href="javascript:alert(1)">a</a> <a href="data:text/html,x">b</a> <a href=" JavaScript:x">c</a> <a href="http://[">d</a> <a>e</a> <a href="mailto:a@b.c">f</a><img src="javascript:x"><img src="data:image/png;base64,AA"></p>',
      url,
    )
    expect(found.markdown).toBe('a b c d e [f](mailto:a@b.c)\n')
    expect(found.links).toEqual([])
  })

  it('keep spaces outside of marks and links', async () => {
    expect(await read('<p>a<b> bold </b>b<a href="/x"> link </a>c<br>d <code>x</code> <code>y</code></p>')).toBe(
      'a **bold** b [link](https://acme.dev/x) c\\\nd `x` `y`\n',
    )
  })
})

describe('text conversion', () => {
  it('omits scripts, styles, hidden elements and navigation', async () => {
    expect(
      await read(
        '<p>a</p><script>b()</script><style>c</style><template><p>d</p></template><noscript>e</noscript><p hidden>f</p>' +
          '<p style="color:red; display: none">g</p><span aria-hidden="true">h</span><button>i</button><nav><a href="/j">j</a></nav>' +
          '<!-- k --><svg><text>l</text></svg><div class="breadcrumbs">m</div><p>z</p>',
      ),
    ).toBe('a\n\nz\n')
  })

  it('escapes text that looks like Markdown or a tag', async () => {
    const text = '{% hint %} # x * y _z_ `c` [a](b) <b> &amp; $$1$$'
    const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const { document } = parsePage(await read(`<p>${html}</p>`), {
      references: verbatimReferences,
      isExpression: () => true,
    })
    const [block] = document.nodes
    expect(block?.type === 'paragraph' && plainText(block.nodes)).toBe(text)
  })
})

describe('tables', () => {
  it('keep merged cells and blocks in cells', async () => {
    const markdown = await read(
      '<table><tr><th>A</th><th>B</th></tr><tr><td rowspan="2"><ul><li>x</li></ul></td><td>1</td></tr><tr><td>2</td></tr></table>',
    )
    const [table] = parsePage(markdown, { references: verbatimReferences, isExpression: () => true }).document.nodes
    expect(table?.type === 'table' && table.data.cellMerges).toEqual([
      { anchor: { record: 'r1', column: 'c1' }, rowSpan: 2, colSpan: 1 },
    ])
    expect(markdown).toContain('<ul><li>x</li></ul>')
  })

  it('used for layout are not imported as tables', async () => {
    expect(await read('<table role="presentation"><tr><td><p>a</p></td><td><p>b</p></td></tr></table>')).toBe(
      'a\n\nb\n',
    )
  })
})

describe('lists', () => {
  it('keep their numbers, nesting and blocks in items', async () => {
    expect(
      await read(
        '<ol start="3"><li>a<ul><li>b</li></ul></li><li><p>c</p><pre><code class="lang-sh">d</code></pre></li></ol>',
      ),
    ).toBe('3. a\n   * b\n\n4.  c\n\n    ```sh\n    d\n    ```\n')
    expect(await read('<ul><li>a</li><ul><li>b</li></ul></ul>')).toBe('* a\n  * b\n')
  })
})
