import { describe, expect, test } from 'vitest'
import { leaf, paragraph } from '../../src/content/document/build.ts'
import type { Block, Document, InlineNode, ListItem, Table } from '../../src/content/document/nodes.ts'
import { mapNodes } from '../../src/content/document/walk.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'

const options = { references: verbatimReferences, isExpression: () => true }

/** Prints an edited document over its source and checks that the result parses to the edited document. */
function edit(source: string, change: (document: Document) => Document): string {
  const page = parsePage(source, options)
  const document = change(page.document)
  const result = splicePage(source, { ...page, document }, options)
  expect(parsePage(result, options).document).toEqual(document)
  return result
}

const inText = (from: string, to: string) => (node: InlineNode) =>
  node.object === 'text'
    ? { ...node, leaves: node.leaves.map((one) => ({ ...one, text: one.text.replace(from, to) })) }
    : node

/** Returns an edit that replaces text wherever it occurs. */
const replace = (from: string, to: string) => (document: Document) => ({
  ...document,
  nodes: mapNodes(document.nodes, (block) => block, inText(from, to)),
})

/** Returns an edit of all blocks of a type. */
const change =
  <Type extends Block['type']>(
    type: Type,
    edited: (block: Extract<Block, { type: Type }>) => Block | readonly Block[],
  ) =>
  (document: Document): Document => ({
    ...document,
    nodes: mapNodes(
      document.nodes,
      (block) => (block.type === type ? edited(block as Extract<Block, { type: Type }>) : block),
      (node) => node,
    ),
  })

const text = (value: string): Block => paragraph([{ object: 'text', leaves: [leaf(value)] }])
const item = (value: string): ListItem => ({ object: 'block', type: 'list-item', nodes: [text(value)] })

const checked = (value: string) =>
  change('list-item', (one) => (JSON.stringify(one).includes(value) ? { ...one, data: { checked: true } } : one))

const lines = (values: string[]) =>
  change('code', (code) => ({
    ...code,
    nodes: values.map((value) => ({
      object: 'block',
      type: 'code-line',
      nodes: value === '' ? [] : [{ object: 'text', leaves: [leaf(value)] }],
    })),
  }))

const syntax = (value: string) => change('code', (code) => ({ ...code, data: { ...code.data, syntax: value } }))

/** Returns an edit of the rows of a table, each an array of the blocks of its cells. */
const rows = (edited: (rows: Block[][][]) => Block[][][]) =>
  change('table', (table): Table => {
    const columns = Object.keys(table.data.definition)
    const bodies = new Map(table.fragments.map(({ fragment, nodes }) => [fragment, nodes]))
    const before = Object.values(table.data.records).map(({ values }) =>
      columns.map((column) => [...(bodies.get(values[column] as string) ?? [])]),
    )
    const after = edited(before)
    return {
      ...table,
      data: {
        ...table.data,
        records: Object.fromEntries(
          after.map((_, index) => [
            `r${index + 1}`,
            {
              orderIndex: String(index + 1).padStart(6, '0'),
              values: Object.fromEntries(columns.map((column) => [column, `r${index + 1}${column}`])),
            },
          ]),
        ),
      },
      fragments: after.flatMap((row, index) =>
        row.map((nodes, column) => ({
          object: 'fragment' as const,
          fragment: `r${index + 1}${columns[column]}`,
          nodes,
        })),
      ),
    }
  })

/** Replaces text and checks that nothing else changes in the source. */
function expectWords(source: string, from = 'old', to = 'new words') {
  expect(edit(source, replace(from, to))).toBe(source.replace(from, to))
}

describe('replacing words', () => {
  test('keeps the line breaks of a paragraph', () => {
    expectWords('One line of *text* that\ngoes on with an old word\nand __ends__ here.\n')
  })

  test('keeps escapes, delimiters and entities as written', () => {
    expectWords('A 2 \\* 3 and *old* __strong__ `code` [link]( <a.md> "title" ) &copy; \\! \n')
  })

  test('keeps the style of headings', () => {
    expectWords('An old heading\n---\n\n### Other ###\n')
    expectWords('Text\n\n### An old heading ###\nText\n')
  })

  test('escapes words that would start another block', () => {
    expect(edit('Some old\nwords\n', replace('Some old', '# New'))).toBe('\\# New\nwords\n')
  })

  test('keeps the markers of quotes', () => {
    expectWords('> A quote\n> with an old\nline\n>\n> > inside\n> > another\n')
    expectWords('>no blanks\n>and old words\n>\n>- item\n')
  })

  test('keeps the surrounding HTML', () => {
    expectWords('<p align="center">\n  Some <b>old</b> words\n</p>\n')
    expectWords('<ul>\n  <li>One</li>\n  <li>An old <i>item</i></li>\n</ul>\n')
    expectWords('<figure><img src="a.png" alt="x"><figcaption>\n<p>An old caption</p></figcaption></figure>\n')
    expectWords('<details>\n<summary>Title</summary>\n<p>Old and old</p>\n</details>\n')
  })
})

