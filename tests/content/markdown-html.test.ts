import { describe, expect, test } from 'vitest'
import { leaf, mark, paragraph } from '../../src/content/document/build.ts'
import { findNearestColor } from '../../src/content/document/colors.ts'
import { completeDocument } from '../../src/content/document/complete.ts'
import type { Block, Document, Mark } from '../../src/content/document/nodes.ts'
import { withAnchorIds } from '../../src/content/document/outline.ts'
import { createAnchorInline, createHtmlInline } from '../../src/content/document/raw-html.ts'
import { restoreStoredDocument } from '../../src/content/document/restore.ts'
import { documentText } from '../../src/content/document/text.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { toSlug } from '../../src/content/markdown/slug.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'
import { renderDocument } from '../../src/render/document.ts'
import { textNode } from '../support/blocks.ts'
import { officialProblems } from '../support/official-documents.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { createRenderContext } from '../support/render-context.ts'

const options = { references: verbatimReferences, isExpression: () => true }
const read = (markdown: string): Document => parsePage(markdown, options).document
const blocks = (markdown: string): readonly Block[] => read(markdown).nodes
const print = (document: Document): string => printPage({ document }, verbatimReferences)
const render = (document: Document): string =>
  renderDocument(withAnchorIds(document, toSlug), createRenderContext()).text
const words = (text: string, ...marks: Mark[]) => ({ object: 'text' as const, leaves: [leaf(text, marks)] })
const aligned = (text: string) => ({ ...paragraph([textNode(text)]), data: { align: 'center' as const } })

/** Expects that Markdown renders as `html` and that its document survives printing and the public form. */
function expectShown(markdown: string, html: string): void {
  const document = read(markdown)
  expect(render(document)).toBe(html)
  expect(read(print(document))).toEqual(document)
  expect(officialProblems(completeDocument(document))).toEqual([])
  expect(restoreStoredDocument(readDocument(completeDocument(document)), document)).toEqual(document)
}

describe('comments', () => {
  test.each([
    ['between blocks', 'a\n\n<!-- c -->\n\nb', '<p>a</p><p>b</p>'],
    ['over several lines, with empty ones', '<!-- c\n\n## no heading\n\n-->\n\nb', '<p>b</p>'],
    ['in a line', 'a<!-- c -->b', '<p>ab</p>'],
    ['in a heading', '## T<!-- c -->', '<h2 id="t">T<a class="anchor" href="#t" aria-label="Link to “T”"></a></h2>'],
    ['in items', '* a<!-- c -->\n* <!-- c -->', '<ul><li>a</li><li></li></ul>'],
    ['in marks', '**a<!-- c -->b**', '<p><strong>a</strong><strong>b</strong></p>'],
    ['in links', '[a<!-- c -->](https://example.com)', '<p><a href="https://example.com" rel="noreferrer">a</a></p>'],
    ['inside HTML', '<p align="center">a<!-- c -->b</p>', '<p class="text-center">ab</p>'],
    ['before words', '<!-- c -->a', '<p>a</p>'],
    ['with empty lines in an element', '<div>\n<!-- c\n\nd -->\n</div>\n\na', '<p>a</p>'],
  ])('%s are kept and not rendered', (_, markdown, html) => {
    expectShown(markdown, html)
    expect(print(read(markdown))).toContain('<!-- c')
  })

  test('in cells are kept and not rendered', () => {
    const table = '| a | b |\n| - | - |\n| x <!-- c --> | <!-- c --> |'
    expect(render(read(table))).not.toContain('c --')
    expect(print(read(table))).toContain('<!-- c -->')
  })

  test('over several lines are printed unchanged', () => {
    const comment = '<!--\n  one\n\n  {% hint %}\n-->'
    expect(blocks(comment)).toEqual([paragraph([createHtmlInline(comment)])])
    expect(print(read(comment))).toBe(`${comment}\n`)
  })
})

describe('anchors', () => {
  test.each(['<a id="x"></a>', '<a name="x"></a>', "<a name='x'/>", '<span id="x"></span>'])(
    '%s is rendered as an anchor',
    (tag) => {
      expectShown(`${tag}\n\na`, '<span id="x"></span><p>a</p>')
      expectShown(`${tag}\na`, '<p><span id="x"></span> a</p>')
    },
  )

  test('above a heading are a paragraph, with and without an empty line', () => {
    for (const lines of ['\n', '\n\n']) {
      expect(blocks(`<a name="x"></a>${lines}## T`)).toEqual([
        paragraph([createAnchorInline('x')]),
        { object: 'block', type: 'heading-1', nodes: [textNode('T')] },
      ])
    }
  })

  test('with text or a link are placed before it', () => {
    expect(blocks('<a id="x" href="https://example.com">t</a>')).toEqual([
      paragraph([
        createAnchorInline('x'),
        {
          object: 'inline',
          type: 'link',
          data: { ref: { kind: 'url', url: 'https://example.com' } },
          nodes: [textNode('t')],
        },
      ]),
    ])
    expect(blocks('<a id="x">t</a>')).toEqual([paragraph([createAnchorInline('x'), textNode('t')])])
  })

  test('at the end of a heading set its id, unless they use the name attribute', () => {
    expect(blocks('## T <a href="#x" id="x"></a>')[0]).toMatchObject({ data: { id: 'x' } })
    const named = read('## T <a name="x"></a>')
    expect(named.nodes[0]).toMatchObject({ nodes: [textNode('T '), createAnchorInline('x')] })
    expect(read(print(named))).toEqual(named)
  })
})

