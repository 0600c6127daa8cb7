import { decodeEntities } from '../content/markdown/html.ts'

// The markup of texts that are sent to translation services: `<g id="1">…</g>` encloses formatted text, and `<x id="2"/>`
// replaces something that is not translated. Ids refer to parts of the text that stay on this server.

/** Parsed markup: a text, or an element; `x` elements have no content. */
export type MarkupNode = string | { id: number; content: readonly MarkupNode[] | undefined }

export const openTag = (id: number): string => `<g id="${id}">`
export const closeTag = '</g>'
export const emptyTag = (id: number): string => `<x id="${id}"/>`

/** Escapes the characters that would be markup. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const tag = /<(\/?)([gx])(?:\s+id\s*=\s*["']?(\d{1,6})["']?)?\s*(\/?)>/giu
const otherTag = /<\/?[a-z][^<>]{0,1000}>/iu

/** Thrown for markup that a translation service has damaged, with a message for the next attempt. */
export class MarkupError extends Error {}

/** Maximum depth of tags; texts of documents have far fewer levels. */
const maxDepth = 500

/** Parses markup; fails if it has unknown or unclosed tags. */
export function parseMarkup(text: string): MarkupNode[] {
  const top: MarkupNode[] = []
  const open: { name: string; content: MarkupNode[] }[] = [{ name: '', content: top }]
  let end = 0
  const addText = (piece: string) => {
    if (piece === '') return
    if (otherTag.test(piece)) throw new MarkupError('The text contains a tag that the source does not have')
    const { name, content } = current()
    // Some services add a space or text to empty elements.
    if (name !== 'x') content.push(decodeEntities(piece))
  }
  const current = () => open.at(-1) as (typeof open)[number]
  for (const match of text.matchAll(tag)) {
    const [whole, slash, letter = '', number, isEmpty] = match
    const name = letter.toLowerCase()
    addText(text.slice(end, match.index))
    end = match.index + whole.length
    if (slash) {
      if (open.length === 1 || current().name !== name) throw new MarkupError(`The tag </${name}> has no opening tag`)
      open.pop()
      continue
    }
    if (number === undefined) throw new MarkupError(`A tag <${name}> has no id`)
    const content: MarkupNode[] = []
    current().content.push({ id: Number(number), content: name === 'x' ? undefined : content })
    if (!isEmpty) open.push({ name, content })
    if (open.length > maxDepth) throw new MarkupError('The tags are nested too deeply')
  }
  addText(text.slice(end))
  if (open.length > 1) throw new MarkupError(`A tag <${current().name}> is not closed`)
  return top
}

/** Returns the text of markup without its tags. */
export const textOfMarkup = (nodes: readonly MarkupNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOfMarkup(node.content ?? []))).join('')

/** Fails unless a translation has each tag of the source exactly once, inside the same other tags. */
export function assertSameTags(source: readonly MarkupNode[], translation: readonly MarkupNode[]): void {
  const [expected, found] = [collectTags(source), collectTags(translation)]
  for (const [id, place] of found) {
    const wanted = expected.get(id)
    if (wanted === undefined) throw new MarkupError(`The tag with the id ${id} is not in the source`)
    if (wanted !== place) throw new MarkupError(`The tag with the id ${id} is at another level than in the source`)
  }
  for (const id of expected.keys()) if (!found.has(id)) throw new MarkupError(`The tag with the id ${id} is missing`)
}

/** Returns the kind and the parent of each tag. */
function collectTags(nodes: readonly MarkupNode[], parent = 0, tags = new Map<number, string>()): Map<number, string> {
  for (const node of nodes) {
    if (typeof node === 'string') continue
    if (tags.has(node.id)) throw new MarkupError(`The tag with the id ${node.id} occurs more than once`)
    tags.set(node.id, `${node.content ? 'g' : 'x'} ${parent}`)
    collectTags(node.content ?? [], node.id, tags)
  }
  return tags
}
