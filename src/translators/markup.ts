import { decodeEntities } from '../content/markdown/html.ts'

const tag = /<(\/?)([gx])(?:\s+id\s*=\s*(?:"(\d+)"|'(\d+)'|(\d+)))?\s*(\/?)>/gi

/**
 * Returns a translated text in the notation of the request. Services write tags as HTML (`<x id="2"></x>`), quote attributes
 * differently, and use other entities. Tags that the notation does not have are not changed, so that a later check finds them.
 */
export function normalizeMarkup(text: string): string {
  const parts: string[] = []
  let end = 0
  for (const match of text.matchAll(tag)) {
    parts.push(normalizeText(text.slice(end, match.index)), normalizeTag(match))
    end = match.index + match[0].length
  }
  return [...parts, normalizeText(text.slice(end))].join('')
}

function normalizeTag([whole, slash, name = '', double, single, bare, selfClosing]: RegExpExecArray): string {
  const isPlaceholder = name.toLowerCase() === 'x'
  if (slash) return isPlaceholder ? '' : '</g>'
  const id = double ?? single ?? bare
  if (id === undefined) return whole
  if (isPlaceholder) return `<x id="${id}"/>`
  return selfClosing ? `<g id="${id}"></g>` : `<g id="${id}">`
}

/** Decodes entities except those of `<`, `>` and `&`, and escapes these characters where they are not part of a tag. */
function normalizeText(text: string): string {
  return text.replace(/<[a-z/!?][^<>]*>|&(?:#x?[\da-f]{1,7}|\w{1,32});|[&<>]/gi, (found) => {
    const decoded = decodeEntities(found)
    if (found.length > 1 && decoded === found) return found.replace(/^&/, '&amp;')
    return escapes.get(decoded) ?? decoded
  })
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])