describe('elements around blocks', () => {
  test.each(['<div align="center">', '<center>', '<p align="center">', '<section align="center">'])(
    '%s centers the blocks inside',
    (tag) => {
      const close = `</${/\w+/.exec(tag)?.[0]}>`
      const document = read(`${tag}\n\na\n\n## b\n\n![](https://example.com/a.png)\n\n${close}\n\nc`)
      expect(document.nodes).toMatchObject([
        aligned('a'),
        { type: 'heading-1', data: { align: 'center' } },
        { type: 'images', data: { align: 'center' } },
        paragraph([textNode('c')]),
      ])
      expect(read(print(document))).toEqual(document)
    },
  )

  test('data-full-width applies to the blocks inside', () => {
    const source = '<div data-full-width="true">\n\n| a |\n| - |\n| b |\n\n```js\nc\n```\n\n</div>'
    expect(blocks(source)).toMatchObject([
      { type: 'table', data: { fullWidth: true } },
      { type: 'code', data: { fullWidth: true } },
    ])
  })

  test.each([
    '<div>\n\na',
    'a\n\n</div>',
    '<div class="x">\n\na\n\n</section>\n\n</div>',
    '</p>\n\na\n\n</center>',
    '<section>\n\na\n\n</div>',
  ])('tags without a partner are not rendered: %j', (markdown) => {
    expect(render(read(markdown))).toBe('<p>a</p>')
  })

  test('a closing tag inside a block does not close an element outside', () => {
    expect(
      blocks('<div align="center">\n\n{% hint style="info" %}\n</div>\n{% endhint %}\n\na\n\n</div>'),
    ).toMatchObject([{ type: 'hint', nodes: [] }, aligned('a')])
  })

  test('keep their source lines when a block inside is edited', () => {
    const source = 'a\n\n<div align="center">\n\nb\n\nc\n\nd\n\n</div>\n\ne\n'
    const document = read(source)
    const edited = { ...document, nodes: document.nodes.with(2, aligned('new')) }
    const text = splicePage(source, { document: edited }, options)
    expect(read(text)).toEqual(edited)
    expect(text).toBe('a\n\n<div align="center">\n\nb\n\nnew\n\nd\n\n</div>\n\ne\n')
  })

  test('keep images next to text', () => {
    const document = read('<p align="center">\n  <img src="https://example.com/a.png" width="200">\n</p>\nwords')
    expect(document.nodes).toMatchObject([
      { type: 'images', data: { align: 'center' }, nodes: [{ data: { width: 200 } }] },
      paragraph([textNode('words')]),
    ])
    expectShown(
      'a <img src="https://example.com/a.png" width="20" height="10"> b',
      '<p>a <img class="inline-image" src="https://example.com/a.png" alt="" style="width:20px;height:10px" loading="lazy"> b</p>',
    )
    expect(print(document)).toContain('width="200"')
  })

  test('expandables are parsed in list items', () => {
    const document = read('* a\n\n  <details>\n\n  <summary>S</summary>\n\n  b\n\n  </details>\n* c')
    expect(document.nodes).toMatchObject([{ nodes: [{ nodes: [{ type: 'paragraph' }, { type: 'expandable' }] }, {}] }])
    expect(read(print(document))).toEqual(document)
  })
})

