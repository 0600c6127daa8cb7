import { describe, expect, test } from 'vitest'
import { createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import type { Block, InlineNode, Table } from '../../src/content/document/nodes.ts'
import { documentText } from '../../src/content/document/text.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { textParagraph, textNode } from '../support/blocks.ts'
import { seededRandom } from '../support/random.ts'

const parse = (source: string) =>
  parsePage(source, { references: verbatimReferences, isExpression: () => true }).document
const print = (blocks: readonly Block[]) => printPage({ document: createDocument(blocks) }, verbatimReferences)

function tableIn(markdown: string): Table {
  const [table] = parse(markdown).nodes
  if (table?.type !== 'table') throw new Error('It is no table')
  return table
}

/** Parses the source of a cell in a pipe table and returns its blocks. */
const cellOf = (written: string) => tableIn(`| A |\n| --- |\n| ${written} |\n`).fragments[0]?.nodes

const item = (...nodes: Block[]) => ({ object: 'block' as const, type: 'list-item' as const, nodes })
const list = (...nodes: ReturnType<typeof item>[]): Block => ({ object: 'block', type: 'list-unordered', nodes })
const bold = (text: string): InlineNode => ({ object: 'text', leaves: [leaf(text, [mark('bold')])] })
const code = (text: string): InlineNode => ({ object: 'text', leaves: [leaf(text, [mark('code')])] })

describe('HTML in the cells of pipe tables', () => {
  test.each<[written: string, blocks: readonly Block[]]>([
    ['<p>one</p><p>two</p>', [textParagraph('one'), textParagraph('two')]],
    ['<ul><li>a</li><li>b</li></ul>', [list(item(textParagraph('a')), item(textParagraph('b')))]],
    [
      '<ol start="3"><li>a</li></ol>',
      [{ object: 'block', type: 'list-ordered', data: { start: 3 }, nodes: [item(textParagraph('a'))] }],
    ],
    ['<p><strong>x</strong></p><p><code>a_b</code></p>', [paragraph([bold('x')]), paragraph([code('a_b')])]],
    ['<p>a<br>b</p><hr>', [textParagraph('a\nb'), { object: 'block', type: 'divider', isVoid: true, data: {} }]],
    [
      '<p>intro</p><ul><li><p>a</p><ul><li>b</li></ul></li></ul>',
      [textParagraph('intro'), list(item(textParagraph('a'), list(item(textParagraph('b')))))],
    ],
    [
      '<h3 id="own">T</h3><blockquote>q</blockquote>',
      [
        { object: 'block', type: 'heading-2', data: { id: 'own' }, nodes: [textNode('T')] },
        { object: 'block', type: 'blockquote', nodes: [textParagraph('q')] },
      ],
    ],
    [
      '<p align="center">a</p>',
      [{ object: 'block', type: 'paragraph', data: { align: 'center' }, nodes: [textNode('a')] }],
    ],
    [
      '<ul><li><input type="checkbox" checked>a</li></ul>',
      [{ object: 'block', type: 'list-tasks', nodes: [{ ...item(textParagraph('a')), data: { checked: true } }] }],
    ],
    [
      '<figure><img src="a.png" alt="x" width="50%"><figcaption></figcaption></figure>',
      [
        {
          object: 'block',
          type: 'images',
          nodes: [
            {
              object: 'block',
              type: 'image',
              isVoid: true,
              data: { ref: { kind: 'url', url: 'a.png' }, alt: 'x', width: { unit: '%', value: 50 } },
            },
          ],
        },
      ],
    ],
    ['<p>\\*not\\* \\`code\\`</p><p>&#x20;b</p>', [textParagraph('*not* `code`'), textParagraph(' b')]],
    ['<p><code>a &#x7C;&#x7C; b</code></p><p>c \\| d</p>', [paragraph([code('a || b')]), textParagraph('c | d')]],
  ])('is parsed and printed unchanged: %s', (written, blocks) => {
    expect(cellOf(written)).toEqual(blocks)
    const source = `| A | B |\n| --- | --- |\n| ${written} | b |\n`
    const printed = print([tableIn(source)])
    expect(printed.split('\n')[2]).toBe(`| ${written} | b   |`)
    expect(parse(printed)).toEqual(parse(source))
  })

  test.each<[written: string, blocks: readonly Block[]]>([
    ['text <ul><li>a</li></ul> more', [textParagraph('text'), list(item(textParagraph('a'))), textParagraph('more')]],
    [
      '<p>**x** `y`</p>',
      [paragraph([{ object: 'text', leaves: [leaf('x', [mark('bold')]), leaf(' '), leaf('y', [mark('code')])] }])],
    ],
    ['<ul><li>a<li>b</ul>', [list(item(textParagraph('a')), item(textParagraph('b')))]],
    ['<p>a<p>b', [textParagraph('a'), textParagraph('b')]],
    ['<li>a</li> <li>b</li>', [list(item(textParagraph('a')), item(textParagraph('b')))]],
    ['a</p>', [textParagraph('a')]],
    ['<div>a</div><div>b</div>', [textParagraph('a'), textParagraph('b')]],
    ['<ul>stray<li>a</li></ul>', [list(item(textParagraph('stray')), item(textParagraph('a')))]],
    ['<p>a<ul><li>b</li></ul></p>', [textParagraph('a'), list(item(textParagraph('b')))]],
    ['<code>a \\| b</code>', [paragraph([code('a | b')])]],
    ['&#x20;', []],
  ])('is parsed leniently: %s', (written, blocks) => {
    expect(cellOf(written)).toEqual(blocks)
  })

  test('can contain Markdown between the tags', () => {
    const [first] = cellOf('<p>see [l](y.md)</p><p>b</p>') ?? []
    expect(first).toMatchObject({
      nodes: [textNode('see '), { type: 'link', data: { ref: { kind: 'url', url: 'y.md' } } }],
    })
  })

  test('code with a backslash before a pipe is parsed the same after printing', () => {
    const table = tableIn('| A |\n| --- |\n| <code>a\\\\&#x7C;b</code> |\n')
    expect(parse(print([table])).nodes).toEqual([table])
  })

  test('a link with a line break and a URL is parsed and printed the same repeatedly', () => {
    const source = '| A |\n| --- |\n| <a href="https://u.example"><br>https://u.example</a> |\n'
    const document = parse(source)
    let printed = source
    for (let count = 0; count < 3; count++) {
      const next = print(parse(printed).nodes)
      if (count > 0) expect(next).toBe(printed)
      printed = next
      expect(parse(printed)).toEqual(document)
    }
  })

  test('names in angle brackets are kept as text', () => {
    expect(documentText(createDocument(cellOf('<p>set &lt;name></p><p>b</p>') ?? []))).toBe('set <name>\nb')
  })
})

// Pieces from which random cells are generated.
const inlinePieces = [
  'word',
  'a_b',
  '*',
  '**b**',
  '`c`',
  '`a \\| b`',
  '\\\\',
  '\\|',
  '&amp;',
  '&#x20;',
  ' ',
  '[l](y.md)',
  '![i](p.png)',
  ':tada:',
  '$$x^2$$',
  '~~s~~',
  '!',
  '[',
  '$',
  '{% hint %}',
  '1.',
  '#',
  '\\*',
  '\\<b>',
  '<br>',
  '<strong>b</strong>',
  '<em>i</em>',
  '<code>a_b*</code>',
  '<kbd>K</kbd>',
  '<mark style="color:red;">m</mark>',
  '<img src="a.png" alt="a \\| b">',
  '<code class="expression">a \\|\\| b</code>',
  '<a href="x" class="button primary">a*b</a>',
  '<i class="fa-star">:star:</i>',
  '<a href="y.md">l</a>',
  '<a href="y.md"><strong>l</strong> `c`</a>',
  '**<a href="y.md">l</a>**',
  '<a href="https://u.example"><br>https://u.example</a>',
  '<a href="y.md">a<br></a>',
  '<a href="y.md">www.u.example and `c`</a>',
]
const openings = [
  '<p>',
  '<ul><li>',
  '<ol start="2"><li>',
  '<h3>',
  '<blockquote>',
  '<li>',
  '<p align="center">',
  '<div>',
  '<center>',
]
const closings = ['</p>', '</li></ul>', '</li></ol>', '</h3>', '</blockquote>', '</li>', '</p>', '</div>', '</center>']
const blockPieces = [
  '<hr>',
  '<figure><img src="a.png" alt="x"><figcaption><p>a_b * c</p></figcaption></figure>',
  '<pre><code>a &#x3C; b</code></pre>',
]

test('generated cells are parsed the same after printing and printed the same again', () => {
  const chance = seededRandom(4711)
  const below = (count: number) => Math.floor(chance() * count)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const inlines = () => Array.from({ length: 1 + below(3) }, () => pick(inlinePieces) + pick(['', ' '])).join('')
  const piece = (depth: number): string => {
    const choice = below(10)
    if (choice < 3 || depth === 0) return inlines()
    if (choice === 3) return pick(blockPieces)
    if (choice === 4) return pick([...openings, ...closings])
    const at = below(openings.length)
    return `${openings[at]}${inlines()}${choice > 7 ? piece(depth - 1) : ''}${closings[at]}`
  }
  const cell = () => Array.from({ length: 1 + below(3) }, () => piece(2)).join('')
  for (let count = 0; count < 1500; count++) {
    const source = `| A | B |\n| --- | --- |\n| ${cell()} | ${cell()} |\n`
    const document = parse(source)
    const printed = printPage({ document }, verbatimReferences)
    const again = parse(printed)
    expect({ source, printed, again }).toEqual({ source, printed, again: document })
    expect({ source, printed: printPage({ document: again }, verbatimReferences) }).toEqual({ source, printed })
  }
})

/** Returns the texts of all cells by row. */
const cellsOf = (table: Table) => {
  const bodies = new Map(table.fragments.map(({ fragment, nodes }) => [fragment, nodes]))
  return Object.values(table.data.records).map(({ values }) =>
    Object.keys(table.data.definition).map((column) =>
      documentText(createDocument(bodies.get(values[column] as string) ?? [])),
    ),
  )
}

describe('rows of pipe tables with more cells than the header', () => {
  test('keep pipes inside code', () => {
    const table = tableIn('| Op | Text |\n|---|---|\n| `a || b` | text |\n| ``x | ` y`` | c \\| d |\n')
    expect(cellsOf(table)).toEqual([
      ['a || b', 'text'],
      ['x | ` y', 'c | d'],
    ])
    expect(print([table])).toContain('| `a \\|\\| b`')
    expect(parse(print([table])).nodes).toEqual([table])
  })

  test('a pipe in code separates cells if the row has no more cells than the header', () => {
    expect(cellsOf(tableIn('| A | B |\n|---|---|\n| `a | b` |\n'))).toEqual([['`a', 'b`']])
  })

  test('cells after the last column create columns without titles', () => {
    const table = tableIn('| A |\n|---|\n| 1 | **2** | `c` |\n| 3 |\n')
    expect(Object.values(table.data.definition).map(({ title }) => title)).toEqual(['A', '', ''])
    expect(cellsOf(table)).toEqual([
      ['1', '2', 'c'],
      ['3', '', ''],
    ])
    expect(parse(print([table])).nodes).toEqual([table])
  })

  test('empty cells after the last column create no columns', () => {
    expect(cellsOf(tableIn('| A |\n|---|\n| 1 | | |\n'))).toEqual([['1']])
  })

  test('do not shift the source ranges of later blocks, also in quotes and tags', () => {
    const source = '> {% hint style="info" %}\n> | A |\n> |---|\n> | `a|b` |\n> {% endhint %}\n\nbehind *it* all\n'
    const { locatedBlocks } = parsePage(source, { references: verbatimReferences, isExpression: () => true })
    expect(locatedBlocks.map(({ start, end }) => source.slice(start, end).trim()).at(-1)).toBe('behind *it* all')
  })

  test('the rest of a row is the text of one cell if columns for all would make too many cells', () => {
    const source = `| A | B |\n|---|---|\n${'| 1 | 2 |\n'.repeat(400)}|${' x |'.repeat(3000)}\n`
    const table = tableIn(source)
    const width = Object.keys(table.data.definition).length
    expect(width).toBeLessThan(50)
    const last = cellsOf(table).at(-1) ?? []
    expect(last.slice(0, -1).every((cell) => cell === 'x')).toBe(true)
    expect(last.at(-1)?.split(' | ').length).toBe(3000 - width + 1)
  })
})
