import type { Block, Code, Fragment, InlineNode, ListItem } from '../document/nodes.ts'
import { escapeLineStarts, keepEdgeSpaces } from './escape.ts'
import { escapeAttribute } from './html.ts'
import { printFigures } from './print-images.ts'
import { type PrintContext, printHtmlInlines, printInlines } from './print-inlines.ts'
import { printTable } from './print-table.ts'

/** Blocks beside each other, as Markdown without an end of line at the end. */
export function printBlocks(blocks: readonly Block[], context: PrintContext): string {
  const parts: string[] = []
  blocks.forEach((block, index) => {
    // Two lists in a row would be read as one; another marker begins another list.
    const isSecondList = index > 0 && block.type.startsWith('list-') && continues(blocks, index)
    const printed = printBlock(block, context, isSecondList)
    if (printed !== '') parts.push(printed)
  })
  return parts.join('\n\n')
}

const isOrdered = (block: Block | undefined) => block?.type === 'list-ordered'

/** Whether a list stands behind an odd number of lists of its own kind. */
function continues(blocks: readonly Block[], index: number): boolean {
  let count = 0
  for (let before = index - 1; before >= 0; before--) {
    const block = blocks[before] as Block
    if (!block.type.startsWith('list-') || isOrdered(block) !== isOrdered(blocks[index])) break
    count++
  }
  return count % 2 === 1
}

/** One block. A second list in a row has another marker. */
export function printBlock(block: Block, context: PrintContext, isSecondList: boolean): string {
  switch (block.type) {
    case 'paragraph':
      return printParagraph(block.nodes, block.data?.align, context)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return printHeading(block, context)
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return printList(block, context, isSecondList)
    case 'list-item':
    case 'image':
    case 'code-line':
      return printStray(block, context)
    case 'divider':
      return '***'
    case 'blockquote':
      return prefixed(printBlocks(block.nodes, context), '> ', '>')
    case 'hint':
      return tag('hint', { style: block.data.style, icon: block.data.icon }, printBlocks(block.nodes, context))
    case 'prompt': {
      const { description, icon, openInAIProviders, defaultExpanded } = block.data ?? {}
      return tag('prompt', { description, icon, openInAIProviders, defaultExpanded }, printBlocks(block.nodes, context))
    }
    case 'code':
      return printCode(block, context)
    case 'images':
      return printFigures(block, context)
    case 'drawing':
      return block.data.ref
        ? `<img src="${escapeAttribute(context.references.write(block.data.ref))}" alt="" class="gitbook-drawing">`
        : ''
    case 'file':
      return captioned('file', { src: context.references.write(block.data.ref) }, block.fragments, context)
    case 'embed':
      return captioned('embed', { url: block.data.url, fullWidth: block.data.fullWidth }, block.fragments, context)
    case 'math':
      return `$$\n${block.data.formula}\n$$`
    case 'expandable':
      return printExpandable(block.data.defaultExpanded ?? false, block.fragments, context)
    case 'tabs':
      return tag('tabs', { fullWidth: block.data?.fullWidth }, printBlocks(block.nodes, context))
    case 'tabs-item':
      return tag(
        'tab',
        { title: block.data?.title ?? '', icon: block.data?.icon, slug: block.data?.slug },
        printBlocks(block.nodes, context),
      )
    case 'stepper':
      return tag('stepper', {}, printBlocks(block.nodes, context))
    case 'stepper-step':
      return tag('step', { icon: block.data?.icon }, printBlocks(block.nodes, context))
    case 'columns':
      return tag('columns', { fullWidth: block.data?.fullWidth }, printBlocks(block.nodes, context))
    case 'column': {
      const { width, verticalAlignment } = block.data ?? {}
      const written =
        width === undefined ? undefined : typeof width === 'number' ? String(width) : `${width.value}${width.unit}`
      return tag('column', { width: written, valign: verticalAlignment }, printBlocks(block.nodes, context))
    }
    case 'updates':
      return tag('updates', { format: block.data?.format }, printBlocks(block.nodes, context))
    case 'update':
      return tag(
        'update',
        { date: block.data?.date, tags: block.data?.tags?.join(',') },
        printBlocks(block.nodes, context),
      )
    case 'if':
      return `{% if ${block.data.expression} %}\n${printBlocks(block.nodes, context)}\n{% endif %}`
    case 'table':
      return printTable(block, context)
    case 'content-ref': {
      const destination = context.references.write(block.data.ref)
      return tag(
        'content-ref',
        { url: destination },
        `[${lastPart(destination)}](${destination.includes(' ') ? `<${destination}>` : destination})`,
      )
    }
    case 'reusable-content':
      return `{% include "${context.references.write(block.data.ref)}" %}`
    case 'integration': {
      const { integration, block: name, props, url, fullWidth } = block.data
      const texts = Object.fromEntries(Object.entries(props).map(([key, value]) => [key, String(value)]))
      return openTag(`@${integration}/${name}`, { ...texts, url, fullWidth })
    }
    case 'swagger': {
      const { ref, path, method, expanded, fullWidth } = block.data
      const src = context.references.write(ref)
      return tag(
        'openapi',
        { src, path, method, expanded, fullWidth },
        `[${src}](${src.includes(' ') ? `<${src}>` : src})`,
      )
    }
    case 'openapi-operation': {
      const { ref, path, method } = block.data
      return tag('openapi-operation', { spec: ref.spec, path, method }, `[OpenAPI ${ref.spec}](/openapi/${ref.spec})`)
    }
    case 'openapi-webhook': {
      const { ref, name, method } = block.data
      return tag('openapi-webhook', { spec: ref.spec, name, method }, `[OpenAPI ${ref.spec}](/openapi/${ref.spec})`)
    }
    case 'openapi-schemas': {
      const { ref, schemas, grouped, title } = block.data
      return tag('openapi-schemas', { spec: ref.spec, schemas: schemas.join(','), grouped }, title ?? '')
    }
  }
}

