import { type MdTable, type PhrasingContent, type Root, endOffset, startOffset } from './mdast.ts'

// Attribute lists of other tools: `{: .class #id }`, `{ .class }`, `{#id}`, `{% #id %}`, and `{/* #id */}` after a heading. Ids become
// anchors; the rest is not shown.

type Paragraph = Extract<Root['children'][number], { type: 'paragraph' }>
type TextNode = Extract<PhrasingContent, { type: 'text' }>

interface AttributeList {
  /** The list as written. */
  text: string
  form: '' | ':' | '%' | '/*'
  first: 'id' | 'class' | 'pair' | 'word' | undefined
  hasWords: boolean
  id: string | undefined
  attributes: Readonly<Record<string, string>>
}

/** Maximum length of a list; each brace may start one. */
const braces = /\{([^{}\n]{1,1000})\}/y
const attribute =
  /[ \t]*(?:#([\p{L}\p{N}_.:-]+)|(\.[\p{L}\p{N}_:/-]+)|([\w:-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"'=]+))|([\w-]+))/uy

/** Reads the list that starts at an offset of a text. */
function readList(text: string, at: number): AttributeList | undefined {
  braces.lastIndex = at
  const [written, inner = ''] = braces.exec(text) ?? []
  if (written === undefined) return undefined
  const form = inner.startsWith('%') ? '%' : inner.startsWith('/*') ? '/*' : inner.startsWith(':') ? ':' : ''
  const end = form === '%' ? '%' : form === '/*' ? '*/' : ''
  if (!inner.endsWith(end) || inner.length < form.length + end.length) return undefined
  const own = inner.slice(form.length, inner.length - end.length).trim()
  const list: AttributeList = { text: written, form, first: undefined, hasWords: false, id: undefined, attributes: {} }
  const attributes: Record<string, string> = {}
  for (let from = 0; from < own.length; from = attribute.lastIndex) {
    attribute.lastIndex = from
    const [whole, id, className, name, double, single, bare] = attribute.exec(own) ?? []
    if (whole === undefined) return form === ':' ? { ...list, first: 'word', hasWords: true } : undefined
    const kind = id !== undefined ? 'id' : className !== undefined ? 'class' : name !== undefined ? 'pair' : 'word'
    list.first ??= kind
    list.id ??= id
    list.hasWords ||= kind === 'word'
    if (name !== undefined) attributes[name.toLowerCase()] ??= double ?? single ?? bare ?? ''
  }
  if (form === '/*' && (list.first !== 'id' || list.text.includes('='))) return undefined
  return list.first === undefined ? undefined : { ...list, attributes }
}

/** Names of blocks of templates that begin like an id. */
const templateBlocks: ReadonlySet<string | undefined> = new Set('if each key await snippet with unless'.split(' '))

/** Where a list is: alone in its line, at the end of a line, at the end of a heading, or directly behind an element. */
type Place = 'line' | 'end' | 'heading' | 'link' | 'element'

function isListIn(place: Place, { form, first, hasWords, id }: AttributeList): boolean {
  switch (place) {
    case 'line':
      return form === ':' || (form !== '/*' && first !== 'word')
    case 'end':
      if (hasWords || form === '/*') return false
      return form !== '' || ((first === 'id' || first === 'class') && !templateBlocks.has(id))
    case 'heading':
      return form === ':' || !hasWords
    case 'link':
      return form === ':' || (first !== 'word' && form !== '/*')
    case 'element':
      return form === ':' || ((first === 'id' || first === 'class') && form !== '/*')
  }
}

/** Whether a line of Markdown is nothing but an attribute list. */
export function isAttributeLine(line: string): boolean {
  const text = line.trim()
  const list = text.startsWith('{') ? readList(text, 0) : undefined
  return list !== undefined && list.text === text && isListIn('line', list)
}

/** Whether a text would be parsed as an attribute list: behind an element, or at the end of a block. */
export function wouldBeAttributeList(text: string, at: number, context: { before: string; after: string }): boolean {
  const list = readList(text, at)
  if (!list) return false
  if (at === 0 && /\S/.test(context.before)) return isListIn('link', list) || isListIn('element', list)
  const isAtEnd = context.after === '' && text.slice(at + list.text.length).trim() === ''
  return isAtEnd && (isListIn('end', list) || isListIn('heading', list) || isListIn('line', list))
}

/** The target of links that an id in a list becomes. */
function anchorNode(id: string, offset: number): PhrasingContent {
  const position = { start: { offset }, end: { offset } }
  return { type: 'html', value: `<a id="${id}"/>`, position } as unknown as PhrasingContent
}

/** Returns the list at the end of a text and the text before it; undefined for a list with a backslash before it. */
function readListAtEnd(value: string, written: string, isAtLineStart: boolean): AttributeList | undefined {
  const at = value.endsWith('}') ? value.lastIndexOf('{') : -1
  const list = at === -1 ? undefined : readList(value, at)
  if (!list || at + list.text.length !== value.length || !written.endsWith(list.text)) return undefined
  if (written.at(-list.text.length - 1) === '\\') return undefined
  let start = at
  while (start > 0 && isBlank(value[start - 1])) start--
  const isAlone = start === 0 ? isAtLineStart : value[start - 1] === '\n'
  const place = isAlone ? 'line' : start < at ? 'end' : undefined
  return place && isListIn(place, list) ? list : undefined
}

const isBlank = (character: string | undefined) => character === ' ' || character === '\t'

/**
 * Returns a paragraph without the attribute lists in lines of their own and at its end. Ids are anchors at its end; a paragraph of
 * lists only has no other children.
 */
export function withoutAttributeLists(paragraph: Paragraph, source: string): Paragraph {
  const children = [...paragraph.children]
  const [ids, leadingIds]: [string[], string[]] = [[], []]
  const last = children.at(-1)
  if (last?.type === 'text' && last.value.trimEnd().endsWith('}')) {
    let [value, written] = [last.value.trimEnd(), source.slice(startOffset(last), endOffset(last)).trimEnd()]
    const isAtLineStart = children.length === 1
    for (let list = readListAtEnd(value, written, isAtLineStart); list;) {
      if (list.id !== undefined) ids.push(list.id)
      value = value.slice(0, -list.text.length).trimEnd()
      written = written.slice(0, -list.text.length).trimEnd()
      list = readListAtEnd(value, written, isAtLineStart)
    }
    if (value === '') children.pop()
    else if (value.length < last.value.trimEnd().length) children[children.length - 1] = { ...last, value }
  }
  const first = children[0]
  if (first?.type === 'text' && first.value.startsWith('{')) {
    let [at, start] = [0, startOffset(first)]
    for (let end = first.value.indexOf('\n'); end !== -1; end = first.value.indexOf('\n', at)) {
      const line = first.value.slice(at, end).trim()
      const list = isAttributeLine(line) && source.startsWith(line, start) ? readList(line, 0) : undefined
      if (!list) break
      if (list.id !== undefined) leadingIds.push(list.id)
      at = end + 1
      while (isBlank(first.value[at])) at++
      start = source.indexOf('\n', start) + 1
      while (isBlank(source[start]) || source[start] === '>') start++
    }
    const position = { start: { offset: start }, end: { offset: endOffset(first) } }
    if (at > 0) children[0] = { ...first, value: first.value.slice(at), position } as unknown as TextNode
  }
  const isSame =
    children.length === paragraph.children.length && children.every((node, at) => node === paragraph.children[at])
  if (isSame) return paragraph
  const offset = endOffset(paragraph)
  return {
    ...paragraph,
    children: [...children, ...[...leadingIds, ...ids.toReversed()].map((id) => anchorNode(id, offset))],
  }
}

const marks: ReadonlySet<string | undefined> = new Set(['strong', 'emphasis', 'delete', 'inlineCode'])
const links: ReadonlySet<string | undefined> = new Set(['link', 'image', 'linkReference', 'imageReference'])

/** Returns inlines without the attribute lists directly behind links, images, marked texts and code. */
export function withoutInlineLists(nodes: readonly PhrasingContent[], source: string): readonly PhrasingContent[] {
  if (!nodes.some((node, index) => index > 0 && node.type === 'text' && node.value.startsWith('{'))) return nodes
  const kept: PhrasingContent[] = []
  for (const node of nodes) {
    const place = node.type === 'text' && node.value.startsWith('{') ? placeBehind(kept.at(-1), source) : undefined
    if (node.type !== 'text' || !place) {
      kept.push(node)
      continue
    }
    let start = startOffset(node)
    let at = 0
    for (let list = readList(node.value, at); list; list = readList(node.value, at)) {
      if (!isListIn(place, list) || !source.startsWith(list.text, start)) break
      const last = kept.at(-1)
      if (last?.type === 'image') kept[kept.length - 1] = { ...last, data: { ...list.attributes } }
      if (list.id !== undefined) kept.push(anchorNode(list.id, start))
      at += list.text.length
      start += list.text.length
    }
    const position = { start: { offset: start }, end: { offset: endOffset(node) } }
    if (at === 0) kept.push(node)
    else if (at < node.value.length)
      kept.push({ ...node, value: node.value.slice(at), position } as unknown as TextNode)
  }
  return kept
}

function placeBehind(node: PhrasingContent | undefined, source: string): Place | undefined {
  if (marks.has(node?.type)) return 'element'
  // A bare URL is no link with text.
  return node && links.has(node.type) && /[)\]>]/.test(source.charAt(endOffset(node) - 1)) ? 'link' : undefined
}

