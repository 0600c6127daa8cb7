import { describe, expect, test } from 'vitest'
import { createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import type { Block, InlineElement, InlineNode } from '../../src/content/document/nodes.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'
import { plainText } from '../../src/content/document/text.ts'

const options = { references: verbatimReferences, isExpression: () => true }
const parse = (source: string) => parsePage(source, options)
const print = (source: string) => printPage(parse(source), verbatimReferences)
const text = (...words: string[]): InlineNode => ({ object: 'text', leaves: words.map((word) => leaf(word)) })
const printNodes = (nodes: readonly InlineNode[]) =>
  printPage({ document: createDocument([paragraph(nodes)]) }, verbatimReferences)

describe('backslashes', () => {
  test.each([
    'Done!',
    'Done! [Next](next.md)',
    'Done\\![Next](next.md)',
    '[me@example.com](mailto:me@example.com)',
    '[see www.example.com](https://example.com)',
    '[**https://example.com/a**](https://example.com/a)',
    'me\\@example.com is not a link',
    'Choose [New] and [Open] → [file].',
    'a[0] and b[1]',
    '\\[a](b)',
    '[a [b](c)',
    '!\\[a](b)',
    '\\[^1] is no footnote',
    '**$5** and $6',
    '\\$\\$5',
    'Use snake_case_names and \\_\\_init\\_\\_',
    '2 * 3 * 4',
    'EVOLVE*ACME is one word',
    '\\*not emphasis\\*',
    '2\\*3\\*4 is 24',
    '\\_private\\_',
    'about ~12% or ~5',
    '\\~\\~struck\\~\\~',
    'a < b, 3 <5, x <= y',
    '\\<name> and \\</name>',
    '\\<me\\@example.com>',
    'Q&A, R&D, \\&amp;',
    'C:\\Users\\me',
    'a\\\\*b',
    '10:30: \\:tada: and a:no-emoji:c',
    '\\`',
    'https\\://example.com',
    '\\[ ] is no box',
    '\\* star\\\n\\- dash\\\n1\\. one',
    'trailing space \\\nnext',
  ])('are printed only where they are needed: %s', (source) => {
    expect(print(source)).toBe(`${source}\n`)
  })

  test('are printed only where they are needed in titles and headings', () => {
    for (const title of ['# Done!', '# [New] snake_case', '# C#', '## C \\#', '## \\[x](y)']) {
      expect(print(title)).toBe(`${title}\n`)
    }
    expect(parse(printPage({ title: 'C #', document: createDocument([]) }, verbatimReferences)).title).toBe('C #')
  })

  test('are printed only in the blocks that need them', () => {
    expect(print('a*b\n\n\\*c\\*')).toBe('a*b\n\n\\*c\\*\n')
  })

  test('are printed the same in long texts', () => {
    const long = 'a\\*b '.repeat(3000).trim()
    expect(print(long)).toBe(`${long}\n`)
  })
})

describe('marks', () => {
  test.each([
    ['<strong><mark style="color:red;">x</mark></strong>', '<mark style="color:red;">**x**</mark>'],
    ['**<mark style="color:red;">x</mark>**', '<mark style="color:red;">**x**</mark>'],
    ['<mark style="color:red;">_x_</mark>', '_<mark style="color:red;">x</mark>_'],
    ['<mark style="color:red;">~~x~~</mark>', '~~<mark style="color:red;">x</mark>~~'],
    ['**<kbd>x</kbd>**', '<kbd>**x**</kbd>'],
    ['<mark style="color:red;"><kbd>`x`</kbd></mark>', '<kbd><mark style="color:red;">`x`</mark></kbd>'],
    ['<sup>_x_</sup>', '_<sup>x</sup>_'],
    ['**~~_`x`_~~**', '~~_**`x`**_~~'],
    ['[x **y**](z)', '[x **y**](z)'],
    ['**[y](z)**', '[**y**](z)'],
  ])('are printed in a fixed order: %s', (source, printed) => {
    expect(print(source)).toBe(`${printed}\n`)
    expect(parse(printed).document).toEqual(parse(source).document)
  })
})

test('prints a space at the edge of a mark as an entity, or the mark as HTML if delimiters are impossible', () => {
  for (const source of ['**_a_ b**', '_**a** b_ c', '**a _b_** _c_', '~~_**a** b_ c~~'])
    expect(print(source)).toBe(`${source}\n`)
  for (const source of ['_a_**&#x20;b**.', '**a&#x20;** b', '**a&#x20;**_b_']) expect(print(source)).toBe(`${source}\n`)
  expect(printNodes([{ object: 'text', leaves: [leaf('a ', [mark('bold')]), leaf('b')] }])).toBe(
    '<strong>a </strong>b\n',
  )
})

describe('mentions', () => {
  test.each([
    ['[x](guides/page.md "mention")', '[page.md](guides/page.md "mention")'],
    ['[x](guides/page.md#first-steps "mention")', '[#first-steps](guides/page.md#first-steps "mention")'],
    ['[x](./#top "mention")', '[#top](./#top "mention")'],
    ['[x](../ "mention")', '[..](../ "mention")'],
    ['[x](./ "mention")', '[.](./ "mention")'],
  ])('are printed with the text of their destination: %s', (source, printed) => {
    expect(print(source)).toBe(`${printed}\n`)
  })
})

/** Returns the texts and elements of the first block, with the texts of the elements. */
const shape = (source: string) =>
  (parse(source).document.nodes[0] as { nodes: readonly InlineNode[] }).nodes.map((node) =>
    node.object === 'text' ? plainText([node]) : `${node.type}(${plainText([node])})`,
  )

describe('annotated texts', () => {
  const note = '\n\n[^n]: note'
  test.each([
    ['The [wet ropes](#user-content-fn-n)[^n] hang.', ['The ', 'annotation(wet ropes)', ' hang.']],
    ['[**Wet** `ropes` ](#user-content-fn-n)[^n]hang', ['annotation(Wet ropes )', 'hang']],
    ['wet[ropes](#user-content-fn-n)[^n]', ['wet', 'annotation(ropes)']],
    ['Wet\\![ropes and](#user-content-fn-n)[^n]', ['Wet!', 'annotation(ropes and)']],
  ])('are links to the footnote behind them: %s', (source, expected) => {
    expect(shape(source + note)).toEqual(expected)
    expect(parse(print(source + note)).document).toEqual(parse(source + note).document)
  })

  test.each([
    '[wet ropes](#user-content-fn-m)[^n]',
    '[wet ropes](#user-content-fn-n) [^n]',
    '[wet ropes](#user-content-fn-n)',
  ])('are links if the footnote behind them is missing or another one: %s', (source) => {
    expect(JSON.stringify(parse(source + note).document)).toContain('"type":"link"')
  })

  test('are printed as links, except those with links or annotations', () => {
    expect(print(`The [wet **ropes**](#user-content-fn-n)[^n] hang.${note}`)).toContain(
      'The [wet **ropes**](#user-content-fn-1)[^1] hang.\n',
    )
    expect(print(`<a data-footnote-ref href="#user-content-fn-n">a [b](c) d</a>${note}`)).toContain(
      '<a data-footnote-ref href="#user-content-fn-1">a [b](c) d</a>\n',
    )
  })

  test('keep their source when a word is changed', () => {
    const source = `The [wet ropes](#user-content-fn-n)[^n] hang.${note}\n`
    const page = parse(source)
    const edited = JSON.parse(JSON.stringify(page.document).replace('wet ropes', 'dry ropes')) as typeof page.document
    expect(splicePage(source, { ...page, document: edited }, options)).toBe(source.replace('wet', 'dry'))
  })
})

describe('a backslash at the end of a block', () => {
  test.each([
    ['Wet ropes.\\\n\n\nDry ropes.', ['Wet ropes.\n']],
    ['Wet ropes \\', ['Wet ropes\n']],
    ['## Ropes\\', ['Ropes\n']],
    ['<mark style="color:red;">Wet</mark>\\', ['Wet', '\n']],
    ['Open C:\\', ['Open C:\\']],
    ['Open C:\\Ropes\\', ['Open C:\\Ropes\\']],
    ['Wet\\\\', ['Wet\\']],
  ])('is a line break, except in a path: %j', (source, expected) => {
    const page = parse(source)
    const first = page.document.nodes[0] as { nodes: readonly InlineNode[] }
    const texts = first.nodes.flatMap((node) => (node.object === 'text' ? node.leaves.map((one) => one.text) : []))
    expect(texts).toEqual(expected)
    expect(parse(printPage(page, verbatimReferences)).document).toEqual(page.document)
    expect(splicePage(source, page, options)).toBe(source)
    const edited = JSON.parse(JSON.stringify(page.document).replace(/Wet|Ropes|Open/, 'New')) as typeof page.document
    expect(splicePage(source, { ...page, document: edited }, options)).toBe(source.replace(/Wet|Ropes|Open/, 'New'))
  })
})

/** Regression cases: sources that were once parsed differently after printing, or not at all. */
const difficult: readonly string[] = [
  '<div data-gb-custom-block data-tag="hint"><p><br></p></div>',
  '| a |\n| - |\n| <div data-gb-custom-block data-tag="hint"><p><br></p></div> |',
  'a![b c](#user-content-fn-n)[^n] and !\n\n[^n]: note',
  'a\\![b c](#user-content-fn-n)[^n](d)\n\n[^n]: note',
  '**a**[b *c*](#user-content-fn-n)[^n]**d**\n\n[^n]: note',
  '[a [^n] b](#user-content-fn-n)[^n]\n\n[^n]: note',
  '> quote\n> &#x20;www.example.com [a][b] **c** www.example.org',
  '1. one\n   &#x20;www\\.example.com',
  'www\\.] and <b>www\\.</b>',
  '`code that\nis wrapped`',
  '[a\\\nb](c)',
  '[a\\\n](c)',
  '[\\^1](u)[^n]\n\n[^n]: note\n\n[^1]: other',
  '[<https://example.com> b](c)',
  '<a href="u">**b** https://example.com</a>',
  '[link](u)[^n] and <u@example.com>[^n]\n\n[^n]: note',
  '<a data-footnote-ref href="#user-content-fn-n">two \\*words\\*</a>\n\n[^n]: note',
  'foo<a data-footnote-ref href="#user-content-fn-n">bar</a>\n\n[^n]: note',
  'x ![alt \\] text](a.png "a \\"title\\"") y',
  '&#x9;tab',
  'a\\\n&#x9;tab',
  '$$a\n- b$$ and text',
  '| a |\n| - |\n| &#x20;b&#x20; |',
  '| a_b [c] |\n| - |\n| [c](d) \\| `e \\| f` |',
  '* a\n\n  2. b',
  '* a\n\n  1.\n  2. b',
  '+ ---',
  '* \\**',
  '~~~a`b\nc\n~~~',
  '~~~x&#x20;\nc\n~~~',
  '```\na ``` b\n```',
  '## Setup\ufeff <a href="#setup" id="setup"></a>',
  '\ufefftext <b> and *emphasis*\n\n> quote',
  '&#xFEFF;text',
  '__\ufeff_**x**_',
  '<details>\n\n<summary>&#x20;a&#x9;b $1</summary>\n\n</details>',
]

describe('difficult sources', () => {
  test.each(difficult)('are parsed the same after printing and printed the same again: %j', (source) => {
    const page = parse(source)
    const printed = printPage(page, verbatimReferences)
    expect(parse(printed).document).toEqual(page.document)
    expect(print(printed)).toBe(printed)
  })
})

test('source ranges of blocks are correct in a file with a byte order mark', () => {
  const source = '\ufeff---\ntitle: x\n---\n\n# Title\n\nfirst <i>\n\n* second\n'
  const { frontMatter, title, locatedBlocks } = parse(source)
  expect({ frontMatter, title }).toEqual({ frontMatter: 'title: x', title: 'Title' })
  expect(locatedBlocks.map(({ start, end }) => source.slice(start, end))).toEqual(['first <i>', '* second'])
})

test('adjacent leaves and texts are printed like one text', () => {
  const link: InlineElement = { object: 'inline', type: 'link', data: { ref: { kind: 'url', url: 'u' } }, nodes: [] }
  for (const nodes of [[text('<', 'b>')], [text('&', 'amp;')], [text(':ta', 'da:')], [text('!'), text('['), link]]) {
    const read = parse(printNodes(nodes)).document.nodes[0] as Block & { nodes: readonly InlineNode[] }
    const words = nodes.flatMap((node) => (node.object === 'text' ? node.leaves.map((one) => one.text) : []))
    expect(read.nodes[0]).toEqual(text(words.join('')))
  }
})
