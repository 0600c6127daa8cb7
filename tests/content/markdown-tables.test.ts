import { describe, expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import type { Block, CellValue, ColumnDefinition, Table } from '../../src/content/document/nodes.ts'
import { isEqualContent } from '../../src/content/document/block-groups.ts'
import { mapReferences, collectReferences } from '../../src/content/document/references.ts'
import { documentText } from '../../src/content/document/text.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import {
  type References,
  parseStableDestination,
  verbatimReferences,
  printStableDestination,
} from '../../src/content/markdown/references.ts'
import { textParagraph, textNode } from '../support/blocks.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const parse = (source: string, references: References = verbatimReferences) =>
  parsePage(source, { references, isExpression: (expression) => !expression.includes('??!') }).document
const print = (blocks: readonly Block[], references: References = verbatimReferences) =>
  printPage({ document: createDocument(blocks) }, references)

function tableIn(markdown: string, references?: References): Table {
  const [table] = parse(`${markdown}\n`, references).nodes
  if (table?.type !== 'table') throw new Error('It is no table')
  return table
}

function tableOf(
  columns: readonly ColumnDefinition[],
  rows: Readonly<Record<string, { orderIndex: string; values: Readonly<Record<string, CellValue>> }>>,
  cells: Readonly<Record<string, readonly Block[]>> = {},
): Table {
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: { type: 'grid', columns: columns.map(({ id }) => id), hideHeader: false },
      definition: Object.fromEntries(columns.map((column) => [column.id, column])),
      records: rows,
    },
    fragments: Object.entries(cells).map(([fragment, nodes]) => ({ object: 'fragment', fragment, nodes })),
  }
}

const text = (id: string, title = id): ColumnDefinition => ({ id, title, type: 'text' })
const oneCell = (nodes: readonly Block[]) =>
  tableOf([text('c1', 'A')], { r1: { orderIndex: '000001', values: { c1: 'r1c1' } } }, { r1c1: nodes })
const htmlCell = (inner: string) =>
  `<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>${inner}</td></tr></tbody></table>\n`
const custom = (tag: string, inner: string) => `<div data-gb-custom-block data-tag=${tag}>${inner}</div>`

const item = (nodes: readonly Block[], checked?: boolean) => ({
  object: 'block' as const,
  type: 'list-item' as const,
  ...(checked !== undefined && { data: { checked } }),
  nodes,
})
const line = (words: string) => ({
  object: 'block' as const,
  type: 'code-line' as const,
  nodes: words === '' ? [] : [textNode(words)],
})

