import { directiveTag } from './directives.ts'
import type { BlockTag } from './block-tag.ts'

// Admonitions and content tabs of MkDocs have an indented body: `!!! note "Title"`, `???` if they are collapsed, and `=== "Tab"`. The
// parser gets their first line as the marker of a list item, which has a body with the same indentation.

/** The marker of a list item with content in the fifth column; no list of a page is likely to have it. */
export const admonitionMarker = '0)  '

const admonitionLine = /^([ \t]*)(!!!|\?\?\?\+?)[ \t]+([\w-]+)((?:[ \t]+[\w-]+)*)(?:[ \t]+"(.*)")?$/
const tabLine = /^([ \t]*)===(?:\+|!|\+!|!\+)?[ \t]+"(.*)"$/
const bodyLine = /^([ \t]*)\S/

/** Whether a text may contain a line that starts an admonition or a tab. */
export const mayHaveAdmonition = (text: string): boolean =>
  text.includes('!!!') || text.includes('???') || text.includes('===')

/** Reads a line of the source that starts an admonition or a tab. */
export function readAdmonition(line: string, lineStart: number, source: string): BlockTag | undefined {
  const written = line.trimEnd()
  const match = admonitionLine.exec(written)
  if (!match) return readTab(written, lineStart, source)
  const [, indent = '', mark = '', kind = '', , title] = match
  if (!hasBody(source, lineStart + line.length, indent)) return undefined
  const type = mark === '!!!' ? kind.toLowerCase() : 'details'
  const [start, end] = [lineStart + indent.length, lineStart + written.length]
  const isNamed = title !== undefined && title !== ''
  const words = isNamed ? title : type === 'details' ? kind.charAt(0).toUpperCase() + kind.slice(1) : undefined
  return {
    name: directiveTag,
    attributes: { type, ...(words !== undefined && { title: words }), ...(mark.endsWith('+') && { open: 'true' }) },
    rest: '',
    start,
    end,
    isItem: true,
    ...(isNamed && { title: { start: end - 1 - title.length, end: end - 1 } }),
  }
}

function readTab(line: string, lineStart: number, source: string): BlockTag | undefined {
  const [, indent = '', title] = tabLine.exec(line) ?? []
  if (title === undefined || !hasBody(source, lineStart + line.length, indent)) return undefined
  const start = lineStart + indent.length
  // An exclamation mark separates tabs from those before them.
  const rest = /^[=+]*!/.test(line.slice(indent.length)) ? '!' : ''
  return { name: 'tab', attributes: { title }, rest, start, end: lineStart + line.length, isItem: true }
}

/** Maximum number of empty lines between the first line of an admonition and its body. */
const maxEmptyLines = 3

/** Whether the next line with text is indented by four columns more. */
function hasBody(source: string, end: number, indent: string): boolean {
  let at = end
  for (let count = 0; count <= maxEmptyLines; count++) {
    const start = source.indexOf('\n', at) + 1
    if (start === 0) return false
    const next = source.indexOf('\n', start)
    const blanks = bodyLine.exec(source.slice(start, next === -1 ? source.length : next))?.[1]
    if (blanks !== undefined) return blanks.startsWith(indent) && /^(?: {4}|\t)/.test(blanks.slice(indent.length))
    at = start
  }
  return false
}
