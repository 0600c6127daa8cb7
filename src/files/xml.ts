export interface RootTag {
  /** Name without the namespace prefix. */
  name: string
  attributes: Map<string, string>
}

const spaces = /[\s\uFEFF]*/y
const opening = /<(?:[\w.-]+:)?([\w.-]+)(?=[\s/>]|$)/y
const attribute = /\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
const insideTag = /[^<>"'\s]*/y

/** Parses the first element of an XML text, whose end may be missing; undefined if the text starts with something else. */
export function rootTagOf(text: string): RootTag | undefined {
  let at = 0
  for (;;) {
    at = skip(spaces, text, at)
    if (text.startsWith('<?', at)) at = after('?>', text, at)
    else if (text.startsWith('<!--', at)) at = after('-->', text, at)
    else if (/<!doctype/iy.test(text.slice(at, at + 9))) at = afterDoctype(text, at)
    else break
  }
  opening.lastIndex = at
  const name = opening.exec(text)?.[1]
  return name === undefined ? undefined : { name, attributes: attributesAt(opening.lastIndex, text) }
}

function attributesAt(start: number, text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  let at = start
  while (at < text.length && text[at] !== '>') {
    attribute.lastIndex = at
    const found = attribute.exec(text)
    if (found?.[1] !== undefined) {
      attributes.set(found[1], found[2] ?? found[3] ?? '')
      at = attribute.lastIndex
    } else {
      at = skip(insideTag, text, at + 1)
    }
  }
  return attributes
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return Math.max(at, pattern.lastIndex)
}

function after(mark: string, text: string, at: number): number {
  const end = text.indexOf(mark, at)
  return end === -1 ? text.length : end + mark.length
}

/** Returns the offset after a document type, which may contain declarations in brackets. */
function afterDoctype(text: string, at: number): number {
  const end = after('>', text, at)
  const bracket = text.slice(at, end).indexOf('[')
  return bracket === -1 ? end : after('>', text, after(']', text, at + bracket))
}
