import { linkDestination } from './escape.ts'
import { contentOf, targetOf } from './summary-match.ts'
import { type Line, bulletWidth, itemParts } from './summary-source.ts'
import {
  type SummaryEntry,
  type SummaryGroup,
  type SummaryItem,
  type ReadTexts,
  indentWidth,
  dividerLine,
  pageDestination,
  printContent,
  printGroup,
  printLinkTitle,
  printSummaryTitle,
  withoutIndent,
} from './summary.ts'

/** Returns the lines of an entry as they are in the source, with the given indentation. */
export function reindented(lines: readonly Line[], indent: string): readonly Line[] {
  const [first, ...others] = lines
  if (!first) return lines
  const parts = itemParts(first.text)
  if (parts.indent === indent) return lines
  const width = bulletWidth(parts.bullet)
  const inner = (text: string) =>
    text.trim() === '' ? text : indent + ' '.repeat(width) + withoutIndent(text, indentWidth(parts.indent) + width)
  return [
    { ...first, text: indent + first.text.slice(parts.indent.length) },
    ...others.map((line) => ({ ...line, text: inner(line.text) })),
  ]
}

/** Prints the lines of a new item in the style of the source. */
export function printItemLines(item: SummaryItem, indent: string, bullet: string, newline: string): Line[] {
  const print = (marker: string) => {
    const content = printContent(item, indent + ' '.repeat(bulletWidth(marker) - 2))
    return `${indent}${marker}${content}`.split('\n').map((text) => ({ text, end: newline }))
  }
  const lines = print(/\s$/.test(bullet) ? bullet : `${bullet} `)
  return dividerLine.test(lines[0]?.text ?? '') ? print('* ') : lines
}

/** Prints the lines of an edited item; unchanged parts are kept as written. */
export function editItemLines(
  before: { entry: SummaryEntry; lines: readonly Line[] },
  item: SummaryItem,
  indent: string,
  texts: ReadTexts,
  newline: string,
): Line[] {
  const [first] = before.lines
  const parts = itemParts(first?.text ?? '')
  const fresh = printItemLines(item, indent, parts.bullet, first?.end || newline)
  if ((item.type !== 'page' && item.type !== 'link') || before.entry.type !== item.type) return fresh
  const text = editLink(parts.text, before.entry, item)
  if (text === undefined || contentOf({ ...texts.item(text), line: 0, children: [] }) !== contentOf(item)) return fresh
  return [{ text: indent + parts.bullet + text + parts.tail, end: first?.end || newline }]
}

type LinkItem = Extract<SummaryItem, { type: 'page' | 'link' }>

function editLink(text: string, before: SummaryEntry, item: LinkItem): string | undefined {
  const at = text.lastIndexOf('](')
  if (!text.startsWith('[') || !text.endsWith(')') || at === -1 || before.type !== item.type) return undefined
  const [, written = '', rest = ''] = /^(<[^<>]*>|[^\s<]\S*|)([^]*)$/.exec(text.slice(at + 2, -1)) ?? []
  const label = before.title === item.title ? text.slice(0, at) : `[${printSummaryTitle(item.title)}`
  const destination = targetOf(before) === targetOf(item) ? written : linkDestination(destinationOf(item))
  const linkTitle = before.linkTitle === item.linkTitle ? rest : printLinkTitle(item.linkTitle)
  return `${label}](${destination}${linkTitle})`
}

const destinationOf = (item: LinkItem) => (item.type === 'page' ? pageDestination(item.path) : item.destination)

/** Prints the line of a group with another title or slug; an unchanged anchor is kept as written. */
export function editGroupLine(line: Line, before: SummaryGroup, group: SummaryGroup, newline: string): Line {
  const { slug, ...untold } = group
  const anchor = slug !== undefined && slug === before.slug ? anchorIn(line.text) : undefined
  const text = anchor === undefined ? printGroup(group) : printGroup(untold) + anchor
  const start = /^ {0,3}##[ \t]+/.exec(line.text)?.[0] ?? '## '
  return { text: start + text.slice('## '.length), end: line.end || newline }
}

/** Returns the anchor at the end of a heading, with the whitespace before it. */
function anchorIn(heading: string): string | undefined {
  const at = heading.lastIndexOf('<a ')
  if (at === -1 || !/^<a\s[^<>]*>\s*<\/a>\s*$/.test(heading.slice(at))) return undefined
  return heading.slice(heading.slice(0, at).trimEnd().length)
}