describe('lists', () => {
  const source = '+ One\n+ Two\n  wrapped\n    + Inside\n    + Other\n+   Three\n\n\n+ Four\n'

  test('keep their markers and indentation when words are replaced', () => {
    expectWords(source, 'wrapped', 'changed')
    expectWords(source, 'Inside', 'changed')
    expectWords(source, 'Four', 'changed')
  })

  test('print inserted items in the style of their neighbors', () => {
    const added = change('list-unordered', (list) => ({
      ...list,
      nodes: list.nodes.flatMap((one) =>
        JSON.stringify(one).includes('"Other"') && one.nodes.length === 1 ? [one, item('New')] : [one],
      ),
    }))
    expect(edit(source, added)).toBe(source.replace('    + Other\n', '    + Other\n    + New\n'))
  })

  test('remove an item without changing the others', () => {
    const removed = change('list-unordered', (list) => ({
      ...list,
      nodes: list.nodes.filter((one) => !JSON.stringify(one.nodes[0]).includes('Three')),
    }))
    expect(edit(source, removed)).toBe(source.replace('+   Three\n\n\n', '\n\n'))
  })

  test('change the check mark of a task', () => {
    const tasks = '- [X] Done\n- [ ] Open\n  wrapped\n- none\n'
    expect(edit(tasks, checked('Open'))).toBe(tasks.replace('[ ]', '[x]'))
    expect(edit(tasks, checked('none'))).toBe(tasks.replace('- none', '- [x] none'))
  })

  test('renumber sequential items and keep repeated numbers', () => {
    const insert = change('list-ordered', (list) => ({ ...list, nodes: list.nodes.toSpliced(1, 0, item('New')) }))
    expect(edit('1) a\n2) b\n3) c\n', insert)).toBe('1) a\n2) New\n3) b\n4) c\n')
    expect(edit('1. a\n1. b\n1. c\n', insert)).toBe('1. a\n1. New\n1. b\n1. c\n')
    expect(edit('3. a\n4. b\n', insert)).toBe('3. a\n4. New\n5. b\n')
    expect(edit('8. a\n9. b\n\n   more\n', insert)).toBe('8. a\n9. New\n10. b\n\n    more\n')
  })

  test('keep the other blocks of an edited item', () => {
    const rich = '1.  One\n\n    ```js\n    let a\n    let b\n    ```\n\n    > quote\n2.  Two\n'
    expectWords(rich, 'let b', 'let c')
    expectWords(rich, 'quote', 'other')
    const added = change('list-item', (one) => ({
      ...one,
      nodes: one.nodes.flatMap((inner) => (inner.type === 'code' ? [inner, text('New')] : [inner])),
    }))
    expect(edit(rich, added)).toBe(rich.replace('    > quote', '    New\n\n    > quote'))
  })

  test('insert a block into an item inside a quote', () => {
    const quoted = '> * a\n> * b\n>\n>   more\n'
    const added = change('list-item', (one) =>
      one.nodes.length > 1 ? { ...one, nodes: [...one.nodes, text('New')] } : one,
    )
    expect(edit(quoted, added)).toBe(`${quoted}>\n>   New\n`)
  })
})

