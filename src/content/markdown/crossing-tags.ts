import { InlineBuilder, addMark } from '../document/build.ts'
import type { InlineNode, Mark } from '../document/nodes.ts'
import { type HtmlTag, readHtmlTag } from './html.ts'
import { readElementMark } from './element-marks.ts'
import { findPairedTags } from './template-tags.ts'

// Tags that are not siblings of each other, because they cross marks: `*<b>a*</b>`. In the document nothing is between them, so that
// they would be parsed as an element when they are printed; they are one already.

/** Content of an element: Markdown between two tags, or HTML. */
export interface ElementContent {
  source: string
  read(marks: readonly Mark[], out: InlineBuilder): void
}

/** Adds the element of a tag; returns false if it is not supported. */
type AddElement = (tag: HtmlTag, inner: ElementContent, out: InlineBuilder) => boolean

/**
 * Reads pairs of tags among inlines as marks and links. A tag of a template without its counterpart becomes text; in a link, the tags
 * of links without counterparts are dropped.
 */
export function joinCrossingTags(
  nodes: readonly InlineNode[],
  isInLink: boolean,
  addElement: AddElement,
): readonly InlineNode[] {
  if (!nodes.some(isHtml)) return nodes
  const tags = nodes.map((node) => (isHtml(node) ? readHtmlTag(node.data.html) : undefined))
  const partners = pairElements(tags)
  const isTemplate = nodes.map((node) => isHtml(node) && node.data.html.startsWith('{%'))
  const templates = isTemplate.includes(true) ? findPairedTags(nodes.map(htmlOf)) : undefined
  const isLone = (index: number) => isTemplate[index] === true && !templates?.has(index)
  const isDropped = (index: number) => isInLink && tags[index]?.name === 'a' && !partners.has(index)
  if (partners.size === 0 && !nodes.some((_, index) => isLone(index) || isDropped(index))) return nodes
  const marks = new OpenMarks()
  const root = new InlineBuilder()
  let out = root
  let linkEnd: number | undefined
  nodes.forEach((node, index) => {
    const [tag, partner] = [tags[index], partners.get(index)]
    if (node.object === 'text') for (const leaf of node.leaves) out.addText(leaf.text, marks.around(leaf.marks))
    else if (isLone(index)) out.addText(htmlOf(node), marks.around([]))
    else if (isDropped(index)) return
    else if (!tag || partner === undefined) out.addElement(node)
    else if (tag.name !== 'a') marks.toggle(tag, Math.min(index, partner))
    else if (linkEnd === undefined) {
      linkEnd = partner
      out = new InlineBuilder()
    } else if (linkEnd === index) {
      const inner = out.build()
      const read = (_: readonly Mark[], into: InlineBuilder) => addInlines(inner, into)
      if (!addElement(tags[partner] as HtmlTag, { source: '', read }, root)) read([], root)
      out = root
      linkEnd = undefined
    }
  })
  return root.build()
}

const isHtml = (node: InlineNode) => node.object === 'inline' && node.type === 'html'

const htmlOf = (node: InlineNode): string => (node.object === 'inline' && node.type === 'html' ? node.data.html : '')

function addInlines(nodes: readonly InlineNode[], out: InlineBuilder): void {
  for (const node of nodes) {
    if (node.object === 'text') for (const { text, marks } of node.leaves) out.addText(text, marks)
    else out.addElement(node)
  }
}

/** Returns the index of the other tag for each tag of an element with a meaning. */
function pairElements(tags: readonly (HtmlTag | undefined)[]): Map<number, number> {
  const partners = new Map<number, number>()
  const open = new Map<string, number[]>()
  tags.forEach((tag, index) => {
    if (!tag || tag.kind === 'void') return
    const opened = open.get(tag.name) ?? []
    if (tag.kind === 'open') open.set(tag.name, opened)
    if (tag.kind === 'open') opened.push(index)
    const partner = tag.kind === 'close' ? opened.pop() : undefined
    if (partner === undefined || !hasMeaning(tags[partner] as HtmlTag)) return
    partners.set(partner, index)
    partners.set(index, partner)
  })
  return partners
}

const isLink = ({ name, attributes }: HtmlTag) => name === 'a' && Object.keys(attributes).length > 0

/** Elements of which only the content remains, because it is not their text. */
const unsupported: ReadonlySet<string> = new Set(['button', 'code', 'i', 'picture'])

const hasMeaning = (tag: HtmlTag): boolean =>
  unsupported.has(tag.name) ||
  isLink(tag) ||
  readElementMark(tag, []) !== undefined ||
  tag.attributes['data-tag'] === 'emoji'

/** The marks of the elements that are open, which may end in any order. */
class OpenMarks {
  readonly #marks = new Map<number, Mark>()
  /** Marks of one type, of which the last one is open. */
  readonly #byType = new Map<Mark['type'], { mark: Mark; id: number }[]>()

  /** Opens or closes an element, identified by the index of its opening tag. */
  toggle(tag: HtmlTag, id: number): void {
    const mark = tag.kind === 'open' ? readElementMark(tag, []) : this.#marks.get(id)
    if (!mark) return
    const same = this.#byType.get(mark.type) ?? []
    this.#byType.set(mark.type, same)
    if (tag.kind === 'open') {
      same.push({ mark, id })
      this.#marks.set(id, mark)
    } else this.#marks.delete(id)
    for (let last = same.at(-1); last && !this.#marks.has(last.id); last = same.at(-1)) same.pop()
  }

  /** Returns the marks of a text with those around it; its own marks replace those of the same type. */
  around(own: readonly Mark[]): readonly Mark[] {
    let marks = own
    for (const [type, open] of this.#byType) {
      const last = open.at(-1)
      if (last && !own.some((one) => one.type === type)) marks = addMark(marks, last.mark)
    }
    return marks
  }
}
