export interface RootTag {
  /** Name without the namespace prefix. */
  name: string
  attributes: Map<string, string>
}

const whitespace = /[\s\uFEFF]*/y
const openingTag = /<(?:[\w.-]+:)?([\w.-]+)(?=[\s/>]|$)/y
const attribute = /\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
const insideTag = /[^<>"'\s]*/y

/** Parses the first element of an XML text, whose end may be missing; undefined if the text starts with something else. */
export function parseRootTag(text: string): RootTag | undefined {
  let at = 0
  for (;;) {
    at = skipPattern(whitespace, text, at)
    if (text.startsWith('<?', at)) at = skipPast('?>', text, at)
    else if (text.startsWith('<!--', at)) at = skipPast('-->', text, at)
    else if (/<!doctype/iy.test(text.slice(at, at + 9))) at = skipDoctype(text, at)
    else break
  }
  openingTag.lastIndex = at
  const name = openingTag.exec(text)?.[1]
  return name === undefined ? undefined : { name, attributes: parseAttributes(openingTag.lastIndex, text) }
}

function parseAttributes(start: number, text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  let at = start
  while (at < text.length && text[at] !== '>') {
    attribute.lastIndex = at
    const found = attribute.exec(text)
    if (found?.[1] !== undefined) {
      attributes.set(found[1], found[2] ?? found[3] ?? '')
      at = attribute.lastIndex
    } else {
      at = skipPattern(insideTag, text, at + 1)
    }
  }
  return attributes
}

function skipPattern(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return Math.max(at, pattern.lastIndex)
}

function skipPast(delimiter: string, text: string, at: number): number {
  const end = text.indexOf(delimiter, at)
  return end === -1 ? text.length : end + delimiter.length
}

/** Returns the offset after a document type, which may contain declarations in brackets. */
function skipDoctype(text: string, at: number): number {
  const end = skipPast('>', text, at)
  const bracket = text.slice(at, end).indexOf('[')
  return bracket === -1 ? end : skipPast('>', text, skipPast(']', text, at + bracket))
}