describe('tags', () => {
  const source = `{% updates format="full" %}

{% update   date="2026-01-01" tags="a" %}
## First

* one
- two


{% hint style="info" %}
Text
goes   ahead
{% endhint %}
{% endupdate %}
{% update date="2026-02-02" %}
| a | b |
|---|---|
| 1 | 2 |
{% endupdate %}

{% endupdates %}
`
  test('keep the source of all blocks but the edited one', () => {
    expectWords(source, 'First', 'Second')
    expectWords(source, 'two', 'three')
    expectWords(source, 'ahead', 'back')
    expect(edit(source, replace('2', '33'))).toBe(source.replace('| 2 |', '| 33 |'))
  })

  test('insert a block', () => {
    const added = change('hint', (hint) => ({ ...hint, nodes: [text('New'), ...hint.nodes] }))
    expect(edit(source, added)).toBe(source.replace('Text\ngoes', 'New\n\nText\ngoes'))
  })

  test('change only the edited attribute of the opening tag', () => {
    const warned = change('hint', (hint) => ({ ...hint, data: { style: 'warning' } }))
    expect(edit(source, warned)).toBe(source.replace('"info"', '"warning"'))
    const dated = change('update', (update) => ({ ...update, data: { ...update.data, date: '2026-03-03' } }))
    expect(edit(source, dated)).toBe(source.replace('2026-01-01', '2026-03-03').replace('2026-02-02', '2026-03-03'))
  })

  test('keep the source inside tabs, steps, columns, conditions and expandables', () => {
    const tabs =
      '{% tabs %}\n{% tab title="A" %}\n+ old\n\n\n*x*\n{% endtab %}\n\n{% tab title="B" %}\n+ b\n{% endtab %}\n{% endtabs %}\n'
    expectWords(tabs)
    const titled = change('tabs-item', (tab) => (tab.data?.title === 'B' ? { ...tab, data: { title: 'C' } } : tab))
    expect(edit(tabs, titled)).toBe(tabs.replace('"B"', '"C"'))
    expectWords('{% stepper %}\n{% step %}\n\n+ old\n\n\n*x*\n{% endstep %}\n{% endstepper %}\n')
    expectWords('{% columns %}\n{% column width="50%" %}\n\n+ old\n\n\n*x*\n{% endcolumn %}\n{% endcolumns %}\n')
    expectWords('{% if a %}\n\n+ old\n\n\n*x*\n{% endif %}\n')
    const details = '<details>\n<summary>Some title</summary>\n\n+ old\n\n\n*x*\n\n</details>\n'
    expectWords(details)
    expectWords(details, 'Some title', 'Other title')
  })

  test('keep the source inside list items', () => {
    expectWords('+ item\n\n  {% hint style="info" %}\n  + an old one\n\n\n  *x*\n  {% endhint %}\n+ next\n')
  })
})

describe('code', () => {
  test('changes only the edited line', () => {
    expectWords('Text\n\n    indented\n\n      old\n    end\n\nText\n')
    expectWords('~~~~ js title\nconst a\n\nold\n~~~~~~\n')
    expectWords('> ```\n> a\n>\n> old\n> ```\n')
    expectWords('{% code   title="x" %}\n````js\na\nold\n````\n{% endcode %}\n')
    expectWords('<pre class="language-js"><code class="lang-js">a\n<strong>old\n</strong>b &#x3C;\n</code></pre>\n')
  })

  test('inserts and removes lines', () => {
    expect(edit('Text\n\n    a\n    b\n', lines(['a', 'new', '', 'b']))).toBe('Text\n\n    a\n    new\n\n    b\n')
    expect(edit('- x\n\n  ~~~\n  a\n  b\n  ~~~\n', lines(['b', ' c']))).toBe('- x\n\n  ~~~\n  b\n   c\n  ~~~\n')
    expect(edit('```\r\na\r\nb\r\n```\r\n', lines(['a', 'new', 'b']))).toBe('```\r\na\r\nnew\r\nb\r\n```\r\n')
    // This line requires a longer fence.
    expect(edit('```\na\n```\n', lines(['a', '```']))).toBe('````\na\n```\n````\n')
  })

  test('changes its language and keeps its fence', () => {
    expect(edit('~~~~js\na\n~~~~\n', syntax('ts'))).toBe('~~~~ts\na\n~~~~\n')
    expect(edit('{% code title="x" %}\n~~~js\na\n~~~\n{% endcode %}\n', syntax('ts'))).toBe(
      '{% code title="x" %}\n~~~ts\na\n~~~\n{% endcode %}\n',
    )
  })
})