describe('a cell printed as one line of HTML', () => {
  test.each<[name: string, blocks: readonly Block[], html: string]>([
    [
      'code',
      [{ object: 'block', type: 'code', data: { syntax: 'js' }, nodes: [line('a < b'), line(''), line('{% x %}')] }],
      '<pre class="language-js"><code class="lang-js">a &#x3C; b&#x0A;&#x0A;{% x %}&#x0A;</code></pre>',
    ],
    [
      'quotes',
      [{ object: 'block', type: 'blockquote', nodes: [textParagraph('a'), textParagraph('b')] }],
      '<blockquote><p>a</p><p>b</p></blockquote>',
    ],
    [
      'lists in lists',
      [
        {
          object: 'block',
          type: 'list-ordered',
          data: { start: 3 },
          nodes: [
            item([
              textParagraph('a'),
              { object: 'block', type: 'list-unordered', nodes: [item([textParagraph('b')])] },
            ]),
          ],
        },
      ],
      '<ol start="3"><li><p>a</p><ul><li>b</li></ul></li></ol>',
    ],
    [
      'tasks',
      [
        {
          object: 'block',
          type: 'list-tasks',
          nodes: [item([textParagraph('a')], true), item([textParagraph('b')], false)],
        },
      ],
      '<ul><li><input type="checkbox" checked>a</li><li><input type="checkbox">b</li></ul>',
    ],
    [
      'images',
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
              fragments: [{ object: 'fragment', fragment: 'caption', nodes: [textParagraph('Look')] }],
            },
          ],
        },
      ],
      '<figure><img src="a.png" alt="x" width="50%"><figcaption><p>Look</p></figcaption></figure>',
    ],
    [
      'drawings',
      [{ object: 'block', type: 'drawing', isVoid: true, data: { ref: { kind: 'url', url: 'a.svg' } } }],
      '<img src="a.svg" alt="" class="gitbook-drawing">',
    ],
    ['dividers', [textParagraph('a'), { object: 'block', type: 'divider', isVoid: true, data: {} }], '<p>a</p><hr>'],
    [
      'formulas',
      [{ object: 'block', type: 'math', isVoid: true, data: { formula: 'a < 1\n\n+ $b$' } }],
      custom('"math"', '$$a &#x3C; 1&#x0A;&#x0A;+ &#x24;b&#x24;$$'),
    ],
    [
      'hints',
      [{ object: 'block', type: 'hint', data: { style: 'info' }, nodes: [textParagraph('a')] }],
      custom('"hint" data-style="info"', '<p>a</p>'),
    ],
    [
      'conditions',
      [{ object: 'block', type: 'if', data: { expression: 'a < "b"' }, nodes: [textParagraph('a')] }],
      custom('"if" data-expression="a &#x3C; &#x22;b&#x22;"', '<p>a</p>'),
    ],
    [
      'files',
      [{ object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: 'f1' } } }],
      custom('"file" data-src="/files/f1"', '<a href="/files/f1">/files/f1</a>'),
    ],
    [
      'embeds with captions',
      [
        {
          object: 'block',
          type: 'embed',
          isVoid: true,
          data: { url: 'https://x', fullWidth: true },
          fragments: [{ object: 'fragment', type: 'caption', nodes: [textParagraph('Look')] }],
        },
      ],
      custom('"embed" data-url="https://x" data-fullWidth="true"', '<a href="https://x">https://x</a>Look'),
    ],
    [
      'links to pages',
      [{ object: 'block', type: 'content-ref', isVoid: true, data: { ref: { kind: 'page', page: 'p1' } } }],
      custom('"content-ref" data-url="/pages/p1"', '<a href="/pages/p1">p1</a>'),
    ],
    [
      'reusable content',
      [
        {
          object: 'block',
          type: 'reusable-content',
          isVoid: true,
          data: { ref: { kind: 'reusable-content', reusableContent: 'rc1' } },
        },
      ],
      custom('"include" data-path="/reusable-content/rc1"', ''),
    ],
    [
      'tabs',
      [
        {
          object: 'block',
          type: 'tabs',
          nodes: [{ object: 'block', type: 'tabs-item', data: { title: 'T' }, nodes: [textParagraph('a')] }],
        },
      ],
      custom('"tabs"', custom('"tab" data-title="T"', '<p>a</p>')),
    ],
    [
      'expandables',
      [
        {
          object: 'block',
          type: 'expandable',
          isVoid: true,
          data: { defaultExpanded: true },
          fragments: [
            { object: 'fragment', type: 'expandable-title', nodes: [textParagraph('T')] },
            { object: 'fragment', type: 'expandable-body', nodes: [textParagraph('a'), textParagraph('b')] },
          ],
        },
      ],
      '<details open><summary>T</summary><p>a</p><p>b</p></details>',
    ],
    [
      'aligned texts and headings with ids',
      [
        { object: 'block', type: 'heading-2', data: { id: 'own', align: 'center' }, nodes: [textNode('T')] },
        { object: 'block', type: 'paragraph', data: { align: 'end' }, nodes: [textNode('a')] },
      ],
      '<h3 align="center" id="own">T</h3><p align="right">a</p>',
    ],
    ['tables', [oneCell([textParagraph('a'), textParagraph('b')])], htmlCell('<p>a</p><p>b</p>').trimEnd()],
  ])('round-trips %s', (_, blocks, html) => {
    const plain = oneCell(blocks)
    const table: Table = { ...plain, data: { ...plain.data, search: true } }
    const printed = print([table])
    expect(printed).toBe(htmlCell(html).replace('<table>', '<table data-search="true">'))
    expect(parse(printed)).toEqual(createDocument([table]))
  })

  test('keeps the text of a condition with an invalid expression', () => {
    const source = htmlCell('<div data-gb-custom-block data-tag="if" data-expression="a ??! b">secret</div>')
    const [cell] = tableIn(source).fragments
    expect(cell?.nodes).toEqual([textParagraph('secret')])
    expect(parse(print([tableIn(source)]))).toEqual(parse(source))
  })
})

