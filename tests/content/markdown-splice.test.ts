import { describe, expect, test } from 'vitest'
import { leaf, paragraph } from '../../src/content/document/build.ts'
import type { Block, Document } from '../../src/content/document/nodes.ts'
import { type ParsedPage, parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'

const options = { references: verbatimReferences, isExpression: () => true }
const parse = (source: string) => parsePage(source, options)

/** Prints edited blocks over their source and checks that the result parses to the edited page. */
function edit(source: string, change: (blocks: readonly Block[]) => readonly Block[], head: Partial<ParsedPage> = {}) {
  const before = parse(source)
  const page = { ...before, ...head, document: { ...before.document, nodes: change(before.document.nodes) } }
  const result = splicePage(source, page, options)
  const after = parse(result)
  expect({ title: after.title, document: after.document }).toEqual({ title: page.title, document: page.document })
  return result
}

const text = (value: string): Block => paragraph([{ object: 'text', leaves: [leaf(value)] }])
const list = (value: string): Block => ({
  object: 'block',
  type: 'list-unordered',
  nodes: [{ object: 'block', type: 'list-item', nodes: [text(value)] }],
})

function keyed(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) => {
    const reordered = Object.fromEntries(Object.entries(block).toReversed())
    return { ...reordered, key: `k${index}` } as unknown as Block
  })
}

function annotated(word: string, body: string): Block {
  return paragraph([
    {
      object: 'inline',
      type: 'annotation',
      nodes: [{ object: 'text', leaves: [leaf(word)] }],
      fragments: [{ object: 'fragment', type: 'annotation-body', nodes: [text(body)] }],
    },
  ])
}

const untidy = `---
foo:   [a]
description: x
---


The   Title
===========
- one
- two


*Soft* text
goes on.
### Heading ###
| a | b |
|--|:-:|
| 1 | 2 |

    indented code
`

describe('printing over a source', () => {
  test('returns the source if nothing was edited', () => {
    expect(edit(untidy, (blocks) => blocks)).toBe(untidy)
  })

  test('replaces only the edited block', () => {
    expect(edit(untidy, (blocks) => blocks.with(1, text('New.')))).toBe(untidy.replace('*Soft* text\ngoes on.', 'New.'))
  })

  test('inserts a block', () => {
    expect(edit(untidy, (blocks) => blocks.toSpliced(3, 0, text('New.')))).toBe(
      untidy.replace('### Heading ###\n', '### Heading ###\n\nNew.\n\n'),
    )
  })

  test('removes a block', () => {
    expect(edit(untidy, (blocks) => blocks.toSpliced(3, 1))).toBe(
      untidy.replace('\n| a | b |\n|--|:-:|\n| 1 | 2 |', ''),
    )
  })

  test('keeps the source of a moved block', () => {
    expect(edit(untidy, (blocks) => [...blocks.slice(1), ...blocks.slice(0, 1)])).toContain(
      '\n    indented code\n\n- one\n- two\n',
    )
  })

  test('replaces the title', () => {
    expect(edit(untidy, (blocks) => blocks, { title: 'Other' })).toBe(
      untidy.replace('The   Title\n===========', '# Other'),
    )
  })

  test('removes a title and adds a title', () => {
    expect(edit('# T\n\nText\n', (blocks) => blocks, { title: undefined })).toBe('Text\n')
    expect(edit('- a\n', (blocks) => blocks, { title: 'T' })).toBe('# T\n\n- a\n')
  })

  test('replaces and removes the front matter', () => {
    const result = edit(untidy, (blocks) => blocks, { frontMatter: 'description: y' })
    expect(result).toBe(untidy.replace('foo:   [a]\ndescription: x', 'description: y'))
    expect(edit(untidy, (blocks) => blocks, { frontMatter: undefined })).toBe(untidy.slice(untidy.indexOf('The')))
  })

  test('ignores keys and the order of fields', () => {
    const before = parse(untidy)
    const document: Document = { ...before.document, nodes: keyed(before.document.nodes) }
    expect(splicePage(untidy, { ...before, document }, options)).toBe(untidy)
  })
})