describe('tables', () => {
  const padded = '| Name  | Text |\n| :---- | ---- |\n| One   | a    |\n| Two   | *b*  |\n| Three | c    |\n'

  test('change only the edited row, which remains aligned if the column is wide enough', () => {
    expect(edit(padded, replace('Two', 'Four'))).toBe(padded.replace('| Two   |', '| Four  |'))
    expect(edit(padded, replace('Two', 'A longer name'))).toBe(padded.replace('| Two   |', '| A longer name |'))
    expectWords('a|b\n-|-\n1|old\n2|*x*\n')
    expectWords('> | a | b |\n> |--|--|\n> | 1 | old |\n> | 2 | `x \\| y` |\n')
  })

  test('keep unescaped pipes in inline code that would otherwise add cells to a row', () => {
    const source = '| a | b |\n| - | - |\n| `x || y` | one |\n| z | two |\n'
    expect(edit(source, replace('one', '1'))).toBe(source.replace('one', '1'))
  })

  test('keep rows with more cells than the header', () => {
    expectWords('| a |\n|--|\n| 1 | old |\n| *2* |\n')
  })

  test('insert and remove rows', () => {
    const inserted = rows((all) => all.toSpliced(1, 0, [[text('New')], [text('x')]]))
    expect(edit(padded, inserted)).toBe(padded.replace('| Two ', '| New   | x    |\n| Two '))
    expect(edit('a|b\n-|-\n1|2\n', inserted)).toBe('a|b\n-|-\n1|2\nNew|x\n')
    const removed = rows((all) => all.toSpliced(0, 1))
    expect(edit(padded, removed)).toBe(padded.replace('| One   | a    |\n', ''))
  })

  test('change column titles and alignments', () => {
    const retitled = change('table', (table) => ({
      ...table,
      data: {
        ...table.data,
        definition: { ...table.data.definition, c2: { id: 'c2', title: 'Note', type: 'text', textAlignment: 'right' } },
      },
    }))
    expect(edit(padded, retitled)).toBe(padded.replace('Text', 'Note').replace('| ---- |', '| ---: |'))
  })

  test('keep the other cells and the row layout of HTML tables', () => {
    const line =
      '<table data-view="cards"><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>one <b>x</b></td><td>old</td></tr><tr><td>  two</td><td><i>y</i></td></tr></tbody></table>\n'
    expectWords(line)
    const rowByRow =
      '<table>\n  <thead>\n    <tr><th>A</th><th>B</th></tr>\n  </thead>\n  <tbody>\n    <tr><td>one <b>x</b></td><td>old</td></tr>\n    <tr><td>two</td><td><i>y</i></td></tr>\n  </tbody>\n</table>\n'
    expectWords(rowByRow)
    const inserted = rows((all) => all.toSpliced(1, 0, [[text('New')], [text('z')]]))
    expect(edit(rowByRow, inserted)).toBe(
      rowByRow.replace('    <tr><td>two', '    <tr><td>New</td><td>z</td></tr>\n    <tr><td>two'),
    )
  })
})

describe('source that is not part of a block is kept', () => {
  test('next to blocks parsed from one HTML block', () => {
    expectWords('> + An old item\n>\n> <hr>\n> *words*\n>\n> Some  __text__\n')
  })

  test('between blocks inside a tag', () => {
    const source =
      '{% hint style="info" %}\nSee [x].\n\n<!-- note -->\n\nAn old line\n{% endhint %}\n\n[x]: https://example.com\n'
    expectWords(source)
  })

  test('at line ends', () => {
    expectWords('- a\r\n- b\r\n  old\r\n\r\n> x\r\n> y\r\n')
    expectWords('| a |\r\n|---|\r\n| old |\r\n| *x* |\r\n')
    const added = change('list-unordered', (list) => ({ ...list, nodes: [...list.nodes, item('New')] }))
    expect(edit('+ a\r\n+ b\r\n', added)).toBe('+ a\r\n+ b\r\n+ New\r\n')
  })
})

test('reprints a block that cannot be spliced and keeps the rest of the source', () => {
  const source = '+ a\n\nText *x*\n\n{% hint style="info" %}\n+ b\n{% endhint %}\n'
  const quoted = change('hint', ({ nodes }) => ({ object: 'block', type: 'blockquote', nodes }))
  expect(edit(source, quoted)).toBe('+ a\n\nText *x*\n\n> * b\n')
})