/** What belongs into a container, standing alone. */
function printStray(
  block: Extract<Block, { type: 'list-item' | 'image' | 'code-line' }>,
  context: PrintContext,
): string {
  if (block.type === 'list-item') return printBlocks(block.nodes, context)
  if (block.type === 'image') return printFigures({ object: 'block', type: 'images', nodes: [block] }, context)
  return printParagraph(block.nodes, undefined, context)
}

function printParagraph(nodes: readonly InlineNode[], align: string | undefined, context: PrintContext): string {
  if (nodes.length === 0) return ''
  if (align !== undefined && align !== 'start') {
    return `<p align="${align === 'end' ? 'right' : align}">${printHtmlInlines(nodes, context)}</p>`
  }
  return oneParagraph(printInlines(nodes, context))
}

/** A paragraph whose lines begin no other block and keep their spaces; a line end at its very end needs a tag. */
function oneParagraph(markdown: string): string {
  const kept = keepEdgeSpaces(escapeLineStarts(markdown))
  return kept.endsWith('\\\n') ? `${kept.slice(0, -2)}<br>` : kept
}

const hashes = { 'heading-1': '##', 'heading-2': '###', 'heading-3': '####' } as const

function printHeading(
  block: Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' }>,
  context: PrintContext,
): string {
  const { id, align } = block.data ?? {}
  if (align !== undefined && align !== 'start') {
    const level = hashes[block.type].length
    return `<h${level} align="${align === 'end' ? 'right' : align}">${printHtmlInlines(block.nodes, context)}</h${level}>`
  }
  const text = keepEdgeSpaces(printInlines(block.nodes, context).replace(/\\\n/g, '<br>')).replace(
    /#+$/,
    (run) => `\\${run}`,
  )
  const anchor = id === undefined ? '' : ` <a href="#${escapeAttribute(id)}" id="${escapeAttribute(id)}"></a>`
  return `${hashes[block.type]} ${text}${anchor}`.replace(/ +$/, '')
}

function printList(
  list: Extract<Block, { type: 'list-ordered' | 'list-unordered' | 'list-tasks' }>,
  context: PrintContext,
  isSecond: boolean,
): string {
  const start = list.type === 'list-ordered' ? (list.data?.start ?? 1) : 0
  const markerOf = (index: number) =>
    list.type === 'list-ordered' ? `${start + index}${isSecond ? ')' : '.'}` : isSecond ? '-' : '*'
  const parts = list.nodes.map((item, index) => printItem(item, markerOf(index), list.type === 'list-tasks', context))
  const isLoose = list.nodes.some((item) => !isSimple(item))
  return parts.join(isLoose ? '\n\n' : '\n')
}

/** One paragraph, perhaps with lists below it. */
function isSimple({ nodes }: ListItem): boolean {
  return nodes.every((node, index) =>
    index === 0 ? node.type === 'paragraph' : node.type.startsWith('list-') && node.type !== 'list-item',
  )
}

