import { decodeEntities } from './html.ts'
import { splitHeadingList } from './attribute-lists.ts'
import type { PhrasingContent } from './mdast.ts'

/** The text of a heading without the explicit id at its end. */
interface HeadingText {
  id: string | undefined
  rest: readonly PhrasingContent[]
}

/** Splits an explicit id from a heading: `## Title <a href="#x" id="x"></a>`, or `## Title {#x}` of other documentation tools. */
export function splitHeadingId(children: readonly PhrasingContent[], source: string): HeadingText {
  return splitAnchor(children) ?? splitHeadingList(children, source) ?? { id: undefined, rest: children }
}

function splitAnchor(children: readonly PhrasingContent[]): HeadingText | undefined {
  const [open, close] = children.slice(-2)
  const id =
    open?.type === 'html' && close?.type === 'html' && close.value === '</a>' ? anchorId(open.value) : undefined
  if (id === undefined) return undefined
  const rest = children.slice(0, -2)
  const last = rest.at(-1)
  if (last?.type !== 'text') return { id: decodeEntities(id), rest }
  // Only spaces, tabs and newlines: a byte order mark, which `\s` matches, is part of the text.
  const value = last.value.replace(/(?<![ \t\n])[ \t\n]+$/, '')
  return { id: decodeEntities(id), rest: value === '' ? rest.slice(0, -1) : [...rest.slice(0, -1), { ...last, value }] }
}

function anchorId(tag: string): string | undefined {
  const match = /^<a\s(?:[^>]*\s)?id="([^"]*)"/.exec(tag)
  // The end of the tag is checked separately: within the pattern the rest would be scanned again for every id.
  return match && tag.indexOf('>', match[0].length) === tag.length - 1 ? match[1] : undefined
}
