import { paragraph } from '../document/build.ts'
import type { Align, Block, InlineNode, ListItem } from '../document/nodes.ts'
import { type HtmlTag, parseHtml, readHtmlTag } from './html.ts'
import { headingType, createHtmlList, readHeadingId, toOptionalData } from './make-blocks.ts'
import { type PhrasingContent, endOffset, startOffset } from './mdast.ts'
import { alignments, isCustomBlock } from './html-wrappers.ts'
import { readTopLevelHtml } from './parse-html.ts'
import type { HtmlContext } from './inline-context.ts'
import { parseInlines } from './parse-inlines.ts'
import { isKnownTag } from './parse-tags.ts'
import { readHintStyle } from './tag-blocks.ts'
import { readTemplateTag, splitTemplateTags, templatePrefix } from './template-tags.ts'

// A cell of a pipe table is one line of inlines. HTML elements turn parts of it into paragraphs, lists and other blocks; the
// content between their tags is Markdown.

const isHeading = (name: string) => /^h[1-6]$/.test(name)
/** Whether an element contains inlines only. */
const isTextElement = (name: string) => name === 'p' || isHeading(name)
const isList = (name: string) => name === 'ul' || name === 'ol'
/** Elements that contain blocks; those that are not blocks themselves are replaced by their content. */
const containers = new Set(['ul', 'ol', 'li', 'blockquote', 'div', 'center', 'section', 'article'])
const isBlockElement = (name: string) => containers.has(name) || isTextElement(name) || isBlockTag(name)
/** Whether a name is that of a tag with a block; other tags of templates are inlines. */
const isBlockTag = (name: string) =>
  name.startsWith(templatePrefix) && name !== `${templatePrefix}if` && isKnownTag(name.slice(templatePrefix.length))
/** Elements that are parsed as HTML; their content is never Markdown. */
const htmlElements = new Set(['figure', 'pre', 'table', 'details', 'div'])

const hintTag = `${templatePrefix}hint`

/** Maximum nesting depth of elements; deeper tags are inlines. */
const maxDepth = 30

/** Returns a function that parses a cell of a pipe table. */
export function createCellParser(context: HtmlContext): (nodes: readonly PhrasingContent[]) => Block[] {
  const cell: HtmlContext = {
    source: context.source,
    references: context.references,
    isExpression: (source) => context.isExpression(source),
    findFootnote: (label) => context.findFootnote(label),
    findDefinition: (identifier) => context.findDefinition(identifier),
    isInCell: true,
  }
  return (nodes) => parseCell(nodes, cell)
}

function parseCell(parsed: readonly PhrasingContent[], context: HtmlContext): Block[] {
  const nodes = splitTemplateTags(parsed, context.source)
  const written = hasEscapedPipes(nodes, context.source) ? nodes.map(withoutEscapedPipes) : nodes
  const unescaped =
    written.some(isMarkNode) && context.source.includes('<') ? unwrapCrossingMarks(written, context.source) : written
  const tags = unescaped.map((node) =>
    node.type === 'html' ? (readTemplateTag(node.value) ?? readHtmlTag(node.value)) : undefined,
  )
  if (!tags.some((tag) => tag && (isBlockElement(tag.name) || htmlElements.has(tag.name) || tag.name === 'hr'))) {
    return dropBlankParagraph([paragraph(parseInlines(unescaped, context))])
  }
  return dropBlankParagraph(new CellReader(unescaped, tags, context).read())
}

type MarkNode = Extract<PhrasingContent, { type: 'strong' | 'emphasis' | 'delete' }>
const isMarkNode = (node: PhrasingContent): node is MarkNode =>
  node.type === 'strong' || node.type === 'emphasis' || node.type === 'delete'

/** Maximum nesting depth of marks to check; deeper marks become text. */
const maxMarks = 100

/** Converts the delimiters of marks to text if the mark starts inside an element and ends outside of it, or vice versa. */
function unwrapCrossingMarks(nodes: readonly PhrasingContent[], source: string, depth = 0): PhrasingContent[] {
  return nodes.flatMap((node): PhrasingContent[] => {
    const [first, last] = isMarkNode(node) ? [node.children[0], node.children.at(-1)] : []
    if (!isMarkNode(node) || !first || !last || depth > maxMarks) return [node]
    const children = unwrapCrossingMarks(node.children, source, depth + 1)
    if (!hasUnpairedTags(children)) return [{ ...node, children }]
    const delimiter = (start: number, end: number) =>
      withPosition({ type: 'text', value: source.slice(start, end) }, {}, start, end)
    return [delimiter(startOffset(node), startOffset(first)), ...children, delimiter(endOffset(last), endOffset(node))]
  })
}

