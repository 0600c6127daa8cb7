import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/content/document/nodes.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { splicePage } from '../../src/content/markdown/splice.ts'

const options = { references: verbatimReferences, isExpression: (source: string) => !source.includes('??!') }
const parse = (source: string) => parsePage(source, options)

/** Returns a block as a short text: the types of containers and the texts of paragraphs. */
function shapeOf(block: Block): string {
  if (block.type === 'paragraph')
    return block.nodes
      .map((node) => (node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : ''))
      .join('')
  const inner = 'nodes' in block ? (block.nodes as readonly Block[]) : []
  return `${block.type}(${block.type === 'code' ? '' : inner.map(shapeOf).join(', ')})`
}
const shape = (source: string) => parse(source).document.nodes.map(shapeOf).join(' | ')

describe('tags in list items and quotes', () => {
  test.each([
    ['* a\n  {% if x %}\n  b\n  {% endif %}\n* c\n', 'list-unordered(list-item(a, if(b)), list-item(c))'],
    ['* {% if x %}\n  b\n  {% endif %}\n* c\n', 'list-unordered(list-item(if(b)), list-item(c))'],
    ['* a {% if x %}\n  b\n  {% endif %}\n* c\n', 'list-unordered(list-item(a, if(b)), list-item(c))'],
    ['* {% if x %}b{% endif %}\n* c\n', 'list-unordered(list-item(if(b)), list-item(c))'],
    ['1. {% if x %} b\n   more {% endif %}\n2. c\n', 'list-ordered(list-item(if(b more)), list-item(c))'],
    ['* {% hint style="info" %}\n  b {% endhint %}\n* c\n', 'list-unordered(list-item(hint(b)), list-item(c))'],
    [
      '* a\n  * b {% if x %}\n    c {% endif %}\n* d\n',
      'list-unordered(list-item(a, list-unordered(list-item(b, if(c)))), list-item(d))',
    ],
    ['> * a {% if x %}\n>   b {% endif %}\n> * c\n', 'blockquote(list-unordered(list-item(a, if(b)), list-item(c)))'],
    ['> {% if x %} quoted {% endif %}\n', 'blockquote(if(quoted))'],
    ['* [ ] a {% if x %}\n  b {% endif %}\n', 'list-tasks(list-item(a, if(b)))'],
    [
      '1. a\n\n   {% tabs %}\n   {% tab title="x" %}\n   t {% endtab %}\n   {% endtabs %}\n2. b\n',
      'list-ordered(list-item(a, tabs(tabs-item(t))), list-item(b))',
    ],
    ['1. a {% code title="t" %}\n   ```js\n   x\n   ```\n   {% endcode %}\n', 'list-ordered(list-item(a, code()))'],
  ])('are parsed as containers and printed stably: %j', (source, expected) => {
    expect(shape(source)).toBe(expected)
    const page = parse(source)
    const printed = printPage(page, verbatimReferences)
    expect(parse(printed).document).toEqual(page.document)
    expect(printPage(parse(printed), verbatimReferences)).toBe(printed)
    expect(splicePage(source, page, options)).toBe(source)
  })

  test.each([
    '* close with {% endif %}\n* and {% if x %}\n',
    '* a {% if x %}\n* b {% endif %}\n',
    '* a {% if x %}\n\nb {% endif %}\n',
    '* use `{% if x %}` and `{% endif %}`\n',
    '* {% if a ??! %}text{% endif %}\n',
    '* a {% if x %}b{% endif %} c\n',
    'text {% if x %}\nb {% endif %}\n',
  ])('are kept as text if they do not enclose blocks of one item: %j', (source) => {
    expect(JSON.stringify(parse(source).document)).not.toContain('"type":"if"')
    expect(shape(source)).toContain('{%')
    const page = parse(source)
    expect(parse(printPage(page, verbatimReferences)).document).toEqual(page.document)
  })

  test.each([
    [
      '{% hint style="info" %}\n\n- b\n- c\n  {% endhint %}\n\nd\n',
      'hint(list-unordered(list-item(b), list-item(c))) | d',
    ],
    [
      '{% tabs %}\n{% tab title="x" %}\n\n- b\n  {% endtab %}\n  {% tab title="y" %}\n- c\n  {% endtab %}\n  {% endtabs %}\n\nd\n',
      'tabs(tabs-item(list-unordered(list-item(b))), tabs-item(list-unordered(list-item(c)))) | d',
    ],
    [
      '{% stepper %}\n{% step %}\n1. b\n   * c\n     {% endstep %}\n     {% step %}\n\n### d\n\ne\n{% endstep %}\n{% endstepper %}\n',
      'stepper(stepper-step(list-ordered(list-item(b, list-unordered(list-item(c))))), stepper-step(heading-2(undefined()), e))',
    ],
    [
      '{% columns %}\n{% column %}\n{% hint style="info" %}\n* b\n  {% endhint %}\n  {% endcolumn %}\n\n{% column %}\nc\n{% endcolumn %}\n{% endcolumns %}\n',
      'columns(column(hint(list-unordered(list-item(b)))), column(c))',
    ],
    // The text below the tags was directly below them before it was indented, too.
    [
      '{% hint style="info" %}\n* b\n  {% endhint %}\n  {% hint style="info" %}\n  c\n  {% endhint %}\n',
      'hint(list-unordered(list-item(b))) | hint(c)',
    ],
    [
      '{% hint style="info" %}\n* b\n\n  ```\n  x\n  ```\n\n  {% endhint %}\n',
      'hint(list-unordered(list-item(b, code())))',
    ],
    ['{% hint style="info" %}\n-\tb\n-\tc\n\t{% endhint %}\n', 'hint(list-unordered(list-item(b), list-item(c)))'],
    // A closing tag that is code behind the item, because the content of the block is not indented.
    [
      '1. b\n    {% hint style="info" %}\nc\n    {% endhint %}\n1. d\n',
      'list-ordered(list-item(b, hint(c)), list-item(d))',
    ],
  ])('are closed by a tag that is indented like the list above it: %j', (source, expected) => {
    expect(shape(source)).toBe(expected)
    const page = parse(source)
    expect(parse(printPage(page, verbatimReferences)).document).toEqual(page.document)
    expect(splicePage(source, page, options)).toBe(source)
    const edited = JSON.parse(
      JSON.stringify(page.document).replace('"text":"b"', '"text":"edited"'),
    ) as typeof page.document
    expect(splicePage(source, { ...page, document: edited }, options)).toBe(
      source.replace(/([-*.]\s)b\n/, '$1edited\n'),
    )
  })

  test('are kept as text if no tag below the list is left for them', () => {
    const source = '{% hint style="info" %}\na\n{% endhint %}\n\n* b\n  {% endhint %}\n'
    expect(shape(source)).toBe('hint(a) | list-unordered(list-item(b, {% endhint %}))')
  })

  test('are kept as text if they are escaped or not closed', () => {
    const source = '* a \\{% if x %}\n  b \\{% endif %}\n'
    const page = parse(source)
    expect(shape(source)).toBe('list-unordered(list-item(a {% if x %} b {% endif %}))')
    expect(parse(printPage(page, verbatimReferences)).document).toEqual(page.document)
    const around = '* {% hint style="info" %}\n  a {% hint %}\n  {% endhint %}\n'
    expect(shape(around)).toBe('list-unordered(list-item(hint(a {% hint %})))')
  })

  test('do not shift the source ranges of blocks', () => {
    const source = '* a {% if x %}\n  b {% endif %}\n\nbehind *it*\n'
    expect(parse(source).locatedBlocks.map(({ start, end }) => source.slice(start, end).trim())).toEqual([
      '* a {% if x %}\n  b {% endif %}',
      'behind *it*',
    ])
  })
})