describe('hand-written HTML tables', () => {
  test('parse text between list items as an item', () => {
    const [cell] = tableIn(htmlCell('<ul>stray<li>a</li></ul>')).fragments
    expect(cell?.nodes).toMatchObject([
      { type: 'list-unordered', nodes: [item([textParagraph('stray')]), item([textParagraph('a')])] },
    ])
  })

  test('parse footer rows as rows, and add a column for extra cells', () => {
    const table = tableIn(
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody><tfoot><tr><td>3</td></tr></tfoot></table>',
    )
    expect(Object.values(table.data.definition).map(({ title }) => title)).toEqual(['A', ''])
    expect(table.fragments.map(({ nodes }) => nodes)).toEqual([
      [textParagraph('1')],
      [textParagraph('2')],
      [textParagraph('3')],
      [],
    ])
  })

  test.each(['<caption>Said</caption>', 'Said', '<tr>Said</tr>'])('keep text outside of cells: %s', (stray) => {
    const source = `<table>${stray}<thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>`
    expect(JSON.stringify(parse(source))).toContain('Said')
  })

  test.each([
    ['1.2.3', undefined],
    ['-5', undefined],
    ['1e9', undefined],
    ['', undefined],
    ['120.5', 120.5],
    ['120px', 120],
  ])('parse the column width "%s", or ignore it if it is invalid', (written, width) => {
    const table = tableIn(htmlCell('1').replace('<th>', `<th width="${written}">`))
    expect(table.data.view).toEqual({
      type: 'grid',
      columns: ['c1'],
      hideHeader: false,
      ...(width !== undefined && { columnWidths: { c1: width } }),
    })
    const [columns] = parse(
      `{% columns %}\n{% column width="${written}" %}\na\n{% endcolumn %}\n{% endcolumns %}`,
    ).nodes
    const data = width === undefined ? {} : { data: { width: { unit: 'px', value: width } } }
    expect(columns).toEqual({
      object: 'block',
      type: 'columns',
      nodes: [{ object: 'block', type: 'column', ...data, nodes: [textParagraph('a')] }],
    })
  })

  test.each([
    ['many', 5],
    ['0', 5],
    ['2.5', 5],
    ['1000', 5],
    ['10', 10],
  ])('use 5 as the maximum rating unless "%s" is an integer in range', (written, max) => {
    const table = tableIn(htmlCell('1e999').replace('<th>', `<th data-type="rating" data-max="${written}">`))
    expect(table.data.definition['c1']).toEqual({ id: 'c1', title: 'A', type: 'rating', max })
    expect(table.data.records['r1']?.values).toEqual({ c1: null })
  })
})

/** Returns the texts of all cells, row by row. */
const grid = (table: Table) =>
  Object.values(table.data.records).map(({ values }) =>
    Object.keys(table.data.definition).map((column) =>
      documentText(createDocument(table.fragments.find(({ fragment }) => fragment === values[column])?.nodes ?? [])),
    ),
  )

