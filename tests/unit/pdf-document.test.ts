import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { expect, test } from 'vitest'
import { createDocument, leaf, paragraph } from '../../src/content/document/build.ts'
import type { Block, ContentRef } from '../../src/content/document/nodes.ts'
import { withAnchorIds } from '../../src/content/document/outline.ts'
import { toSlug } from '../../src/content/markdown/slug.ts'
import { generateDocument } from '../../src/pdf/document.ts'
import { type PdfPage, type PdfSource, pdfVersion, refKeyOf } from '../../src/pdf/source.ts'
import { createPdfTexts } from '../../src/pdf/texts.ts'
import { typst } from '../../src/pdf/typst.ts'
import { breakLongRuns, directionOf } from '../../src/pdf/words.ts'
import { blockOfEachType } from '../support/blocks.ts'

const pageOf = (blocks: readonly Block[], more: Partial<PdfPage> = {}): PdfPage => ({
  id: 'one',
  title: 'One',
  depth: 0,
  document: withAnchorIds(createDocument(blocks), toSlug),
  ...more,
})

const sourceOf = (pages: readonly PdfPage[], more: Partial<PdfSource> = {}): PdfSource => ({
  version: pdfVersion,
  title: 'Title',
  language: 'en',
  direction: 'ltr',
  color: '#346ddb',
  code: { tokens: { k: '#8a3fb0' } },
  fonts: [],
  texts: createPdfTexts('en'),
  pages,
  targets: {},
  files: {},
  tags: {},
  ...more,
})

const compiler = NodeCompiler.create()

/** Compiles a PDF without images. */
function compile(source: PdfSource, highlightedCode: readonly (readonly string[])[] = []) {
  const document = generateDocument(source)
  const brokenImages = document.images.map(({ name }) => name)
  const mainFileContent = document.print({ brokenImages, highlightedCode })
  const compiled = compiler.compile({ mainFileContent })
  const { result } = compiled
  if (!result) throw new Error(JSON.stringify(compiled.takeError()?.shortDiagnostics))
  return { mainFileContent, result, codes: document.codes, pdf: compiler.pdf(result) }
}

/** Returns the texts of all headings. */
function textsOf(mainFileContent: string): string[] {
  const textOf = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(textOf).join('')
    if (typeof value !== 'object' || value === null) return ''
    const { text, children, body, child } = value as Record<string, unknown>
    return typeof text === 'string' ? text : textOf(children ?? body ?? child)
  }
  return (compiler.query({ mainFileContent }, { selector: 'heading' }) as unknown[]).map(textOf)
}

const plain = (text: string): Block => paragraph([{ object: 'text', leaves: [leaf(text)] }])

const link = (to: ContentRef) =>
  paragraph([
    { object: 'inline', type: 'link', data: { ref: to }, nodes: [{ object: 'text', leaves: [leaf('there')] }] },
  ])

const hostileTexts = [
  '#import "@preview/tablex:0.0.8"',
  '#read("/etc/passwd")',
  '"); panic("x"); ("',
  '\\"); #panic("x")',
  '\\u{22}); #panic()',
  '$ sum $ *bold* _italic_ `raw` <label> @ref = Heading',
  '// comment /* comment */',
  '\\',
  '"',
  '#{',
  ']',
  ')',
  '```',
  '\' " ` \u2028 \u2029 \u202e',
]

test.each(hostileTexts)('prints %j as it is written', (text) => {
  const heading: Block = { object: 'block', type: 'heading-1', nodes: [{ object: 'text', leaves: [leaf(text)] }] }
  const { mainFileContent } = compile(sourceOf([pageOf([heading])]))
  expect(textsOf(mainFileContent)).toEqual(['One', text])
})