describe('elements in text', () => {
  test.each([
    ['<i>a</i> <em>a</em>', '<p><em>a</em> <em>a</em></p>'],
    ['<b>a</b> <strong>a</strong>', '<p><strong>a</strong> <strong>a</strong></p>'],
    ['<s>a</s> <strike>a</strike> <del>a</del>', '<p><s>a</s> <s>a</s> <s>a</s></p>'],
    ['x <u>a</u> <ins>a</ins> <small>a</small>', '<p>x <u>a</u> <ins>a</ins> <small>a</small></p>'],
    ['x <span class="y">a</span> <nobr>a</nobr>', '<p>x a a</p>'],
    ['x </b> y <u> z', '<p>x  y  z</p>'],
    ['x <script>a()</script>', '<p>x </p>'],
    ['<style>\n\na\n\n</style>\n\nx', '<p>x</p>'],
    ['<title>a</title> <label for="x">a</label>', '<p>a a</p>'],
    ['x<br>y', '<p>x<br>y</p>'],
  ])('renders %s', (markdown, html) => expectShown(markdown, html))

  test('a line ending after a break is not rendered as a space', () => {
    expectShown('one<br>\n  two <br> three', '<p>one<br>two <br> three</p>')
  })

  test('a bare URL inside a link is text', () => {
    const address = 'https://example.com/a'
    expectShown(
      `<a href="${address}"><br>${address}</a>`,
      `<p><a href="${address}" rel="noreferrer"><br>${address}</a></p>`,
    )
  })

  test.each(['<name>', '<YOUR_KEY>', '<address>', '<title>', '</name>', '<input>'])('%s is kept as text', (text) => {
    const document = read(`a ${text} b`)
    expect(documentText(document)).toBe(`a ${text} b`)
    expect(read(print(document))).toEqual(document)
  })

  test('iframes become embeds', () => {
    expect(blocks('<iframe src="https://example.com/a" width="10"></iframe>')).toEqual([
      { object: 'block', type: 'embed', isVoid: true, data: { url: 'https://example.com/a' } },
    ])
  })

  test('marks continue across raw HTML', () => {
    expect(print(read('**a <u>b</u> c**'))).toBe('**a <u>b</u> c**\n')
  })

  test.each(['<a href="https://example.com"><br>u</a>', '[x<br>](https://example.com)', '<a href="u">a [b](v) c</a>'])(
    'breaks and links in links are parsed the same after printing: %s',
    (markdown) => {
      const document = read(markdown)
      expect(read(print(document))).toEqual(document)
    },
  )
})

describe('colors', () => {
  test.each([
    ['#233C5D', 'blue'],
    ['#f00', 'red'],
    ['rgb(255, 0, 0)', 'red'],
    ['rgb(0 128 0 / 50%)', 'green'],
    ['hsl(30, 100%, 50%)', 'orange'],
    ['gold', 'yellow'],
    ['teal', 'cyan'],
    ['hotpink', 'pink'],
    ['gray', '$tint'],
    ['black', undefined],
    ['nothing', undefined],
  ])('maps %s to %s', (color, name) => {
    expect(findNearestColor(color)).toBe(name)
  })

  test.each([
    ['<mark style="color:#233C5D">a</mark>', { text: 'blue' }],
    ['<span style="color:#ff0000;background-color:rgb(0,0,255)">a</span>', { text: 'red', background: 'blue' }],
    ['<font color="green">a</font>', { text: 'green' }],
    ['<mark>a</mark>', { background: 'yellow' }],
  ])('%s is printed unchanged', (html, colors) => {
    const written = /^<[^>]*>/.exec(html)?.[0]
    const document = read(html)
    const color = { object: 'mark', type: 'color', data: { ...colors, written } } as Mark
    expect(document.nodes).toEqual([paragraph([words('a', color)])])
    expect(print(document)).toBe(`${html}\n`)
    expect(officialProblems(completeDocument(document))).toEqual([])
    expect(restoreStoredDocument(readDocument(completeDocument(document)), undefined)).toEqual(document)
  })

  test('a changed color removes the written tag', () => {
    const sent = { object: 'mark', type: 'color', data: { text: 'green', background: 'default', written: '<mark>' } }
    const block = {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ text: 'a', marks: [sent] }] }],
    }
    const [only] = readDocument({ object: 'document', nodes: [block] }).nodes
    expect(only).toMatchObject({
      nodes: [{ leaves: [{ marks: [{ data: { text: 'green', background: 'default' } }] }] }],
    })
    expect(JSON.stringify(only)).not.toContain('written')
  })
})

// Pieces from which random mixtures of HTML and Markdown are generated.

const pieces = ['a', 'b c', ' ', '**b**', '_i_', '`c`', '<br>', '<!-- d -->', '<a id="p"></a>', '[l](u)', '<name>']
const inlineTags = ['u', 'small', 'b', 'i', 'em', 's', 'kbd', 'sup', 'a href="u"', 'mark style="color:#123456"']
const blockTags = ['div', 'div align="center"', 'p', 'center', 'section', 'blockquote', 'ul', 'h2']

class Writer {
  readonly #chance: () => number

  constructor(seed: number) {
    this.#chance = seededRandom(seed)
  }

  #number(low: number, high: number): number {
    return randomInteger(this.#chance, low, high)
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#number(0, items.length - 1)] as Item
  }

