import { createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import type { Block, Document, Fragment, InlineElement, InlineNode, Text } from '../../src/content/document/nodes.ts'
import { randomInteger, seededRandom } from './random.ts'

export const textNode = (text: string): Text => ({ object: 'text', leaves: [leaf(text)] })

export const textParagraph = (text: string) => paragraph([textNode(text)])

export const heading = (level: 1 | 2 | 3, text: string, id?: string): Block => ({
  object: 'block',
  type: `heading-${level}`,
  ...(id !== undefined && { data: { id } }),
  nodes: [textNode(text)],
})

const fragment = (type: string, nodes: readonly Block[]): Fragment => ({ object: 'fragment', type, nodes })

export const expandable = (title: string, nodes: readonly Block[]): Block => ({
  object: 'block',
  type: 'expandable',
  isVoid: true,
  data: {},
  fragments: [fragment('expandable-title', [textParagraph(title)]), fragment('expandable-body', nodes)],
})

export const quote = (...nodes: readonly Block[]): Block => ({ object: 'block', type: 'blockquote', nodes })

export const expression = (source: string): InlineElement => ({
  object: 'inline',
  type: 'expression',
  isVoid: true,
  data: { expression: source },
})

export const conditional = (source: string, ...nodes: readonly Block[]): Block => ({
  object: 'block',
  type: 'if',
  data: { expression: source },
  nodes,
})

export const link = (page: string, text: string): InlineElement & { type: 'link' } => ({
  object: 'inline',
  type: 'link',
  data: { ref: { kind: 'page', page } },
  nodes: [textNode(text)],
})

export const annotation = (text: string, nodes: readonly Block[]): InlineElement => ({
  object: 'inline',
  type: 'annotation',
  nodes: [textNode(text)],
  fragments: [fragment('annotation-body', nodes)],
})

export const reusableBlock = (reusableContent: string, space?: string): Block => ({
  object: 'block',
  type: 'reusable-content',
  isVoid: true,
  data: { ref: { kind: 'reusable-content', reusableContent, ...(space !== undefined && { space }) } },
})

const url = { kind: 'url', url: 'https://example.com/a.png' } as const
const file = { kind: 'file', file: 'f1' } as const
const spec = { kind: 'openapi', spec: 'petstore' } as const

/** Example of each type of inline with all its properties. */
export const inlineOfEachType: { readonly [Type in InlineElement['type']]: InlineElement & { type: Type } } = {
  link: { object: 'inline', type: 'link', key: 'k', data: { ref: url }, nodes: [textNode('link')] },
  emoji: { object: 'inline', type: 'emoji', isVoid: true, data: { code: '1f389' } },
  icon: { object: 'inline', type: 'icon', isVoid: true, data: { icon: 'star', color: '$primary' } },
  expression: { object: 'inline', type: 'expression', isVoid: true, data: { expression: 'space.vars.x' } },
  'inline-math': { object: 'inline', type: 'inline-math', isVoid: true, data: { formula: 'x^2' } },
  'inline-image': {
    object: 'inline',
    type: 'inline-image',
    isVoid: true,
    data: { ref: file, refDark: url, caption: 'caption', alt: 'alt', size: 'line' },
  },
  annotation: {
    object: 'inline',
    type: 'annotation',
    nodes: [textNode('word')],
    fragments: [fragment('annotation-body', [textParagraph('explained')])],
  },
  mention: { object: 'inline', type: 'mention', isVoid: true, data: { ref: { kind: 'user', user: 'u1' } } },
  button: {
    object: 'inline',
    type: 'button',
    isVoid: true,
    data: {
      label: 'Go',
      kind: 'primary',
      size: 'small',
      icon: 'star',
      ref: { kind: 'page', page: 'p1' },
      action: { action: 'ask', query: 'why' },
    },
  },
  html: { object: 'inline', type: 'html', isVoid: true, data: { html: '<!-- kept -->' } },
  anchor: { object: 'inline', type: 'anchor', isVoid: true, data: { id: 'place' } },
}

type BlockOf<Type> = Block & { type: Type }

const item = (text: string): BlockOf<'list-item'> => ({
  object: 'block',
  type: 'list-item',
  data: { checked: true },
  nodes: [textParagraph(text)],
})
const line: BlockOf<'code-line'> = {
  object: 'block',
  type: 'code-line',
  data: { highlighted: true },
  nodes: [textNode('let a = 1')],
}
const image: BlockOf<'image'> = {
  object: 'block',
  type: 'image',
  isVoid: true,
  data: { ref: file, refDark: url, width: { unit: '%', value: 50 }, height: 120, alt: 'alt' },
  fragments: [{ object: 'fragment', fragment: 'caption', nodes: [textParagraph('caption')] }],
}
const tab: BlockOf<'tabs-item'> = {
  object: 'block',
  type: 'tabs-item',
  data: { title: 'Tab', icon: 'star', slug: 'tab' },
  nodes: [textParagraph('in a tab')],
}
const step: BlockOf<'stepper-step'> = {
  object: 'block',
  type: 'stepper-step',
  data: { icon: 'star' },
  nodes: [textParagraph('in a step')],
}
const column: BlockOf<'column'> = {
  object: 'block',
  type: 'column',
  data: { width: { unit: '%', value: 33.3 }, verticalAlignment: 'middle' },
  nodes: [textParagraph('in a column')],
}
const update: BlockOf<'update'> = {
  object: 'block',
  type: 'update',
  data: {
    date: '2026-01-31',
    tags: [
      { kind: 'tag', tag: 'new' },
      { kind: 'tag', tag: 'api' },
    ],
  },
  nodes: [textParagraph('in an update')],
}

/** Example of each type of block with all its properties. */
export const blockOfEachType: { readonly [Type in Block['type']]: BlockOf<Type> } = {
  paragraph: {
    object: 'block',
    type: 'paragraph',
    key: 'k1',
    data: { align: 'center' },
    nodes: [
      {
        object: 'text',
        key: 't1',
        leaves: [
          leaf('plain '),
          leaf('bold', [mark('bold'), mark('code')]),
          leaf('red', [{ object: 'mark', type: 'color', data: { text: 'red', background: '$tint' } }]),
        ],
      },
      ...Object.values(inlineOfEachType),
    ],
  },
  'heading-1': { object: 'block', type: 'heading-1', data: { id: 'one', align: 'end' }, nodes: [textNode('One')] },
  'heading-2': { object: 'block', type: 'heading-2', nodes: [textNode('Two')] },
  'heading-3': { object: 'block', type: 'heading-3', nodes: [textNode('Three')] },
  'list-ordered': { object: 'block', type: 'list-ordered', data: { start: 3 }, nodes: [item('a'), item('b')] },
  'list-unordered': { object: 'block', type: 'list-unordered', nodes: [item('a')] },
  'list-tasks': { object: 'block', type: 'list-tasks', nodes: [item('a')] },
  'list-item': item('alone'),
  divider: { object: 'block', type: 'divider', isVoid: true, data: {} },
  blockquote: { object: 'block', type: 'blockquote', nodes: [textParagraph('quoted')] },
  hint: { object: 'block', type: 'hint', data: { style: 'warning', icon: 'star' }, nodes: [textParagraph('hinted')] },
  prompt: {
    object: 'block',
    type: 'prompt',
    data: { description: 'Ask', icon: 'star', openInAIProviders: true, defaultExpanded: 'partial' },
    nodes: [{ object: 'block', type: 'code', nodes: [line] }],
  },
  code: {
    object: 'block',
    type: 'code',
    data: {
      syntax: 'js',
      title: 'a.js',
      overflow: 'wrap',
      lineNumbers: true,
      fullWidth: true,
      expandable: true,
      collapsedLineCount: 5,
    },
    nodes: [line],
  },
  'code-line': line,
  images: {
    object: 'block',
    type: 'images',
    data: { align: 'left', fullWidth: true, withFrame: true },
    nodes: [image],
  },
  image,
  file: {
    object: 'block',
    type: 'file',
    isVoid: true,
    data: { ref: file },
    fragments: [fragment('caption', [textParagraph('a file')])],
  },
  drawing: { object: 'block', type: 'drawing', isVoid: true, data: { ref: file } },
  embed: { object: 'block', type: 'embed', isVoid: true, data: { url: 'https://example.com', fullWidth: true } },
  math: { object: 'block', type: 'math', isVoid: true, data: { formula: 'a + b' } },
  expandable: {
    object: 'block',
    type: 'expandable',
    isVoid: true,
    data: { defaultExpanded: true },
    fragments: [
      fragment('expandable-title', [textParagraph('More')]),
      fragment('expandable-body', [textParagraph('details')]),
    ],
  },
  tabs: { object: 'block', type: 'tabs', data: { fullWidth: true }, nodes: [tab] },
  'tabs-item': tab,
  stepper: { object: 'block', type: 'stepper', nodes: [step] },
  'stepper-step': step,
  columns: { object: 'block', type: 'columns', data: { fullWidth: true }, nodes: [column] },
  column,
  updates: { object: 'block', type: 'updates', data: { format: 'short' }, nodes: [update] },
  update,
  if: { object: 'block', type: 'if', data: { expression: 'space.vars.x' }, nodes: [textParagraph('if so')] },
  table: {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: {
        type: 'grid',
        columns: ['c1', 'c2', 'c3'],
        columnWidths: { c1: 120.5 },
        hideHeader: false,
        stickyHeader: true,
        stickyFirstColumn: true,
      },
      definition: {
        c1: { id: 'c1', title: 'Name', type: 'text', textAlignment: 'right', verticalAlignment: 'top' },
        c2: { id: 'c2', title: 'Count', type: 'number' },
        c3: {
          id: 'c3',
          title: 'State',
          type: 'select',
          multiple: true,
          options: [{ value: 'o1', label: 'Open', color: 'red' }],
        },
        c4: { id: 'c4', title: 'Page', type: 'content-ref' },
        c5: { id: 'c5', title: 'Cover', type: 'image' },
        c6: { id: 'c6', title: 'Files', type: 'files' },
        c7: { id: 'c7', title: 'People', type: 'users', multiple: true },
        c8: { id: 'c8', title: 'Stars', type: 'rating', max: 5 },
        c9: { id: 'c9', title: 'Done', type: 'checkbox' },
      },
      records: {
        r2: { orderIndex: '000002', values: { c1: 'r2c1', c2: null } },
        r1: {
          orderIndex: '000001',
          values: {
            c1: 'r1c1',
            c2: 4,
            c3: ['o1'],
            c4: { kind: 'page', page: 'p2' },
            c5: { ref: file, objectFit: 'cover', alt: 'alt' },
            c6: ['f2'],
            c7: ['u1'],
            c8: 3,
            c9: true,
          },
        },
      },
      cellMerges: [{ anchor: { record: 'r1', column: 'c1' }, rowSpan: 2, colSpan: 1 }],
      fullWidth: true,
      search: false,
    },
    fragments: [
      { object: 'fragment', fragment: 'r2c1', nodes: [textParagraph('second')] },
      { object: 'fragment', fragment: 'r1c1', nodes: [textParagraph('first')] },
    ],
  },
  'content-ref': {
    object: 'block',
    type: 'content-ref',
    isVoid: true,
    data: { ref: { kind: 'anchor', anchor: 'a', page: 'p3', space: 's1' } },
  },
  'reusable-content': {
    object: 'block',
    type: 'reusable-content',
    isVoid: true,
    data: { ref: { kind: 'reusable-content', reusableContent: 'rc1' } },
  },
  integration: {
    object: 'block',
    type: 'integration',
    isVoid: true,
    data: { integration: 'figma', block: 'file', props: { a: [1, { b: null }] }, url: 'https://example.com' },
  },
  swagger: {
    object: 'block',
    type: 'swagger',
    isVoid: true,
    data: { ref: url, path: '/pets', method: 'get', expanded: true },
  },
  'openapi-operation': {
    object: 'block',
    type: 'openapi-operation',
    isVoid: true,
    data: { ref: spec, path: '/pets', method: 'post', headless: true },
  },
  'openapi-schemas': {
    object: 'block',
    type: 'openapi-schemas',
    isVoid: true,
    data: { ref: spec, schemas: ['Pet'], grouped: true, title: 'Models' },
  },
  'openapi-webhook': {
    object: 'block',
    type: 'openapi-webhook',
    isVoid: true,
    data: { ref: spec, name: 'adopted', method: 'post' },
  },
}

/** Creates a document of randomly nested blocks and inlines of all types. */
export function randomDocument(seed: number): Document {
  const chance = seededRandom(seed)
  const pick = <Item>(items: readonly Item[]) => items[randomInteger(chance, 0, items.length - 1)] as Item
  const inlines = (): InlineNode[] =>
    Array.from({ length: randomInteger(chance, 0, 3) }, () => [
      textNode(pick(['word', '中文 🎉', ' a\nb ', '<&>'])),
      pick(Object.values(inlineOfEachType)),
    ]).flat()
  const blocks = (depth: number): Block[] => Array.from({ length: randomInteger(chance, 0, 4) }, () => block(depth))
  const block = (depth: number): Block => {
    const below = depth > 0 ? blocks(depth - 1) : []
    switch (randomInteger(chance, 0, 5)) {
      case 0:
        return paragraph(inlines())
      case 1:
        return quote(...below)
      case 2:
        return paragraph([annotation('noted', below)])
      case 3:
        return expandable('Title', below)
      case 4:
        return conditional(pick(['true', 'space.vars.a', 'visitor.claims.b']), ...below)
      default:
        return pick<Block>(Object.values(blockOfEachType))
    }
  }
  return createDocument(blocks(4))
}