/** Splits an attribute list from the end of a heading. */
export function splitHeadingList(
  children: readonly PhrasingContent[],
  source: string,
): { id: string | undefined; rest: readonly PhrasingContent[] } | undefined {
  const last = children.at(-1)
  if (last?.type !== 'text' || !last.value.endsWith('}')) return undefined
  const at = last.value.lastIndexOf('{')
  const list = readList(last.value, at)
  if (!list || at + list.text.length !== last.value.length || !isListIn('heading', list)) return undefined
  const before = last.value.charAt(at - 1)
  const isApart = at > 0 && (before === ' ' || before === '\t' || list.form === ':' || list.form === '/*')
  // A brace with a backslash before it is text.
  const isWritten = source.slice(startOffset(last), endOffset(last)).endsWith(before + list.text)
  if (!isApart || !isWritten) return undefined
  const value = last.value.slice(0, at).trimEnd()
  if (value === '' && children.length === 1) return undefined
  return { id: list.id, rest: value === '' ? children.slice(0, -1) : [...children.slice(0, -1), { ...last, value }] }
}

/** Returns a table without the attribute lists in the lines below it, which the parser reads as rows, its end, and their ids. */
export function splitTableLists(
  table: MdTable,
  source: string,
): { table: MdTable; end: number; ids: readonly string[] } {
  const rows = [...table.children]
  const ids: string[] = []
  for (let last = rows.at(-1); rows.length > 1 && last; last = rows.at(-1)) {
    const line = source.slice(startOffset(last), endOffset(last)).trim()
    if (!isAttributeLine(line)) break
    const id = readList(line, 0)?.id
    if (id !== undefined) ids.push(id)
    rows.pop()
  }
  const last = rows.at(-1)
  if (!last || rows.length === table.children.length) return { table, end: endOffset(table), ids: [] }
  return { table: { ...table, children: rows }, end: endOffset(last), ids: ids.toReversed() }
}

/** Returns a paragraph of anchors. */
export function anchorParagraph(ids: readonly string[], offset: number): Paragraph {
  const position = { start: { offset }, end: { offset } }
  return { type: 'paragraph', children: ids.map((id) => anchorNode(id, offset)), position } as unknown as Paragraph
}
