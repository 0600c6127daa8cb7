import { printLinkDestination } from './escape.ts'
import { contentKeyOf, targetKeyOf } from './summary-match.ts'
import { type SummaryLine, bulletWidth, splitItemLine } from './summary-source.ts'
import {
  type SummaryEntry,
  type SummaryGroup,
  type SummaryItem,
  type SummaryTextCache,
  indentWidth,
  dividerLine,
  pageDestination,
  printItemContent,
  printSummaryGroup,
  printSummaryLinkTitle,
  printSummaryTitle,
  withoutIndent,
} from './summary.ts'

/** Returns the lines of an entry as they are in the source, with the given indentation. */
export function reindentLines(lines: readonly SummaryLine[], indent: string): readonly SummaryLine[] {
  const [first, ...others] = lines
  if (!first) return lines
  const parts = splitItemLine(first.text)
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
export function printItemLines(item: SummaryItem, indent: string, bullet: string, newline: string): SummaryLine[] {
  const print = (marker: string) => {
    const content = printItemContent(item, indent + ' '.repeat(bulletWidth(marker) - 2))
    return `${indent}${marker}${content}`.split('\n').map((text) => ({ text, end: newline }))
  }
  const lines = print(/\s$/.test(bullet) ? bullet : `${bullet} `)
  return dividerLine.test(lines[0]?.text ?? '') ? print('* ') : lines
}

/** Prints the lines of an edited item; unchanged parts are kept as written. */
export function editItemLines(
  before: { entry: SummaryEntry; lines: readonly SummaryLine[] },
  item: SummaryItem,
  indent: string,
  texts: SummaryTextCache,
  newline: string,
): SummaryLine[] {
  const [first] = before.lines
  const parts = splitItemLine(first?.text ?? '')
  const fresh = printItemLines(item, indent, parts.bullet, first?.end || newline)
  if ((item.type !== 'page' && item.type !== 'link') || before.entry.type !== item.type) return fresh
  const text = editLink(parts.text, before.entry, item)
  if (text === undefined || contentKeyOf({ ...texts.parseItem(text), line: 0, children: [] }) !== contentKeyOf(item))
    return fresh
  return [{ text: indent + parts.bullet + text + parts.tail, end: first?.end || newline }]
}

type LinkItem = Extract<SummaryItem, { type: 'page' | 'link' }>

function editLink(text: string, before: SummaryEntry, item: LinkItem): string | undefined {
  const at = text.lastIndexOf('](')
  if (!text.startsWith('[') || !text.endsWith(')') || at === -1 || before.type !== item.type) return undefined
  const [, written = '', rest = ''] = /^(<[^<>]*>|[^\s<]\S*|)([^]*)$/.exec(text.slice(at + 2, -1)) ?? []
  const label = before.title === item.title ? text.slice(0, at) : `[${printSummaryTitle(item.title)}`
  const destination = targetKeyOf(before) === targetKeyOf(item) ? written : printLinkDestination(destinationOf(item))
  const linkTitle = before.linkTitle === item.linkTitle ? rest : printSummaryLinkTitle(item.linkTitle)
  return `${label}](${destination}${linkTitle})`
}

const destinationOf = (item: LinkItem) => (item.type === 'page' ? pageDestination(item.path) : item.destination)

/** Prints the line of a group with another title or slug; an unchanged anchor is kept as written. */
export function editGroupLine(
  line: SummaryLine,
  before: SummaryGroup,
  group: SummaryGroup,
  newline: string,
): SummaryLine {
  const { slug, ...withoutSlug } = group
  const anchor = slug !== undefined && slug === before.slug ? anchorIn(line.text) : undefined
  const text = anchor === undefined ? printSummaryGroup(group) : printSummaryGroup(withoutSlug) + anchor
  const start = /^ {0,3}##[ \t]+/.exec(line.text)?.[0] ?? '## '
  return { text: start + text.slice('## '.length), end: line.end || newline }
}

/** Returns the anchor at the end of a heading, with the whitespace before it. */
function anchorIn(heading: string): string | undefined {
  const at = heading.lastIndexOf('<a ')
  if (at === -1 || !/^<a\s[^<>]*>\s*<\/a>\s*$/.test(heading.slice(at))) return undefined
  return heading.slice(heading.slice(0, at).trimEnd().length)
}