describe('merged cells', () => {
  test('keep their row if rows are stored in another order than displayed', () => {
    const rows = {
      x: { orderIndex: '000003', values: { c1: 'x1', c2: 'x2' } },
      y: { orderIndex: '000001', values: { c1: 'y1', c2: 'y2' } },
      z: { orderIndex: '000002', values: { c1: 'z1', c2: 'z2' } },
    }
    const cells = Object.fromEntries(['x1', 'x2', 'y1', 'y2', 'z1', 'z2'].map((name) => [name, [textParagraph(name)]]))
    const table = tableOf([text('c1'), text('c2')], rows, cells)
    const merged: Table = {
      ...table,
      data: { ...table.data, cellMerges: [{ anchor: { record: 'z', column: 'c2' }, rowSpan: 2, colSpan: 1 }] },
    }
    const printed = print([merged])
    expect(printed).toContain(
      '<tr><td>y1</td><td>y2</td></tr><tr><td>z1</td><td rowspan="2">z2</td></tr><tr><td>x1</td><td>x2</td></tr>',
    )
    const read = tableIn(printed)
    expect(read.data.cellMerges).toEqual([{ anchor: { record: 'r2', column: 'c2' }, rowSpan: 2, colSpan: 1 }])
    expect(print([read])).toBe(printed)
  })

  const titles = '<thead><tr><th>A</th><th>B</th><th>C</th></tr></thead>'

  test('have the same positions as in browsers', () => {
    const rows =
      '<tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr><tr><td>e</td><td>f</td><td>g</td></tr>'
    const source = `<table>${titles}<tbody>${rows}</tbody></table>`
    const table = tableIn(source)
    expect(grid(table)).toEqual([
      ['a', 'b', ''],
      ['', 'c', 'd'],
      ['e', 'f', 'g'],
    ])
    expect(table.data.cellMerges).toEqual([
      { anchor: { record: 'r1', column: 'c1' }, rowSpan: 2, colSpan: 1 },
      { anchor: { record: 'r1', column: 'c2' }, rowSpan: 1, colSpan: 2 },
    ])
    expect(print([table])).toBe(`${source}\n`)
  })

  test('are printed together with the nonempty cells that they cover', () => {
    const rows = '<tr><td colspan="2">a</td><td>b</td><td>c</td></tr><tr><td>d</td><td>e</td><td>f</td></tr>'
    const source = `<table>${titles}<tbody>${rows}</tbody></table>`
    const table = tableIn(source)
    expect(grid(table)).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ])
    expect(print([table])).toBe(`${source}\n`)
  })

  test('a header that spans several columns is the title of the first one', () => {
    const head = '<thead><tr><th colspan="2">A</th><th>B</th></tr></thead>'
    const table = tableIn(`<table>${head}<tbody><tr><td>a</td><td>b</td><td>c</td></tr></tbody></table>`)
    expect(Object.values(table.data.definition).map(({ title }) => title)).toEqual(['A', '', 'B'])
    expect(grid(table)).toEqual([['a', 'b', 'c']])
  })

  test('of generated tables are unchanged after printing and parsing', () => {
    const chance = seededRandom(7)
    for (let round = 0; round < 300; round++) {
      const [columns, rows] = [randomInteger(chance, 1, 5), randomInteger(chance, 1, 6)]
      const table = large(rows, [], columns)
      const emptied = table.fragments.map((one) => (chance() < 0.5 ? one : { ...one, nodes: [] }))
      const places = Object.keys(table.data.records).flatMap((record) =>
        Object.keys(table.data.definition).map((column) => ({ record, column })),
      )
      const cellMerges = places
        .filter(() => chance() < 0.15)
        .map((anchor) => ({ anchor, rowSpan: randomInteger(chance, 1, 3), colSpan: randomInteger(chance, 1, 3) }))
        .filter(({ rowSpan, colSpan }) => rowSpan > 1 || colSpan > 1)
      const merged = { ...table, data: { ...table.data, cellMerges }, fragments: emptied }
      const read = tableIn(print([{ ...merged, data: { ...merged.data, fullWidth: true } }]))
      expect(read.fragments).toEqual(merged.fragments)
      expect(read.data.cellMerges ?? []).toEqual(cellMerges)
    }
  })

  test.each(['x', '0', '-2', '51', '1.5'])('ignore an invalid span of "%s"', (span) => {
    const { cellMerges } = tableIn(htmlCell('a').replace('<td>', `<td rowspan="${span}" colspan="${span}">`)).data
    expect(cellMerges).toBeUndefined()
  })
})

const links = (...destinations: string[]) => destinations.map((one) => `<a href="${one}">${one}</a>`).join('')
const filesCell = (inner: string) => htmlCell(inner).replace('<th>', '<th data-type="files">')
const usersCell = (inner: string) => htmlCell(inner).replace('<th>', '<th data-type="users">')