function printItem(item: ListItem, marker: string, isTask: boolean, context: PrintContext): string {
  const check = isTask ? (item.data?.checked ? '[x] ' : '[ ] ') : ''
  const simple = isSimple(item)
  const width = simple ? marker.length + 1 : Math.max(4, marker.length + 1)
  const [first, ...rest] = item.nodes
  const body = simple
    ? [first ? printBlocks([first], context) : '', ...(rest.length > 0 ? [printBlocks(rest, context)] : [])].join('\n')
    : printBlocks(item.nodes, context)
  const head = marker.padEnd(width)
  return `${head}${check}${prefixed(body, ' '.repeat(width), '').slice(width)}`.replace(/ +$/, '')
}

/** Every line behind a prefix; empty lines behind a shorter one. */
function prefixed(text: string, prefix: string, emptyPrefix: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? emptyPrefix : prefix + line))
    .join('\n')
}

function printCode(block: Code, context: PrintContext): string {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = block.data ?? {}
  const isPlain = block.nodes.every(
    (line) =>
      !line.data?.highlighted &&
      line.nodes.every((node) => node.object === 'text' && node.leaves.every((leaf) => leaf.marks.length === 0)),
  )
  if (!isPlain) return printPre(block, context)
  const text = block.nodes
    .map((line) =>
      line.nodes.map((node) => (node.object === 'text' ? node.leaves.map((leaf) => leaf.text).join('') : '')).join(''),
    )
    .join('\n')
  const longest = Math.max(2, ...Array.from(text.matchAll(/^[ \t>]*(`{3,})/gm), (match) => (match[1] as string).length))
  const fence = '`'.repeat(longest + 1)
  const fenced = `${fence}${syntax ?? ''}\n${text}${text === '' && block.nodes.length <= 1 ? '' : '\n'}${fence}`
  const options = { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount }
  return Object.values(options).every((value) => value === undefined) ? fenced : tag('code', options, fenced)
}

function printPre(block: Code, context: PrintContext): string {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable } = block.data ?? {}
  const attributes = [
    syntax ? ` class="language-${escapeAttribute(syntax)}"` : '',
    title === undefined ? '' : ` data-title="${escapeAttribute(title)}"`,
    overflow === undefined ? '' : ` data-overflow="${overflow}"`,
    lineNumbers ? ' data-line-numbers' : '',
    fullWidth ? ' data-full-width="true"' : '',
    expandable ? ' data-expandable="true"' : '',
  ].join('')
  const lines = block.nodes.map((line) => {
    const text = `${printHtmlInlines(line.nodes, context)}\n`
    return line.data?.highlighted ? `<strong>${text}</strong>` : text
  })
  return `<pre${attributes}><code${syntax ? ` class="lang-${escapeAttribute(syntax)}"` : ''}>${lines.join('')}</code></pre>`
}

function printExpandable(open: boolean, fragments: readonly Fragment[], context: PrintContext): string {
  const part = (type: string) => fragments.find((fragment) => fragment.type === type)?.nodes ?? []
  const title = part('expandable-title')
    .map((block) => (block.type === 'paragraph' ? printHtmlInlines(block.nodes, context) : ''))
    .join(' ')
  const body = printBlocks(part('expandable-body'), context)
  return [
    `<details${open ? ' open' : ''}>`,
    `<summary>${title}</summary>`,
    ...(body === '' ? [] : [body]),
    '</details>',
  ].join('\n\n')
}

type Attributes = Record<string, string | number | boolean | undefined>

export function openTag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === false ? [] : [` ${key}="${String(value).replace(/[\\"]/g, '\\$&')}"`],
  )
  return `{% ${name}${written.join('')} %}`
}

function tag(name: string, attributes: Attributes, inner: string): string {
  return [openTag(name, attributes), ...(inner === '' ? [] : [inner]), `{% end${name} %}`].join('\n')
}

function captioned(
  name: string,
  attributes: Attributes,
  fragments: readonly Fragment[] | undefined,
  context: PrintContext,
): string {
  const inner = printBlocks(fragments?.[0]?.nodes ?? [], context)
  return inner === '' ? openTag(name, attributes) : tag(name, attributes, inner)
}

function lastPart(destination: string): string {
  return destination.replace(/\/$/, '').split('/').at(-1) || destination
}
