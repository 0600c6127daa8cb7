import { InlineBuilder, addMark, createDocument, mark, paragraph } from '../../src/content/document/build.ts'
import type {
  Block,
  Document,
  InlineElement,
  InlineNode,
  Mark,
  SimpleMarkType,
} from '../../src/content/document/nodes.ts'
import { createAnchorInline, createHtmlInline } from '../../src/content/document/raw-html.ts'
import { randomInteger, seededRandom } from './random.ts'

// Constructs that Markdown cannot represent are not generated: empty paragraphs, lines in headings that end with spaces, …

/** Words and characters that have a meaning in Markdown. */
export const words = [
  'word',
  'Über',
  '中文',
  '注：',
  '“绳”',
  '🎉',
  'a_b',
  '2 * 3',
  '*',
  '_',
  '__init__',
  '`',
  '``',
  '<name>',
  '</b>',
  '&amp;',
  '&',
  '[x]',
  '](y)',
  '![',
  '~~',
  '~',
  '$',
  '$$',
  '\\',
  '\\n',
  '#',
  '##',
  '-',
  '+',
  '1.',
  '1)',
  '>',
  '|',
  '=',
  '---',
  ':tada:',
  ':',
  '{% hint %}',
  '{% endhint %}',
  '{% raw %}',
  '{% endraw %}',
  '{% /raw %}',
  '[[toc]]',
  ':::note',
  ':::',
  '!!! note',
  '??? tip "x"',
  '<Note>',
  '</Note>',
  '<Tab label="x">',
  '<Widget />',
  '<Tip a="b">',
  '</Tip>',
  '{{< note >}}',
  '{{< /note >}}',
  '{{% tab %}}',
  '{: .wide }',
  "import a from 'b'",
  'export const a = 1',
  '{#id}',
  '[!NOTE]',
  '{{ x }}',
  'https://example.com/a_b',
  'www.example.com',
  'me@example.com',
  '.',
  ',',
  '!',
  '"',
  "'",
  '(',
  ')',
  '/',
  '^',
  '[^1]',
  '10:30',
  '***',
  '=== "x"',
  '{ .wide }',
  '{% #id .wide %}',
  '[!tip]- x',
  '📘 x',
  '> [!note] x',
  '::: {.a} x',
  '{% if x %}',
  '{% else %}',
  '{% endif %}',
  '[block:a]',
  '%%x y%%',
  '%%x%%',
  '%%',
  '{/* x */}',
  '{/*',
  "{' '}",
  '<b style={{ a: 1 }}>',
  '[a]({{ x }})',
]
/** HTML that is kept but not rendered, without the tags of marks, which would be parsed as marks. */
const rawPieces = [
  '<!-- kept -->',
  '<u>',
  '</u>',
  '<small class="x">',
  '</small>',
  '<!---->',
  '<label for="x">',
  '</nobr>',
]
const colors: Mark[] = [
  { object: 'mark', type: 'color', data: { text: 'red' } },
  { object: 'mark', type: 'color', data: { text: 'blue', written: '<span style="color:#233c5d">' } },
  { object: 'mark', type: 'color', data: { background: 'yellow', written: '<mark>' } },
]
const marks: SimpleMarkType[] = ['bold', 'italic', 'strikethrough', 'keyboard', 'superscript', 'subscript', 'code']

/** Generates documents that Markdown can represent. */
export class DocumentGenerator {
  readonly #chance: () => number

  constructor(seed: number) {
    this.#chance = seededRandom(seed)
  }