test.each(hostileTexts)('interprets nothing in %j, wherever it occurs', (text) => {
  const inline = { object: 'text', leaves: [leaf(text)] } as const
  const ref: ContentRef = { kind: 'url', url: text }
  const fileRef = { kind: 'file', file: text } as const
  const blocks: Block[] = [
    { object: 'block', type: 'heading-1', nodes: [inline] },
    {
      object: 'block',
      type: 'code',
      data: { syntax: text, title: text },
      nodes: [{ object: 'block', type: 'code-line', nodes: [inline] }],
    },
    { object: 'block', type: 'math', isVoid: true, data: { formula: text } },
    { object: 'block', type: 'embed', isVoid: true, data: { url: text } },
    {
      object: 'block',
      type: 'tabs',
      nodes: [{ object: 'block', type: 'tabs-item', data: { title: text }, nodes: [plain(text)] }],
    },
    { object: 'block', type: 'update', data: { date: text, tags: [{ kind: 'tag', tag: text }] }, nodes: [plain(text)] },
    {
      object: 'block',
      type: 'images',
      nodes: [{ object: 'block', type: 'image', isVoid: true, data: { ref: fileRef, alt: text } }],
    },
    paragraph([
      { object: 'inline', type: 'link', data: { ref }, nodes: [inline] },
      { object: 'inline', type: 'inline-math', isVoid: true, data: { formula: text } },
      { object: 'inline', type: 'button', isVoid: true, data: { label: text, kind: 'primary', ref } },
      { object: 'inline', type: 'anchor', isVoid: true, data: { id: text } },
      {
        object: 'inline',
        type: 'annotation',
        nodes: [inline],
        fragments: [{ object: 'fragment', nodes: [plain(text)] }],
      },
    ]),
  ]
  const { result } = compile(
    sourceOf([pageOf(blocks, { id: text, title: text, description: text, emoji: text })], {
      title: text,
      subtitle: text,
      date: text,
      language: text,
      color: text,
      fonts: [text],
      targets: { [refKeyOf(ref)]: { title: text, url: `https://example.com/${text}` } },
      files: { [refKeyOf(fileRef)]: { name: text, url: text, image: { blob: text, contentType: text } } },
      tags: { [text]: text },
    }),
  )
  expect(result.title).toBe(text)
})

test('string literals contain no character that ends them', () => {
  expect(typst`f(${'a"b\\c\nd\0e'})`.code).toBe('f("a\\"b\\\\c\\nd\ufffde")')
  expect(typst`f(${['a', 1, true, undefined]})`.code).toBe('f("a", 1, true, none)')
  expect(typst`f(${Number.NaN})`.code).toBe('f(0)')
  expect(typst`f(${'\ud800'})`.code).toBe('f("\ufffd")')
})

