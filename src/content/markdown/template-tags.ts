import { type PhrasingContent, endOffset, startOffset } from './mdast.ts'
import { type HtmlTag, readHtmlTag } from './html.ts'

// Block tags inside of a text, as in a cell of a table: `one {% hint %} two {% endhint %}`. Only pairs are tags, because a text about
// tags rarely has both; the printer escapes the closing ones of a text.

const templateTag = /\{%[\s-]*(\/)?([A-Za-z][\w-]*)((?:[^%{\n]|%(?!\})|\{(?!%))*)%\}/g
const attribute = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const mayContainPair = /\{%[\s-]*(?:end|\/)/

/** Prefix of the names of block tags, which no element has. */
export const templatePrefix = '{'

type TextNode = Extract<PhrasingContent, { type: 'text' }>

/** Tags of conditions and loops, and those of their other parts, which have no closing tags. */
const conditions: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'for'])
const alternatives: ReadonlySet<string> = new Set(['else', 'elsif', 'elif', 'elseif', 'when'])

/** Whether a tag begins another part of a condition: `{% else %}`. */
export const isAlternative = (name: string): boolean => alternatives.has(name)

/** Whether a condition restricts who may read its content, which must not be shown to everybody. */
export const isRestriction = (condition: string): boolean => /\bvisitor\b/.test(condition)

interface Found {
  node: TextNode
  name: string
  isClosing: boolean
  isRestriction: boolean
  /** Offsets in the text, and of the start in the source. */
  start: number
  end: number
  place: number
}

/** Splits texts around the block tags in them, which become HTML nodes; tags for which `isText` returns true remain text. */
export function splitTemplateTags(
  nodes: readonly PhrasingContent[],
  source: string,
  isText: (name: string) => boolean = () => false,
): readonly PhrasingContent[] {
  if (!nodes.some((node) => node.type === 'text' && mayContainPair.test(node.value))) return nodes
  const tags = textsOf(nodes).flatMap((node) => findTags(node, source))
  const paired = pairTags(
    tags.filter(({ name }) => name === 'if' || !isText(name)),
    isText('if'),
  )
  if (paired.size === 0) return nodes
  return nodes.flatMap((node): PhrasingContent[] => {
    const own = node.type === 'text' ? paired.get(node) : undefined
    return node.type === 'text' && own ? splitText(node, own) : [node]
  })
}

/** Returns the tags of a text, except those behind a backslash; a text in which other characters of tags are escaped has none. */
function findTags(node: TextNode, source: string): Found[] {
  const offset = startOffset(node)
  const written = Array.from(source.slice(offset, endOffset(node)).matchAll(templateTag))
  const inValue = Array.from(node.value.matchAll(templateTag))
  if (inValue.length !== written.length) return []
  return inValue.flatMap(([tag, slash, word = '', rest = ''], index): Found[] => {
    const { index: start } = inValue[index] as RegExpExecArray
    const { 0: same, index: at } = written[index] as RegExpExecArray
    const place = offset + at
    if (same !== tag || source[place - 1] === '\\') return []
    const position = { start, end: start + tag.length, place }
    return [{ node, ...readName(slash, word), isRestriction: isRestriction(rest), ...position }]
  })
}

function readName(slash: string | undefined, word: string): Pick<Found, 'name' | 'isClosing'> {
  if (slash !== undefined) return { name: word, isClosing: true }
  const isClosing = word.startsWith('end')
  return { name: isClosing ? word.slice('end'.length) : word, isClosing }
}

/**
 * Pairs the tags of texts by node. If it `needsParts`, a condition is a pair only if it has several parts; the tags of a restriction are
 * shown, so that its author notices that it has no effect.
 */