  document(): Document {
    return createDocument(this.#blocks(3))
  }

  #number(low: number, high: number): number {
    return randomInteger(this.#chance, low, high)
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#number(0, items.length - 1)] as T
  }

  #text(): string {
    const parts = Array.from({ length: this.#number(1, 5) }, () => this.#pick(words))
    return parts.join(this.#pick(['', ' ', ' ']))
  }

  #inlines(depth: number, linked = false): InlineNode[] {
    const builder = new InlineBuilder()
    for (let count = this.#number(1, 4); count > 0; count--) {
      const choice = this.#number(0, 9)
      if (choice < 7 || depth <= 0) builder.addText(this.#edge() + this.#text() + this.#edge(), this.#marks())
      else {
        builder.addElement(this.#element(depth, linked))
        // Markdown cannot represent adjacent formulas.
        builder.addText('x', [])
      }
    }
    return trimmed(builder.build())
  }

  #edge(): string {
    return this.#pick(['', '', '', ' '])
  }

  #marks(): readonly Mark[] {
    let chosen: readonly Mark[] = []
    for (let count = this.#pick([0, 0, 1, 1, 2]); count > 0; count--) {
      const added = this.#number(0, 9) === 0 ? this.#pick(colors) : mark(this.#pick(marks))
      chosen = addMark(chosen, added)
    }
    return chosen
  }

  #element(depth: number, linked: boolean): InlineElement {
    switch (this.#number(linked ? 1 : 0, linked ? 6 : 9)) {
      case 0:
        return { object: 'inline', type: 'link', data: { ref: this.#ref() }, nodes: this.#inlines(depth - 1, true) }
      case 1:
        return {
          object: 'inline',
          type: 'emoji',
          isVoid: true,
          data: { code: this.#pick(['1f389', '2705', '1f468-200d-1f4bb']) },
        }
      case 2:
        return { object: 'inline', type: 'icon', isVoid: true, data: { icon: 'star' } }
      case 3:
        return createHtmlInline(this.#pick(rawPieces))
      case 4:
        return createAnchorInline(this.#pick(['place', 'Über', 'a_b']))
      case 5:
        return { object: 'inline', type: 'expression', isVoid: true, data: { expression: 'space.vars.a_b < 3 && "x"' } }
      case 6:
        return { object: 'inline', type: 'inline-math', isVoid: true, data: { formula: 'x^2_1' } }
      case 7:
        return { object: 'inline', type: 'mention', isVoid: true, data: { ref: this.#mentioned() } }
      case 8:
        return {
          object: 'inline',
          type: 'button',
          isVoid: true,
          data: { label: 'a_b & <c>', kind: 'primary', ref: { kind: 'url', url: 'https://example.com' } },
        }
      default:
        return {
          object: 'inline',
          type: 'inline-image',
          isVoid: true,
          data: { ref: { kind: 'url', url: 'a.png' }, alt: 'a_b [c]' },
        }
    }
  }

  #mentioned() {
    return this.#pick([
      { kind: 'url', url: 'a_b.md' },
      { kind: 'anchor', page: 'p1', anchor: 'a_b' },
      { kind: 'url', url: '../' },
    ] as const)
  }

  #ref() {
    return this.#pick([
      { kind: 'url', url: 'https://example.com/a_(b)' },
      { kind: 'url', url: 'dir/a page.md' },
      { kind: 'url', url: '/broken/pages/Xy1' },
      { kind: 'page', page: 'p1' },
    ] as const)
  }

  #blocks(depth: number): Block[] {
    return Array.from({ length: this.#number(1, 4) }, () => this.#block(depth))
  }

  #block(depth: number): Block {
    const choice = this.#number(0, depth > 0 ? 14 : 4)
    switch (choice) {
      case 0:
      case 1:
        return paragraph(withText(this.#inlines(1)))
      case 2:
        return {
          object: 'block',
          type: this.#pick(['heading-1', 'heading-2', 'heading-3'] as const),
          nodes: this.#inlines(1),
        }
      case 3:
        return { object: 'block', type: 'divider', isVoid: true, data: {} }
      case 4:
        return this.#code()
      case 5:
        return { object: 'block', type: 'blockquote', nodes: this.#blocks(depth - 1) }
      case 6:
        return { object: 'block', type: 'hint', data: { style: 'info' }, nodes: this.#blocks(depth - 1) }
      case 7:
        return {
          object: 'block',
          type: this.#pick(['list-unordered', 'list-ordered'] as const),
          nodes: this.#items(depth),
        }
      case 8:
        return {
          object: 'block',
          type: 'tabs',
          nodes: [
            {
              object: 'block',
              type: 'tabs-item',
              data: { title: this.#pick(['A "quoted" \\ title', this.#text()]) },
              nodes: this.#blocks(depth - 1),
            },
          ],
        }
      case 9:
        return { object: 'block', type: 'if', data: { expression: 'a === "b"' }, nodes: this.#blocks(depth - 1) }
      case 10:
        return {
          object: 'block',
          type: 'expandable',
          isVoid: true,
          data: {},
          fragments: [
            { object: 'fragment', type: 'expandable-title', nodes: [paragraph(this.#inlines(1))] },
            { object: 'fragment', type: 'expandable-body', nodes: this.#blocks(depth - 1) },
          ],
        }
      case 11:
        return this.#images()
      case 12:
        return {
          object: 'block',
          type: 'embed',
          isVoid: true,
          data: { url: 'https://example.com/a' },
          fragments: [{ object: 'fragment', type: 'caption', nodes: this.#caption() }],
        }
      case 13:
        return this.#table()
      default:
        return {
          object: 'block',
          type: 'stepper',
          nodes: [{ object: 'block', type: 'stepper-step', nodes: this.#blocks(depth - 1) }],
        }
    }
  }

  #caption(): Block[] {
    return Array.from({ length: this.#number(1, 2) }, () => paragraph(withText(this.#inlines(1))))
  }

  #images(): Block {
    const nodes = Array.from({ length: this.#number(1, 2) }, () => ({
      object: 'block' as const,
      type: 'image' as const,
      isVoid: true as const,
      data: { ref: { kind: 'url' as const, url: 'https://example.com/a.png' }, alt: this.#text() },
      fragments: [{ object: 'fragment' as const, fragment: 'caption', nodes: this.#caption() }],
    }))
    return { object: 'block', type: 'images', nodes }
  }

  /** Creates a table of text cells with the ids that parsing assigns. */
  #table(): Block {
    const columns = Array.from({ length: this.#number(1, 3) }, (_, index) => `c${index + 1}`)
    const rows = Array.from({ length: this.#number(1, 3) }, (_, index) => `r${index + 1}`)
    const isPlain = this.#number(0, 1) === 0
    const cell = () => (isPlain ? [paragraph(withText(this.#inlines(1)))] : this.#cellBlocks(1))
    const headers = columns.map((id) => (this.#number(0, 2) === 0 ? ([`r0${id}`, this.#header()] as const) : undefined))
    return {
      object: 'block',
      type: 'table',
      isVoid: true,
      data: {
        view: { type: 'grid', columns, hideHeader: false },
        definition: Object.fromEntries(
          columns.map((id, index) => {
            const [header] = headers[index] ?? []
            return [id, { id, title: header ? '' : this.#text(), ...(header && { header }), type: 'text' as const }]
          }),
        ),
        records: Object.fromEntries(
          rows.map((row, index) => [
            row,
            {
              orderIndex: String(index + 1).padStart(6, '0'),
              values: Object.fromEntries(columns.map((column) => [column, `${row}${column}`])),
            },
          ]),
        ),
      },
      fragments: [
        ...headers.flatMap((header) =>
          header ? [{ object: 'fragment' as const, fragment: header[0], nodes: header[1] }] : [],
        ),
        ...rows.flatMap((row) =>
          columns.map((column) => ({ object: 'fragment' as const, fragment: `${row}${column}`, nodes: cell() })),
        ),
      ],
    }
  }

  /** Creates a header that is not plain text. */
  #header(): Block[] {
    const link: InlineElement = {
      object: 'inline',
      type: 'link',
      data: { ref: this.#ref() },
      nodes: this.#inlines(0, true),
    }
    return [paragraph([...this.#inlines(0), link])]
  }

  /** Creates the blocks of a cell that may contain more than one paragraph. */
  #cellBlocks(depth: number): Block[] {
    return Array.from({ length: this.#number(1, 3) }, (): Block => {
      const type = this.#pick(['list-unordered', 'list-ordered'] as const)
      switch (this.#number(0, depth > 0 ? 5 : 2)) {
        case 0:
        case 1:
          return paragraph(withText(this.#inlines(1)))
        case 2:
          return { object: 'block', type: 'heading-2', nodes: this.#inlines(1) }
        case 3:
          return { object: 'block', type: 'blockquote', nodes: this.#cellBlocks(depth - 1) }
        case 4:
          return { object: 'block', type: 'divider', isVoid: true, data: {} }
        default: {
          const items = Array.from({ length: this.#number(1, 2) }, () => this.#cellBlocks(depth - 1))
          const nodes = items.map((blocks) => ({ object: 'block' as const, type: 'list-item' as const, nodes: blocks }))
          return { object: 'block', type, nodes }
        }
      }
    })
  }

  #items(depth: number) {
    return Array.from({ length: this.#number(1, 3) }, () => ({
      object: 'block' as const,
      type: 'list-item' as const,
      nodes: [paragraph(withText(this.#inlines(1))), ...(this.#number(0, 2) === 0 ? this.#blocks(depth - 2) : [])],
    }))
  }

  #code(): Block {
    const lines = Array.from({ length: this.#number(1, 3) }, () =>
      this.#pick(['let a = `x`', '```', '{% hint %}', '  <b>&amp;</b>', '', '\\']),
    )
    return {
      object: 'block',
      type: 'code',
      data: { syntax: 'js' },
      nodes: lines.map((line) => ({
        object: 'block',
        type: 'code-line',
        nodes: line === '' ? [] : [{ object: 'text', leaves: [{ object: 'leaf', text: line, marks: [] }] }],
      })),
    }
  }
}

/** Adds text before a lone formula, which would be parsed as a math block. */
function withText(nodes: InlineNode[]): InlineNode[] {
  const [only] = nodes
  if (nodes.length > 1 || only?.object === 'text' || only?.type !== 'inline-math') return nodes
  return [{ object: 'text', leaves: [{ object: 'leaf', text: 'x ', marks: [] }] }, only]
}

/** Removes spaces at the start and end, which blocks cannot have. */
function trimmed(nodes: InlineNode[]): InlineNode[] {
  const builder = new InlineBuilder()
  nodes.forEach((node, at) => {
    if (node.object !== 'text') return builder.addElement(node)
    node.leaves.forEach(({ text, marks: own }, index) => {
      const isFirst = at === 0 && index === 0
      const isLast = at === nodes.length - 1 && index === node.leaves.length - 1
      const start = isFirst ? text.replace(/^ +/, '') : text
      builder.addText(isLast ? start.replace(/ +$/, '') : start, own)
    })
  })
  const built = builder.build()
  return built.length > 0 ? built : [{ object: 'text', leaves: [{ object: 'leaf', text: 'x', marks: [] }] }]
}