test.each(Object.entries(blockOfEachType))('compiles the block %s', (_, block) => {
  expect(
    compile(sourceOf([pageOf([block])]))
      .pdf.subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

test('a PDF of several pages has a title page, contents, bookmarks and links between its pages', () => {
  const ref: ContentRef = { kind: 'page', page: 'two' }
  const anchorRef: ContentRef = { kind: 'anchor', page: 'two', anchor: 'details' }
  const missingRef: ContentRef = { kind: 'anchor', page: 'two', anchor: 'gone' }
  const details: Block = { object: 'block', type: 'heading-1', nodes: [{ object: 'text', leaves: [leaf('Details')] }] }
  const { mainFileContent, result, pdf } = compile(
    sourceOf(
      [
        pageOf([link(ref), link(anchorRef), link(missingRef)]),
        pageOf([details], { id: 'two', title: 'Two', depth: 1 }),
        { id: 'group', title: 'Group', depth: 0 },
      ],
      {
        targets: {
          [refKeyOf(ref)]: { title: 'Two', page: 'two' },
          [refKeyOf(anchorRef)]: { title: 'Two', page: 'two', anchor: 'details' },
          [refKeyOf(missingRef)]: { title: 'Two', page: 'two', anchor: 'gone' },
        },
      },
    ),
  )
  // The title page, the contents, and three pages.
  expect(result.numOfPages).toBe(5)
  expect(result.title).toBe('Title')
  expect(textsOf(mainFileContent)).toEqual(expect.arrayContaining(['One', 'Two', 'Details', 'Group']))
  const text = pdf.toString('latin1')
  expect(text).toContain('/Outlines')
  expect(text.match(/\/Subtype\s*\/Link/g)?.length).toBeGreaterThan(3)
})

const countLinks = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Subtype\s*\/Link/g)?.length ?? 0

test('a link to a missing anchor links to the page, and a link may contain its own target', () => {
  const ref: ContentRef = { kind: 'anchor', page: 'one', anchor: 'gone' }
  const cellRef: ContentRef = { kind: 'anchor', page: 'one', anchor: 'inside' }
  const targets = {
    [refKeyOf(ref)]: { title: 'One', page: 'one', anchor: 'gone' },
    [refKeyOf(cellRef)]: { title: 'One', page: 'one', anchor: 'inside' },
  }
  expect(countLinks(compile(sourceOf([pageOf([link(ref)])], { targets })).pdf)).toBe(1)
  const around = paragraph([
    {
      object: 'inline',
      type: 'link',
      data: { ref: cellRef },
      nodes: [
        { object: 'inline', type: 'anchor', isVoid: true, data: { id: 'inside' } },
        { object: 'text', leaves: [leaf('itself')] },
      ] as never,
    },
  ])
  expect(countLinks(compile(sourceOf([pageOf([around])], { targets })).pdf)).toBe(1)
})

test('highlighted code has the colors of its tokens, and its text is not interpreted', () => {
  const lines = ['const a = "<b>" && 1', '', '#panic("x")']
  const code: Block = {
    object: 'block',
    type: 'code',
    data: { syntax: 'js' },
    nodes: lines.map((text) => ({
      object: 'block',
      type: 'code-line',
      nodes: [{ object: 'text', leaves: [leaf(text)] }],
    })),
  }
  const html = ['<span class="k">const</span> a = "&lt;b&gt;" &amp;&amp; 1', '', '#panic("<span class="zz">x</span>")']
  const { codes, mainFileContent } = compile(sourceOf([pageOf([code, code])]), [html])
  expect(codes).toEqual([{ text: lines.join('\n'), syntax: 'js' }])
  expect(mainFileContent).toContain('token("k", "const"), " a = \\"<b>\\" && 1"')
})

test('deeply nested blocks and formulas do not overflow the stack', () => {
  let block: Block = plain('innermost')
  for (let depth = 0; depth < 200; depth++) block = { object: 'block', type: 'blockquote', nodes: [block] }
  const formula = `${'\\sqrt{'.repeat(200)}x${'}'.repeat(200)}`
  const { mainFileContent } = compile(
    sourceOf([pageOf([block, { object: 'block', type: 'math', isVoid: true, data: { formula } }])]),
  )
  expect(mainFileContent).toContain('innermost')
})

test.each([
  '\\frac{a}{b} + \\sqrt[3]{x^2} - x_i^2',
  '\\sum_{i=0}^{n} i = \\frac{n(n+1)}{2}',
  '\\left( \\begin{matrix} 1 & 2 \\\\ 3 & 4 \\end{matrix} \\right)',
  '\\int_0^\\infty e^{-x} \\, dx \\quad \\text{for all } x',
  '\\hat{x} \\vec{v} \\overline{ab} \\underbrace{a+b}_{c}',
  '\\mathbb{R} \\mathcal{L} \\mathbf{v} \\mathrm{d}x \\sin x \\lim_{n \\to \\infty}',
  '\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}',
  '\\binom{n}{k} \\color{#ff0000} x \\neq y \\mathfrak{g}',
  '\\begin{cases} 1 & x > 0 \\\\ 0 & x \\le 0 \\end{cases}',
])('converts the formula %s', (formula) => {
  const blocks: Block[] = [
    { object: 'block', type: 'math', isVoid: true, data: { formula } },
    paragraph([{ object: 'inline', type: 'inline-math', isVoid: true, data: { formula } }]),
  ]
  const { mainFileContent } = compile(sourceOf([pageOf(blocks)]))
  expect(compiler.query({ mainFileContent }, { selector: 'math.equation' })).toHaveLength(2)
})

test('an invalid formula is printed as code', () => {
  const { mainFileContent } = compile(
    sourceOf([pageOf([{ object: 'block', type: 'math', isVoid: true, data: { formula: '\\frac{' } }])]),
  )
  expect(compiler.query({ mainFileContent }, { selector: 'math.equation' })).toEqual([])
  expect(mainFileContent).toContain('code-block("\\\\frac{"')
})

test('long names can be broken, other words cannot', () => {
  expect(breakLongRuns('short words only', 10)).toBe('short words only')
  expect(breakLongRuns('octavo.limits.requests', 14)).toBe('octavo.\u200blimits.\u200brequests')
  expect(breakLongRuns('a'.repeat(25), 10)).toBe(`${'a'.repeat(10)}\u200b${'a'.repeat(10)}\u200b${'a'.repeat(5)}`)
})

test('the direction of a text is that of its first letter', () => {
  expect(['Abc', '«שלום» abc', '12 عربي', '…'].map(directionOf)).toEqual(['ltr', 'rtl', 'rtl', undefined])
})