describe('cells of files and users', () => {
  /** References of a repository with one image. */
  const repository: References = {
    resolve: (destination) =>
      destination === '../assets/a b.png'
        ? { kind: 'file', file: 'f1' }
        : (parseStableDestination(destination) ?? { kind: 'url', url: destination }),
    print: (ref) => (ref.kind === 'file' && ref.file === 'f1' ? '../assets/a b.png' : printStableDestination(ref)),
  }

  test('store files by id and other destinations by URL', () => {
    const source = filesCell(links('../assets/a b.png', '/files/f2', 'https://example.com/c.png', '../gone.png'))
    const table = tableIn(source, repository)
    expect(table.data.records['r1']?.values['c1']).toEqual(['f1', 'f2', 'https://example.com/c.png', '../gone.png'])
    expect(print([table], repository)).toBe(source)
  })

  test('store a relative URL that looks like an id with a leading "./"', () => {
    const table = tableIn(filesCell(links('logo')), repository)
    expect(table.data.records['r1']?.values['c1']).toEqual(['./logo'])
    expect(print([table], repository)).toBe(filesCell(links('./logo')))
  })

  test('add their files to the references of the document', () => {
    const document = parse(filesCell(links('../assets/a b.png', 'https://x')), repository)
    expect(collectReferences(document).map(({ ref }) => ref)).toEqual([
      { kind: 'file', file: 'f1' },
      { kind: 'url', url: 'https://x' },
    ])
    const moved = mapReferences(document, (ref) => (ref.kind === 'file' ? { kind: 'file', file: 'f9' } : ref))
    expect(printPage({ document: moved }, repository)).toBe(filesCell(links('/files/f9', 'https://x')))
  })

  test('store users by id', () => {
    const table = tableIn(usersCell(links('/users/u1', 'https://app.gitbook.com/u/u2', 'https://example.com/u3')))
    expect(table.data.records['r1']?.values['c1']).toEqual(['u1', 'u2', 'https://example.com/u3'])
    expect(print([table])).toBe(usersCell(links('/users/u1', '/users/u2', 'https://example.com/u3')))
  })
})

describe('column titles', () => {
  test.each(['*a*', '<b>', 'a|b', '[x](y)', 'two\nlines', '\\', '`c`', '$$x$$'])(
    '%j is printed and parsed as plain text',
    (title) => {
      const table = tableOf([text('c1', title)], { r1: { orderIndex: '000001', values: { c1: 'r1c1' } } }, { r1c1: [] })
      expect(tableIn(print([table])).data.definition['c1']?.title).toBe(title)
    },
  )

  test('blank lines in titles, options and alternative texts do not end the table', () => {
    const words = 'a\n\nb'
    const columns: ColumnDefinition[] = [
      text('c1', words),
      { id: 'c2', title: words, type: 'select', options: [{ value: words, label: words }] },
      { id: 'c3', title: words, type: 'image' },
    ]
    const image = { ref: { kind: 'url', url: 'a.png' }, alt: words } as const
    const row = { orderIndex: '000001', values: { c1: 'r1c1', c2: [words], c3: image } }
    const table = tableOf(columns, { r1: row }, { r1c1: [textParagraph(words)] })
    expect(tableIn(print([table]))).toEqual(table)
  })
})

const large = (rows: number, extra: readonly Block[], width = 10): Table => {
  const columns = Array.from({ length: width }, (_, index) => text(`c${index + 1}`))
  const records = Array.from({ length: rows }, (_, row) => ({
    orderIndex: String(row + 1).padStart(6, '0'),
    values: Object.fromEntries(columns.map(({ id }) => [id, `r${row + 1}${id}`])),
  }))
  const cells = records.flatMap(({ values }) =>
    Object.values(values).map((name) => [name, [textParagraph('a'), ...extra]]),
  )
  const named = Object.fromEntries(records.map((record, row) => [`r${row + 1}`, record]))
  return tableOf(columns, named, Object.fromEntries(cells) as Record<string, Block[]>)
}

// Searching the whole table for each cell would exceed the test timeout.
test('prints and parses large tables within the test timeout', () => {
  for (const extra of [[], [textParagraph('b')]]) {
    const table = large(extra.length === 0 ? 2000 : 5000, extra)
    const merges = Object.keys(table.data.records).map((record) => ({
      anchor: { record, column: 'c1' },
      rowSpan: 1,
      colSpan: 2,
    }))
    const merged: Table = extra.length === 0 ? table : { ...table, data: { ...table.data, cellMerges: merges } }
    const read = tableIn(print([merged]))
    expect(isEqualContent(read.fragments, merged.fragments)).toBe(true)
  }
})

test.each([
  ['HTML', `<table><thead><tr>${'<th>a</th>'.repeat(3000)}</tr></thead>${'<tr><td>b</td></tr>'.repeat(3000)}</table>`],
  ['titles that span', `<table><tr>${'<th colspan="50">a</th>'.repeat(5000)}</tr></table>`],
  ['pipes', `|${'a|'.repeat(3000)}\n|${'-|'.repeat(3000)}\n${'|b|\n'.repeat(3000)}`],
])('does not parse an oversized, almost empty table as a table: %s', (_, source) => {
  const document = parse(source)
  expect(document.nodes.map(({ type }) => type)).not.toContain('table')
  expect(documentText(document).length).toBeGreaterThan(5000)
})