/** Elements whose tags have a meaning; other names in angle brackets may be text. */
const inlineElements = new Set('a button code strong b em i s del kbd sup sub mark span font picture u'.split(' '))

/** Whether the nodes contain an opening or closing tag without its counterpart. */
function hasUnpairedTags(nodes: readonly PhrasingContent[]): boolean {
  const open: string[] = []
  for (const node of nodes) {
    const tag = node.type === 'html' ? readHtmlTag(node.value) : undefined
    if (!tag || tag.kind === 'void' || !(inlineElements.has(tag.name) || isBlockElement(tag.name))) continue
    if (tag.kind === 'open') open.push(tag.name)
    else if (open.pop() !== tag.name) return true
  }
  return open.length > 0
}

/** Drops a single blank paragraph: exporters write a space as a character reference into empty cells. */
function dropBlankParagraph(blocks: Block[]): Block[] {
  const [only] = blocks
  const isBlank = blocks.length === 1 && only?.type === 'paragraph' && !only.data && only.nodes.every(isBlankText)
  return isBlank ? [] : blocks
}

const isBlankText = (node: InlineNode) =>
  node.object === 'text' && node.leaves.every(({ text }) => /^[ \t\n]*$/.test(text))

/** Removes the backslashes before pipes in HTML; the parser removes them everywhere else. */
function withoutEscapedPipes(node: PhrasingContent): PhrasingContent {
  if (node.type === 'html') return { ...node, value: unescapePipes(node.value) }
  return 'children' in node ? { ...node, children: node.children.map(withoutEscapedPipes) } : node
}

function hasEscapedPipes(nodes: readonly PhrasingContent[], source: string): boolean {
  const [first, last] = [nodes[0], nodes.at(-1)]
  return first !== undefined && last !== undefined && source.slice(startOffset(first), endOffset(last)).includes('\\|')
}

const unescapePipes = (text: string) => text.replaceAll('\\|', '|')

type Part =
  | { kind: 'inlines'; nodes: readonly PhrasingContent[] }
  | { kind: 'block'; block: Block }
  | { kind: 'element'; element: CellElement }

interface CellElement {
  tag: HtmlTag
  parts: Part[]
}

class CellReader {
  readonly #nodes: readonly PhrasingContent[]
  readonly #tags: readonly (HtmlTag | undefined)[]
  readonly #context: HtmlContext
  readonly #top: CellElement = { tag: { name: '', kind: 'open', attributes: {} }, parts: [] }
  readonly #open: CellElement[] = []
  readonly #openCounts = new Map<string, number>()
  #run: PhrasingContent[] = []

  constructor(nodes: readonly PhrasingContent[], tags: readonly (HtmlTag | undefined)[], context: HtmlContext) {
    this.#nodes = nodes
    this.#tags = tags
    this.#context = context
  }

