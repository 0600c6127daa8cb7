import { expect, test } from 'vitest'
import { createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import type { Document, Mark } from '../../src/content/document/nodes.ts'
import { textOfBlocks } from '../../src/content/document/text.ts'
import { mapNodes } from '../../src/content/document/walk.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'
import { renderDocument } from '../../src/render/document.ts'
import { createRenderContext } from '../support/render-context.ts'

// Delimiters of emphasis next to Chinese, Japanese and Korean text, which CommonMark ignores.

const options = { references: verbatimReferences, isExpression: () => true }
const parse = (source: string) => parsePage(source, options)
const htmlOf = ({ document }: { document: Document }) =>
  renderDocument(document, createRenderContext())
    .text.replace(/ (?:class|id|data-[\w-]+)="[^"]*"/g, '')
    .trim()

test.each([
  ['**警告：**别碰', '<p><strong>警告：</strong>别碰</p>'],
  ['先看**“结绳”**一章', '<p>先看<strong>“结绳”</strong>一章</p>'],
  ['**看：[绳](b.md)**一节', /^<p><strong>看：<\/strong>.*<strong>绳<\/strong>.*一节<\/p>$/],
  ['这是*（斜）*的', '<p>这是<em>（斜）</em>的</p>'],
  ['旧~~（绳）~~新', '<p>旧<s>（绳）</s>新</p>'],
  ['これは**「縄」**です', '<p>これは<strong>「縄」</strong>です</p>'],
  ['**밧줄(끈)**은 젖다', '<p><strong>밧줄(끈)</strong>은 젖다</p>'],
  ['**一：**二**三：**四', '<p><strong>一：</strong>二<strong>三：</strong>四</p>'],
  ['**𠮷：**𠮷野', '<p><strong>𠮷：</strong>𠮷野</p>'],
  ['**注：**abc', '<p><strong>注：</strong>abc</p>'],
])('are parsed: %s', (line, expected) => {
  for (const source of [`${line}\n`, `> ${line}\n`, `* ${line}\n`, `## ${line}\n`, `| a |\n| - |\n| ${line} |\n`]) {
    const page = parse(source)
    expect(textOfBlocks(page.document.nodes, ' ')).not.toMatch(/[*~]/)
    expect(splicePage(source, page, options)).toBe(source)
    expect(parse(printPage(page, verbatimReferences)).document).toEqual(page.document)
    expect(printPage(page, verbatimReferences)).not.toContain('<strong>')
  }
  if (typeof expected === 'string') expect(htmlOf(parse(line))).toBe(expected)
  else expect(htmlOf(parse(line))).toMatch(expected)
})

test.each([
  'a**"b"**c',
  '**Note:**text',
  'x**(y)**z',
  '\\*\\*警告：\\*\\*别碰',
  '** 警告：**别碰',
  '`**警告：**别碰`',
  '```\n**警告：**别碰\n```',
  '$$**警告：**别碰$$',
  '![**警告：**别碰](a.png)',
])('remain text elsewhere: %s', (source) => {
  const { document } = parse(`${source}\n`)
  expect(JSON.stringify(document)).not.toContain('"bold"')
  expect(JSON.stringify(document)).toMatch(/\*/)
  expect(splicePage(`${source}\n`, parse(`${source}\n`), options)).toBe(`${source}\n`)
})

test('a destination between delimiters is kept', () => {
  const source = '[绳](<一**：**二.md>) 和 [索][ref]\n\n[ref]: <三**：**四.md>\n'
  expect(splicePage(source, parse(source), options)).toBe(source)
  expect(JSON.stringify(parse(source).document)).toContain('一**：**二.md')
})

const threeLeaves = (marks: readonly Mark[]) =>
  paragraph([{ object: 'text', leaves: [leaf('请'), leaf('“绳”', marks), leaf('的')] }])

test('bold text next to letters is printed with delimiters', () => {
  const print = (name: 'bold' | 'italic') =>
    printPage(
      { frontMatter: undefined, title: undefined, document: createDocument([threeLeaves([mark(name)])]) },
      verbatimReferences,
    )
  expect(print('bold')).toBe('请**“绳”**的\n')
  expect(parse(print('italic')).document.nodes).toEqual([threeLeaves([mark('italic')])])
})

test('an edit changes only the edited words', () => {
  const source = '一\n**警告：**别碰湿绳，\n先看**“结绳”**一章\n三\n'
  const page = parse(source)
  const document = {
    ...page.document,
    nodes: mapNodes(
      page.document.nodes,
      (block) => block,
      (node) =>
        node.object === 'text'
          ? { ...node, leaves: node.leaves.map((one) => ({ ...one, text: one.text.replace('湿绳', '干绳') })) }
          : node,
    ),
  }
  expect(splicePage(source, { ...page, document }, options)).toBe(source.replace('湿绳', '干绳'))
})