describe('unedited bytes', () => {
  test('keeps line endings and uses them for new blocks', () => {
    const source = '# T\r\n\r\nSoft\r\ntext\r\n\r\n- a\r\n- b\r\n'
    const result = edit(source, (blocks) =>
      [...blocks, { ...list('x'), type: 'list-tasks' } as Block, text('New')].toSpliced(2, 1),
    )
    expect(result).toBe('# T\r\n\r\nSoft\r\ntext\r\n\r\n- a\r\n- b\r\n\r\nNew\r\n')
  })

  test('keeps the line endings of unchanged and changed front matter', () => {
    const source = '---\r\na: 1\r\nb: 2\r\n---\r\n\r\n# T\r\n\r\n- a\r\n'
    expect(edit(source, (blocks) => [...blocks, text('New')])).toBe(`${source}\r\nNew\r\n`)
    expect(edit(source, (blocks) => blocks, { frontMatter: 'a: 1\nb: 3' })).toBe(source.replace('b: 2', 'b: 3'))
    expect(edit(source, (blocks) => blocks, { frontMatter: 'a: 1\nb: 2' })).toBe(source)
  })

  test('does not add a missing newline at the end of the file', () => {
    expect(edit('One\n\nTwo', (blocks) => blocks.with(0, text('1')))).toBe('1\n\nTwo')
    expect(edit('One\n\nTwo', (blocks) => blocks.with(1, text('2')))).toBe('One\n\n2')
  })

  test('keeps decomposed letters and zero-width characters', () => {
    const source = 'Cafe\u0301 \u200bx\u00a0y\n\nTwo\n'
    expect(edit(source, (blocks) => blocks.with(1, text('2')))).toBe('Cafe\u0301 \u200bx\u00a0y\n\n2\n')
  })
})

describe('adjacent blocks', () => {
  test('lists that become adjacent remain separate lists', () => {
    expect(edit('* a\n\nText\n\n* b\n', (blocks) => blocks.toSpliced(1, 1))).toBe('* a\n\n- b\n')
  })

  test('a list inserted next to a list is a separate list', () => {
    expect(edit('* a\n\nText\n', (blocks) => blocks.toSpliced(1, 0, list('b')))).toBe('* a\n\n- b\n\nText\n')
    expect(edit('Text\n\n* a\n', (blocks) => blocks.toSpliced(1, 0, list('b')))).toBe('Text\n\n- b\n\n* a\n')
  })

  test('an unclosed code fence is closed before an inserted block', () => {
    expect(edit('Text\n\n```\ncode', (blocks) => [...blocks, text('New')])).toBe('Text\n\n```\ncode\n```\n\nNew')
  })

  test('link definitions remain when a neighboring block is removed', () => {
    const source = 'A [link][x].\n\nGone\n\n[x]: https://example.com\n\nLast\n'
    expect(edit(source, (blocks) => blocks.toSpliced(1, 1))).toBe('A [link][x].\n\n[x]: https://example.com\n\nLast\n')
  })
})

describe('footnotes', () => {
  const source =
    'A word[^1] and more[^note].\n\nOther\n\n[^1]: First\n\n[^note]:   Second\n    block\n\n[^unused]: Never\n'
  test('are unchanged after an edit of another block', () => {
    expect(edit(source, (blocks) => blocks.with(1, text('New')))).toBe(source.replace('Other', 'New'))
  })

  test('keep their labels when the surrounding text is edited', () => {
    const result = edit(source, ([first, ...rest]) => {
      if (first?.type !== 'paragraph') return rest
      return [paragraph([{ object: 'text', leaves: [leaf('Now: ')] }, ...first.nodes.slice(1)]), ...rest]
    })
    expect(result).toBe(source.replace('A word', 'Now: word'))
  })

  test('keep their label and position when their own text is edited', () => {
    const result = edit(source, (blocks) => [annotated('word', 'Changed'), ...blocks.slice(1)])
    expect(result).toBe('word[^1]\n\nOther\n\n[^1]: Changed\n\n[^unused]: Never\n')
  })

  test('get a new label when they are added', () => {
    const result = edit(source, (blocks) => [...blocks, annotated('new', 'Third')])
    expect(result).toBe(source.replace('Other\n', 'Other\n\nnew[^2]\n') + '\n[^2]: Third\n')
  })

  test('are removed with the last block that refers to them', () => {
    expect(edit(source, (blocks) => blocks.slice(1))).toBe('Other\n\n[^unused]: Never\n')
  })

  test('are printed once even if they are referenced thousands of times', () => {
    const often = `${'a[^1] '.repeat(3000)}\n\nOther\n\n[^1]: ${'word '.repeat(3000)}\n`
    const result = edit(often, (blocks) => [...blocks, text('New')])
    expect(result.length).toBeLessThan(often.length + 100)
  })
})

