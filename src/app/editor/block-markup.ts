import type { DOMOutputSpec, Node, NodeSpec } from 'prosemirror-model'
import type { BlockOf, BlockType } from '../../content/document/block-definitions.ts'
import type { DataOf } from '../../content/document/validate-data.ts'
import { toImageData } from './inline-schema.ts'
import { tableMarkup } from './table/table-schema.ts'

/** Returns the data of a node that represents a block of a type. */
const dataOf = <Type extends BlockType>({ attrs }: Node): Partial<DataOf<BlockOf<Type>>> =>
  (attrs['data'] ?? {}) as Partial<DataOf<BlockOf<Type>>>

const alignmentClass = (align: string | undefined): { class?: string } =>
  align === undefined || align === 'start' ? {} : { class: `text-${align}` }

const defineHeading = (level: 1 | 2 | 3, tags: readonly string[]): NodeSpec => ({
  defining: true,
  parseDOM: tags.map((tag) => ({ tag })),
  // The title of the page is `h1`, so headings start at `h2`.
  toDOM: (node): DOMOutputSpec => [`h${level + 1}`, alignmentClass(dataOf<'heading-1'>(node).align), 0],
})

const hintStyles = ['info', 'warning', 'danger', 'success'] as const

/** Attributes of a paragraph that only fills an empty container. It is not part of the document while it is empty. */
const filler = { isFiller: { default: false } }

/**
 * HTML of blocks that are edited in place, for showing them and for parsing pasted HTML: the same elements as in published pages.
 * Their contents are derived from the definitions of blocks.
 */
export const blockMarkup = {
  paragraph: {
    attrs: filler,
    parseDOM: [{ tag: 'p' }],
    toDOM: (node): DOMOutputSpec => ['p', alignmentClass(dataOf<'paragraph'>(node).align), 0],
  },
  'heading-1': defineHeading(1, ['h1', 'h2']),
  'heading-2': defineHeading(2, ['h3']),
  'heading-3': defineHeading(3, ['h4', 'h5', 'h6']),
  'list-unordered': { parseDOM: [{ tag: 'ul' }], toDOM: (): DOMOutputSpec => ['ul', 0] },
  'list-ordered': {
    parseDOM: [
      {
        tag: 'ol',
        getAttrs: (element) => {
          const start = Number(element.getAttribute('start') ?? 1)
          return { data: Number.isSafeInteger(start) && start >= 0 && start !== 1 && start < 1e9 ? { start } : null }
        },
      },
    ],
    toDOM: (node: Node): DOMOutputSpec => {
      const { start } = dataOf<'list-ordered'>(node)
      return ['ol', start === undefined || start === 1 ? {} : { start }, 0]
    },
  },
  'list-tasks': {
    parseDOM: [{ tag: 'ul.tasks, ul.contains-task-list, ul:has(> li > input[type=checkbox])', priority: 60 }],
    toDOM: (): DOMOutputSpec => ['ul', { class: 'tasks', role: 'list' }, 0],
  },
  'list-item': { defining: true, parseDOM: [{ tag: 'li' }], toDOM: (): DOMOutputSpec => ['li', 0] },
  blockquote: { defining: true, parseDOM: [{ tag: 'blockquote' }], toDOM: (): DOMOutputSpec => ['blockquote', 0] },
  hint: {
    defining: true,
    parseDOM: [
      {
        tag: 'aside.hint',
        contentElement: 'div',
        getAttrs: (element) => ({
          data: { style: hintStyles.find((style) => element.classList.contains(`hint-${style}`)) ?? 'info' },
        }),
      },
    ],
    toDOM: (node: Node): DOMOutputSpec => [
      'aside',
      { class: `hint hint-${dataOf<'hint'>(node).style ?? 'info'}` },
      ['div', 0],
    ],
  },
  code: {
    marks: '',
    code: true,
    defining: true,
    attrs: { lines: { default: null } },
    parseDOM: [
      {
        tag: 'pre',
        preserveWhitespace: 'full',
        getAttrs: (element) => {
          const className = `${element.className} ${element.querySelector('code')?.className ?? ''}`
          const syntax = /(?:language|lang|highlight-source)-([\w+#-]+)/.exec(className)?.[1]
          return { data: syntax === undefined ? null : { syntax } }
        },
      },
    ],
    toDOM: (): DOMOutputSpec => ['pre', ['code', 0]],
  },
  divider: { parseDOM: [{ tag: 'hr' }], toDOM: (): DOMOutputSpec => ['hr'] },
  images: { toDOM: (): DOMOutputSpec => ['div', { class: 'images' }, 0] },
  image: {
    isolating: true,
    attrs: { caption: { default: null } },
    parseDOM: [
      {
        tag: 'figure.pasted-image',
        contentElement: 'figcaption',
        getAttrs: (element) => {
          const image = element.querySelector('img')
          return image !== null && { data: toImageData(image) }
        },
      },
    ],
    toDOM: (): DOMOutputSpec => ['figure', ['figcaption', 0]],
  },
  expandable: {
    isolating: true,
    parseDOM: [{ tag: 'div.expandable' }],
    toDOM: (): DOMOutputSpec => ['div', { class: 'expandable' }, 0],
  },
  columns: {
    parseDOM: [{ tag: 'div.pasted-columns' }],
    toDOM: (): DOMOutputSpec => ['div', { class: 'columns' }, 0],
  },
  column: {
    isolating: true,
    parseDOM: [
      {
        tag: 'div.pasted-column',
        getAttrs: ({ dataset: { width = '' } }) => ({
          data: /^\d\d?$/.test(width) ? { width: { value: +width, unit: '%' } } : null,
        }),
      },
    ],
    toDOM: (): DOMOutputSpec => ['div', { class: 'column' }, 0],
  },
  stepper: { toDOM: (): DOMOutputSpec => ['ol', { class: 'stepper', role: 'list' }, 0] },
  'stepper-step': {
    defining: true,
    isolating: true,
    toDOM: (): DOMOutputSpec => ['li', { class: 'step' }, ['div', 0]],
  },
  tabs: { toDOM: (): DOMOutputSpec => ['div', { class: 'tabs' }, 0] },
  'tabs-item': { isolating: true, toDOM: (): DOMOutputSpec => ['div', { class: 'panel' }, 0] },
  updates: { toDOM: (): DOMOutputSpec => ['div', { class: 'updates' }, 0] },
  update: { isolating: true, toDOM: (): DOMOutputSpec => ['article', { class: 'update' }, ['div', 0]] },
  if: { isolating: true, toDOM: (): DOMOutputSpec => ['div', { class: 'condition' }, 0] },
  table: tableMarkup,
} satisfies Partial<Record<BlockType, NodeSpec>>