function pairTags(tags: readonly Found[], needsParts: boolean): Map<TextNode, Found[]> {
  const open: Found[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  const pairs: Found[] = []
  const withParts = new Set<Found>()
  const restricted = new Set<Found>()
  for (const tag of tags) {
    const around = open.at(-1)
    if (isAlternative(tag.name)) {
      if (around) withParts.add(around)
      if (around && tag.isRestriction) restricted.add(around)
    } else if (!tag.isClosing) {
      open.push(tag)
      if (tag.isRestriction) restricted.add(tag)
      count(tag.name, 1)
    } else if (counts.get(tag.name)) {
      for (let last = open.pop(); last; last = open.pop()) {
        count(last.name, -1)
        if (last.name !== tag.name) continue
        const isForeign = withParts.has(last) && !restricted.has(last)
        if (!needsParts || tag.name !== 'if' || isForeign) pairs.push(last, tag)
        break
      }
    }
  }
  const paired = new Set(pairs)
  let depth = 0
  const kept = tags.filter((tag) => {
    if (isAlternative(tag.name)) return depth > 0
    if (paired.has(tag) && conditions.has(tag.name)) depth += tag.isClosing ? -1 : 1
    return paired.has(tag)
  })
  const byNode = new Map<TextNode, Found[]>()
  for (const tag of kept) {
    const known = byNode.get(tag.node)
    if (known) known.push(tag)
    else byNode.set(tag.node, [tag])
  }
  return byNode
}

/** Returns the indexes of the tags among some texts that are pairs; other texts are ignored. */
export function findPairedTags(texts: readonly string[]): ReadonlySet<number> {
  const paired = new Set<number>()
  const open = new Map<string, number[]>()
  texts.forEach((text, index) => {
    const tag = readTemplateTag(text)
    if (!tag) return
    const opened = open.get(tag.name) ?? []
    open.set(tag.name, opened)
    if (tag.kind === 'open') opened.push(index)
    const partner = tag.kind === 'close' ? opened.pop() : undefined
    if (partner !== undefined) paired.add(partner).add(index)
  })
  let depth = 0
  texts.forEach((text, index) => {
    const tag = readTemplateTag(text)
    const name = tag?.name.slice(templatePrefix.length) ?? ''
    if (paired.has(index) && conditions.has(name)) depth += tag?.kind === 'open' ? 1 : -1
    else if (depth > 0 && isAlternative(name)) paired.add(index)
  })
  return paired
}

function splitText(node: TextNode, tags: readonly Found[]): PhrasingContent[] {
  const parts: PhrasingContent[] = []
  const add = (type: 'text' | 'html', value: string, from: number, to: number) => {
    const position = { start: { offset: from }, end: { offset: to } }
    if (to > from) parts.push({ type, value, position } as PhrasingContent)
  }
  let [at, from] = [0, startOffset(node)]
  for (const { start, end, place } of tags) {
    add('text', node.value.slice(at, start), from, place)
    at = end
    from = place + end - start
    add('html', node.value.slice(start, end), place, from)
  }
  add('text', node.value.slice(at), from, endOffset(node))
  return parts
}

/** Returns the texts outside of code elements. */
function textsOf(nodes: readonly PhrasingContent[]): TextNode[] {
  const texts: TextNode[] = []
  let depth = 0
  for (const node of nodes) {
    if (node.type === 'text' && depth === 0) texts.push(node)
    const tag = node.type === 'html' && /code/i.test(node.value) ? readHtmlTag(node.value) : undefined
    if (tag?.name !== 'code') continue
    if (tag.kind === 'open') depth++
    else if (tag.kind === 'close' && depth > 0) depth--
  }
  return texts
}

/** Reads a block tag as a tag of HTML; its name has a prefix. */
export function readTemplateTag(text: string): HtmlTag | undefined {
  if (!text.startsWith('{%')) return undefined
  const [, slash, word = '', rest = ''] = text.matchAll(templateTag).next().value ?? []
  if (word === '') return undefined
  const { name, isClosing } = readName(slash, word)
  const attributes = Object.fromEntries(
    Array.from(rest.matchAll(attribute), ([, key = '', double, single]) => [key, double ?? single ?? '']),
  )
  return { name: templatePrefix + name, kind: isClosing ? 'close' : 'open', attributes }
}