  #around(tags: readonly string[], inner: string): string {
    const tag = this.#pick(tags)
    return `<${tag}>${inner}</${tag.split(' ')[0]}>`
  }

  inlines(depth: number): string {
    return Array.from({ length: this.#number(1, 3) }, () =>
      depth > 0 && this.#number(0, 2) === 0 ? this.#around(inlineTags, this.inlines(depth - 1)) : this.#pick(pieces),
    ).join('')
  }

  block(depth: number): string {
    if (depth === 0) return `x${this.inlines(2)}y`
    const lines = this.#pick(['\n\n', '\n'])
    switch (this.#number(0, 5)) {
      case 0:
        return `## x${this.inlines(1)}y`
      case 1:
        return '<!-- one\n\ntwo -->'
      case 2:
        return `* x${this.inlines(1)}y\n* z`
      case 3:
        return `<details>\n\n<summary>x${this.inlines(1)}y</summary>\n\n${this.block(depth - 1)}\n\n</details>`
      case 4:
        return this.#around(blockTags, `${lines}${this.block(depth - 1)}${lines}`)
      default:
        return `x${this.inlines(2)}y`
    }
  }
}

test('random mixtures of HTML and Markdown render without visible tags and are parsed the same after printing', () => {
  for (let seed = 1; seed <= 1500; seed++) {
    const writer = new Writer(seed)
    const source = `${writer.block(2)}\n\n${writer.block(1)}\n`
    const document = read(source)
    const shown = render(document).replaceAll('&lt;name&gt;', '')
    expect({ seed, source, shown }).toEqual({ seed, source, shown: shown.replace(/&lt;[a-z!/][^&]*&gt;/g, '') })
    const printed = print(document)
    expect({ seed, source, printed, read: read(printed) }).toEqual({ seed, source, printed, read: document })
  }
}, 120_000)

test('text before and after a comment keeps its marks', () => {
  const bold = mark('bold')
  expect(blocks('**a<!-- c -->b** d')).toEqual([
    paragraph([
      words('a', bold),
      createHtmlInline('<!-- c -->'),
      { object: 'text', leaves: [leaf('b', [bold]), leaf(' d')] },
    ]),
  ])
})

test('marks that end or start inside an element are the same after printing, also in cells', () => {
  const texts = [
    '~~One~~<u>~~two~~</u>',
    '<u>**one**</u>**two**',
    'a **b**<u>**c** d **e**</u>**f**',
    '**a**<u>**b**</u>**c**',
    '_a_<u>_b_<small>_c_</small></u> d',
  ]
  for (const markdown of texts.flatMap((text) => [text, `| A |\n| - |\n| ${text} |`])) {
    const document = read(markdown)
    const printed = print(document)
    expect({ printed, document: read(printed) }).toEqual({ printed, document })
  }
})

test('line breaks after an opening and before a closing tag are not part of the text', () => {
  const source = `<details>
<summary>Why</summary>
Because of *rain*.
</details>

<ul>
  <li>
    Tie
  </li>
  <li>Pull</li>
</ul>

<table>
  <tr>
    <td>
      One
    </td>
    <td>Two</td>
  </tr>
</table>
`
  const document = read(source)
  expect(documentText(document)).toBe('Why\nBecause of *rain*.\nTie\nPull\nOne Two')
  expect(print(document)).not.toContain('&#x20;')
})

test('characters may be written by their names', () => {
  const source = `<details>
<summary>&ensp;Caf&eacute;</summary>

a &deg; b

</details>

<table><tr><td>x &ge; &alpha;, 5&nbsp;&euro; &amp;eacute; &unknown;</td></tr></table>
`
  const document = read(source)
  expect(documentText(document)).toBe('\u2002Café\na ° b\nx ≥ α, 5\u00a0€ &eacute; &unknown;')
  expect(read(print(document))).toEqual(document)
})

test('empty paragraphs of blocks that Markdown can express are no content', () => {
  const source = '<details><summary>Why</summary>Rain<p></p></details>\n\n<ul><li><p>Tie</p><p></p></li></ul>\n'
  const document = read(source)
  expect(documentText(document)).toBe('Why\nRain\nTie')
  expect(read(print(document))).toEqual(document)
})

test('the caption of a table is text above it', () => {
  const source = `<table>
  <caption>Ropes <b>by</b> age</caption>
  <tr><th>Age</th></tr>
  <tr><td>One</td></tr>
</table>
`
  expect(blocks(source)).toMatchObject([{ type: 'paragraph' }, { type: 'table' }])
  expect(documentText(read(source))).toBe('Ropes by age\nAge\nOne')
  expect(read(print(read(source)))).toEqual(read(source))
})

test('a block element in a paragraph ends it', () => {
  const source = '<table><tr><td><p><div style="x"> [a](b)<a href="c">d</a></div>e</p></td></tr></table>\n'
  const document = read(source)
  expect(read(print(document))).toEqual(document)
})