describe('only the lines of an edit change', () => {
  const hintCell =
    '<p>Hemp</p><div data-gb-custom-block data-tag="hint" data-style="info" class="hint hint-info"><p>Wet</p></div>'
  test.each([
    [
      'a row of a pipe table with a hint in a cell',
      `| Rope | Note |\n| --- | --- |\n| One | ${hintCell} |\n| Two | dry |\n`,
    ],
    [
      'a row of a pipe table with an expandable',
      '| A | B |\n| - | - |\n| dry | <details><summary>S</summary><p>T</p></details> |\n',
    ],
    [
      'a list in HTML',
      '<details><summary>Ropes</summary>\n<ul>\n<li><a href="dry.md">dry</a></li>\n<li>wet</li>\n</ul>\n</details>\n',
    ],
    ['one of the blocks of an element', '<div align="center">\n<h2>Ropes</h2>\n<p>Keep dry</p>\n</div>\n'],
    [
      'a description of an API method',
      '{% swagger method="get" path="/ropes" baseUrl="" summary="Ropes" %}\n{% swagger-description %}\nAll that are dry.\n\nNone else.\n{% endswagger-description %}\n\n{% swagger-parameter in="query" name="page" %}\nThe next one\n{% endswagger-parameter %}\n{% endswagger %}\n',
    ],
  ])('%s', (_, written) => {
    const source = `Before\n\n${written}\nAfter\n`
    expect(edit(source, replace('dry', 'clean'))).toBe(source.replace(/\bdry\b(?!\.md)/, 'clean'))
  })

  test('a paragraph is added to an item after one with a tag in a quote', () => {
    const source = '1. One\n2.  Two\n\n    > {% hint style="info" %}\n    > Wet\n    > {% endhint %}\n3. Three\n'
    const more = change('list-item', (one) =>
      JSON.stringify(one).includes('Three') ? { ...one, nodes: [...one.nodes, text('More')] } : one,
    )
    expect(edit(source, more)).toBe(`${source}\n   More\n`)
  })

  test('a removed block leaves no spaces of its own behind', () => {
    const without = change('paragraph', (one) => (JSON.stringify(one).includes('Gone') ? [] : one))
    expect(edit('## One\n\nGone  \n\n## Two \n\nGone\n\nLast \n', without)).toBe('## One\n\n## Two \n\nLast \n')
  })

  test('an inserted block keeps the spaces at the end of the line before it', () => {
    const inserted = change('paragraph', (one) => (JSON.stringify(one).includes('Last') ? [one, text('New')] : one))
    expect(edit('One\n\nLast  \n', inserted)).toBe('One\n\nLast  \n\nNew\n')
  })

  test('a list behind a removed block gets other markers and keeps the rest of its lines', () => {
    const without = change('heading-1', () => [])
    const first = '- one\n- two\n'
    expect(edit(`${first}\n## Gone\n\n- three\n  lines\n  - *nested*\n- four\n`, without)).toBe(
      `${first}\n* three\n  lines\n  - *nested*\n* four\n`,
    )
    expect(edit('1. one\n\n## Gone\n\n7. two\n9. three\n', without)).toBe('1. one\n\n7) two\n9) three\n')
  })

  test('a comment between updates is kept', () => {
    const source =
      '{% updates %}\n<!-- 7 -->\n{% update date="2026-01-02" %}\n- wet\n{% endupdate %}\n<!-- 6 -->\n{% update date="2026-01-01" %}\nOld\n{% endupdate %}\n{% endupdates %}\n'
    expect(edit(source, replace('wet', 'dry'))).toBe(source.replace('wet', 'dry'))
    expect(parsePage(source, options).document.nodes).toMatchObject([{ type: 'updates', nodes: [{}, {}] }])
  })
})

const append = (type: 'hint' | 'blockquote' | 'list-unordered', added: Block) =>
  change(type, (block) => ({ ...block, nodes: [...block.nodes, added] }) as Block)

describe('a block added to a container', () => {
  test.each([
    ['{% hint %}\nOne  \n{% endhint %}\n', append('hint', text('Two')), '{% hint %}\nOne  \n\nTwo\n{% endhint %}\n'],
    ['> One \n\nAfter\n', append('blockquote', text('Two')), '> One \n>\n> Two \n\nAfter\n'],
    ['* One  \n\nAfter\n', append('list-unordered', item('Two')), '* One  \n* Two  \n\nAfter\n'],
  ])('keeps the blanks at the end of the line before it: %j', (source, add, expected) => {
    expect(edit(source, add)).toBe(expected)
  })

  test('is a paragraph of its own in a hint written as HTML', () => {
    const source = '*   Tie\n\n    <div data-gb-custom-block data-tag="hint" data-style="info"><p>One</p></div>\n'
    expect(edit(source, append('hint', text('Two')))).toBe(source.replace('</p>', '</p><p>Two</p>'))
  })
})

test('an edit in a table beside a block between steps keeps the widths of its columns', () => {
  const source = `{% stepper %}
{% step %}
One
{% endstep %}

![Knot](knot.png)

{% step %}
| Rope | Age |
| --- | --- |
| Hemp | 1 |
| The longest one | 2 |
{% endstep %}
{% endstepper %}
`
  expect(edit(source, replace('longest', 'shortest'))).toBe(source.replace('longest', 'shortest'))
})