test('prints 3000 reordered blocks over their source within the test timeout', () => {
  const source = Array.from({ length: 3000 }, (_, index) => `Text **${index}** of a page.\n`).join('\n')
  const result = edit(source, (blocks) => blocks.toReversed())
  expect(result.startsWith('Text **2999** of a page.\n\nText **2998**')).toBe(true)
})

/** Adds a word behind another one, wherever that is in the page. */
function addBehind(source: string, word: string): string {
  const before = parse(source)
  const json = JSON.stringify(before.document)
  expect(json.split(word)).toHaveLength(2)
  const document = JSON.parse(json.replace(word, `${word} Zebra`)) as Document
  const result = splicePage(source, { ...before, document }, options)
  expect(parse(result).document).toEqual(document)
  return result
}

/** Adds a word to the text of a link. */
function addToLink(source: string, address: string): string {
  const before = parse(source)
  const json = JSON.stringify(before.document).replace(`"text":"${address}"`, `"text":"${address} Zebra"`)
  return splicePage(source, { ...before, document: JSON.parse(json) as Document }, options)
}

describe('a word added to a text', () => {
  const definition = '\n\n[Knot]: knot.md\n'
  test.each([
    ['a reference', `Tie the\n[Knot][] *now*,\nor later.${definition}`, 'Knot', '[Knot Zebra][Knot] *now*,'],
    ['a short reference', `Tie the\n[Knot] __now__,\nor later.${definition}`, 'Knot', '[Knot Zebra][Knot] __now__,'],
    ['a URL', 'See\n<https://a.example/>,\nplease.\n', 'See', 'See Zebra'],
    ['a line', 'Tie the\n[Knot](x.md)\nnow.\n', 'Tie the', 'Tie the Zebra'],
    [
      'a cell beside references',
      `| A | B |\n|--|--|\n| one | [Knot][] |\n| two | [Knot] |${definition}`,
      'two',
      '| two Zebra | [Knot] |',
    ],
    [
      'HTML beside other blocks',
      '<h1 align="center">\n  <img src="a.png">\n  Knots</h1>\n<p align="center">\n  Hemp<br/>rope\n</p>\n',
      'Knots',
      '  Knots Zebra</h1>',
    ],
    [
      'a footnote of several blocks',
      'Hemp[^1] and *sisal*[^2].\n\n[^1]: From *hemp*, see https://a.example/hemp_rope\n\n    Wet __ropes__ hold\\\n    better.\n\n    - one\n    - two\n[^2]: From\n    agaves\n',
      'Wet',
      '    Wet Zebra __ropes__ hold\\',
    ],
    [
      'a footnote that begins below its label',
      'Hemp[^1]\r\n\r\n[^1]:\r\n    See *here*\r\n\r\n    and <b>there</b>\r\n',
      'See',
      '    See Zebra *here*\r',
    ],
    ['code with two kinds of newlines', 'x\r\n\r\n```js\r\none\ntwo\n```\r\n\r\ny\r\n', 'two', 'two Zebra'],
  ])('of %s changes only its line', (_, source, word, expected) => {
    const [before, after] = [source.split('\n'), addBehind(source, word).split('\n')]
    expect(after.filter((line, index) => line !== before[index])).toEqual([expected])
    expect(after).toHaveLength(before.length)
  })

  test('that is a URL or an address turns only that one into a link with a text', () => {
    expect(addToLink('Write to\nme@a.example or *see*\n<https://b.example/x>.\n', 'me@a.example')).toBe(
      'Write to\n[me@a.example Zebra](mailto:me@a.example) or *see*\n<https://b.example/x>.\n',
    )
    expect(
      addToLink('| A | B |\n|--|--|\n| <https://b.example> | https://c.example |\n| *x* | y |\n', 'https://c.example'),
    ).toBe('| A | B |\n|--|--|\n| <https://b.example> | [https://c.example Zebra](https://c.example) |\n| *x* | y |\n')
  })
})