  read(): Block[] {
    const closes = closingIndexes(this.#tags)
    /**
     * Index up to which nodes are inside a `<div>` with Markdown: trying each inner `<div>` as HTML would take quadratic time.
     */
    let markdownDivEnd = -1
    for (let index = 0; index < this.#nodes.length; index++) {
      const tag = this.#tags[index]
      const close = closes.get(index)
      if (tag?.kind === 'open' && htmlElements.has(tag.name) && close !== undefined) {
        const mayContainMarkdown = tag.name === 'div' && !isCustomBlock(tag)
        const blocks = mayContainMarkdown && index <= markdownDivEnd ? undefined : this.#readHtml(index, close)
        if (blocks && (!mayContainMarkdown || blocks.every(({ type }) => type === 'images'))) {
          for (const block of blocks) this.#add({ kind: 'block', block })
          index = close
          continue
        }
        markdownDivEnd = Math.max(markdownDivEnd, close)
      }
      if (tag?.name === 'hr' && tag.kind === 'void')
        this.#add({ kind: 'block', block: { object: 'block', type: 'divider', isVoid: true, data: {} } })
      else if (tag && isBlockElement(tag.name)) this.#readTag(tag, index)
      else this.#run.push(this.#nodes[index] as PhrasingContent)
    }
    this.#endRun()
    return this.#blocksOf(this.#top.parts)
  }

  #readHtml(open: number, close: number): Block[] {
    const [first, last] = [this.#nodes[open] as PhrasingContent, this.#nodes[close] as PhrasingContent]
    const html = unescapePipes(this.#context.source.slice(startOffset(first), endOffset(last)))
    return readTopLevelHtml(parseHtml(html), html, this.#context)
  }

  /**
   * Reads the tag of a block element. A closing tag without an opening one only ends the run of inlines, or is ignored in a text
   * element.
   */
  #readTag(tag: HtmlTag, index: number): void {
    if (tag.kind === 'open') {
      if (this.#open.length >= maxDepth) this.#run.push(this.#nodes[index] as PhrasingContent)
      else this.#openElement(tag)
      return
    }
    const isOpen = tag.kind === 'close' && (this.#openCounts.get(tag.name) ?? 0) > 0
    if (!isOpen && isTextElement(this.#innermost().tag.name)) return
    this.#endRun()
    if (isOpen) this.#closeTo(tag.name)
  }

  #openElement(tag: HtmlTag): void {
    this.#endRun()
    if (isTextElement(this.#innermost().tag.name)) this.#close()
    if (tag.name === 'li' && this.#isInItem()) this.#closeTo('li')
    const element: CellElement = { tag, parts: [] }
    this.#innermost().parts.push({ kind: 'element', element })
    this.#open.push(element)
    this.#openCounts.set(tag.name, (this.#openCounts.get(tag.name) ?? 0) + 1)
  }

  /** Whether an item of the innermost list is open. */
  #isInItem(): boolean {
    return this.#open.findLast(({ tag }) => tag.name === 'li' || isList(tag.name))?.tag.name === 'li'
  }

  #innermost(): CellElement {
    return this.#open.at(-1) ?? this.#top
  }

  #close(): CellElement | undefined {
    const closed = this.#open.pop()
    if (closed) this.#openCounts.set(closed.tag.name, (this.#openCounts.get(closed.tag.name) ?? 0) - 1)
    return closed
  }

  #closeTo(name: string): void {
    while (this.#open.length > 0) if (this.#close()?.tag.name === name) return
  }

  #add(part: Part): void {
    this.#endRun()
    if (isTextElement(this.#innermost().tag.name)) this.#close()
    this.#innermost().parts.push(part)
  }

  #endRun(): void {
    const run = withoutEdgeSpaces(this.#run, this.#context.source)
    if (run.length > 0) this.#innermost().parts.push({ kind: 'inlines', nodes: run })
    this.#run = []
  }

  #blocksOf(parts: readonly Part[]): Block[] {
    const blocks: Block[] = []
    let items: CellElement[] = []
    const endItems = () => {
      if (items.length > 0) blocks.push(this.#list('ul', {}, items.map(itemPart)))
      items = []
    }
    for (const part of parts) {
      // Consecutive items without a list element form one list.
      if (part.kind === 'element' && part.element.tag.name === 'li') items.push(part.element)
      else {
        endItems()
        for (const block of this.#blocksOfPart(part)) blocks.push(block)
      }
    }
    endItems()
    return blocks
  }

  #blocksOfPart(part: Part): Block[] {
    if (part.kind === 'block') return [part.block]
    if (part.kind === 'element') return this.#read(part.element)
    const inlines = parseInlines(part.nodes, this.#context)
    return inlines.every(isBlankText) ? [] : [paragraph(inlines)]
  }

  #read({ tag: { name, attributes }, parts }: CellElement): Block[] {
    const align = alignments.get(attributes['align'])
    const aligned = align && { align }
    if (isTextElement(name)) {
      const nodes = parseInlines(
        parts.flatMap((part) => (part.kind === 'inlines' ? part.nodes : [])),
        this.#context,
      )
      if (name === 'p') return [{ ...paragraph(nodes), ...toOptionalData({ ...aligned }) }]
      const data = toOptionalData({ ...readHeadingId(attributes['id']), ...aligned })
      return [{ object: 'block', type: headingType(Number(name[1])), ...data, nodes }]
    }
    if (isList(name)) return [this.#list(name, attributes, parts)]
    const blocks = this.#blocksOf(parts)
    if (name === hintTag)
      return [{ object: 'block', type: 'hint', data: { style: readHintStyle(attributes['style']) }, nodes: blocks }]
    if (name === 'blockquote') return [{ object: 'block', type: 'blockquote', nodes: blocks }]
    const inherited = name === 'center' ? 'center' : align
    return inherited ? blocks.map((block) => withAlign(block, inherited)) : blocks
  }

  #list(name: string, attributes: HtmlTag['attributes'], parts: readonly Part[]): Block {
    const items = parts.map((part) => {
      const inner = part.kind === 'element' && part.element.tag.name === 'li' ? part.element.parts : [part]
      const { checkbox, rest } = extractCheckbox(inner)
      const blocks = this.#blocksOf(rest)
      const nodes = blocks.length === 0 ? [paragraph([])] : blocks
      const item: ListItem = { object: 'block', type: 'list-item', nodes }
      return { item, isTask: checkbox !== undefined, isChecked: checkbox?.attributes['checked'] !== undefined }
    })
    return createHtmlList(name, attributes['start'], items)
  }
}

const itemPart = (element: CellElement): Part => ({ kind: 'element', element })

function withAlign(block: Block, align: Align): Block {
  if (block.type !== 'paragraph' && !block.type.startsWith('heading-')) return block
  const { data } = block as Extract<Block, { type: 'paragraph' }>
  return data?.align ? block : ({ ...block, data: { ...data, align } } as Block)
}

/** Removes the checkbox of a task, which is the first node of an item. */
function extractCheckbox(parts: readonly Part[]): { checkbox: HtmlTag | undefined; rest: readonly Part[] } {
  const [first, ...others] = parts
  const [node, ...nodes] = first?.kind === 'inlines' ? first.nodes : []
  const tag = node?.type === 'html' ? readHtmlTag(node.value) : undefined
  if (tag?.name !== 'input' || tag.attributes['type'] !== 'checkbox') return { checkbox: undefined, rest: parts }
  return { checkbox: tag, rest: nodes.length === 0 ? others : [{ kind: 'inlines', nodes }, ...others] }
}

/** Returns the index of the closing tag for each opening tag. */
function closingIndexes(tags: readonly (HtmlTag | undefined)[]): Map<number, number> {
  const closes = new Map<number, number>()
  const open = new Map<string, number[]>()
  tags.forEach((tag, index) => {
    if (!tag || !htmlElements.has(tag.name)) return
    const opened = open.get(tag.name) ?? []
    open.set(tag.name, opened)
    if (tag.kind === 'open') opened.push(index)
    const start = tag.kind === 'close' ? opened.pop() : undefined
    if (start !== undefined) closes.set(start, index)
  })
  return closes
}

/** Removes literal spaces at the edges; those written as character references are kept. */
function withoutEdgeSpaces(nodes: readonly PhrasingContent[], source: string): PhrasingContent[] {
  const trimmed = [...nodes]
  const first = trimmed[0]
  if (first?.type === 'text') {
    const spaces = /^[ \t]*/.exec(source.slice(startOffset(first), endOffset(first)))?.[0].length ?? 0
    const value = first.value.slice(spaces)
    if (value === '') trimmed.shift()
    else if (spaces > 0) trimmed[0] = withPosition(first, { value }, startOffset(first) + spaces, endOffset(first))
  }
  const last = trimmed.at(-1)
  if (last?.type === 'text') {
    const written = source.slice(startOffset(last), endOffset(last))
    let end = written.length
    while (end > 0 && (written[end - 1] === ' ' || written[end - 1] === '\t')) end--
    const spaces = written.length - end
    const value = last.value.slice(0, last.value.length - spaces)
    if (value === '') trimmed.pop()
    else if (spaces > 0)
      trimmed[trimmed.length - 1] = withPosition(last, { value }, startOffset(last), startOffset(last) + end)
  }
  return trimmed
}

function withPosition<Node extends PhrasingContent>(
  node: Node,
  fields: Partial<Node>,
  start: number,
  end: number,
): Node {
  return { ...node, ...fields, position: { start: { offset: start }, end: { offset: end } } }
}
