import type { ListItem } from '../document/nodes.ts'
import { trimTrailingSpaces } from './escape.ts'
import { printItemBody } from './print-blocks.ts'
import type { PrintContext } from './print-html-inlines.ts'
import { prefixFollowingLines } from './splice-writer.ts'

const markerPattern = /^([-+*]|\d{1,9}[.)])([ \t]*)/

/** Style of an item in the source: its marker and the whitespace after it. */
interface ItemStyle {
  marker: string
  blanks: string
}

function readItemStyle(item: string): ItemStyle | undefined {
  const match = markerPattern.exec(item)
  if (!match) return undefined
  const [, marker = '', blanks = ''] = match
  // After a marker and five spaces, the item starts with indented code.
  return { marker, blanks: blanks === '' || blanks.length > 4 ? ' ' : blanks }
}

/** Returns the indentation of the lines of an item, relative to its marker. */
export function readItemIndent(item: string): string | undefined {
  const style = readItemStyle(item)
  if (!style) return undefined
  return style.blanks.includes('\t') ? '\t' : ' '.repeat(style.marker.length + style.blanks.length)
}

interface NewItem {
  item: ListItem
  isTask: boolean
  /** Item of the source whose style is used. */
  sample: string
  /** Prefix of the lines of the list. */
  prefix: string
  newline: string
  context: PrintContext
}

/** Prints an item in the style of another one; undefined if that one is not written in Markdown. */
export function printItemLike({ item, isTask, sample, prefix, newline, context }: NewItem): string | undefined {
  const style = readItemStyle(sample)
  if (!style) return undefined
  const body = prefixFollowingLines(
    printItemBody(item, isTask, context),
    prefix + (readItemIndent(sample) ?? ''),
    newline,
  )
  return trimTrailingSpaces(style.marker + style.blanks + body)
}

/** Replaces or adds the checkbox at the start of an item of a task list. */
export function setCheckbox(head: string, isChecked: boolean): string {
  const mark = isChecked ? '[x]' : '[ ]'
  return /\[[ xX]\]/.test(head) ? head.replace(/\[[ xX]\]/, mark) : `${head}${mark} `
}

const numberOf = (item: string | undefined) => Number(/^(\d{1,9})[.)]/.exec(item ?? '')?.[1] ?? NaN)

interface Numbered {
  /** Items of the source. */
  before: readonly string[]
  /** Items of the new list, with the markers of the source. */
  items: readonly string[]
  start: number
  /** Prefix of the lines of the list. */
  prefix: string
}

/** Numbers the items of an ordered list in the style of the source: all the same, or counting up. */
export function renumberItems({ before, items, start, prefix }: Numbered): string[] {
  const [first, ...others] = before.map(numberOf)
  const isSame = others.length > 0 && others.every((number) => number === first)
  const isCounting = !isSame && others.every((number, index) => number === (first as number) + index + 1)
  return items.map((item, index) => {
    if (isSame || index === 0) return renumberItem(item, start, prefix)
    return isCounting ? renumberItem(item, start + index, prefix) : item
  })
}

/** Changes the number of an item; if it is too long for the indentation of the lines below, these are indented further. */
function renumberItem(item: string, number: number, prefix: string): string {
  const written = /^\d{1,9}(?=[.)])/.exec(item)?.[0]
  if (written === undefined || Number(written) === number) return item
  const renumbered = String(number) + item.slice(written.length)
  const more = String(number).length - written.length
  const width = readItemIndent(renumbered)?.length ?? 0
  const [first, ...lines] = renumbered.split('\n')
  const isInside = (line: string) => line.startsWith(`${prefix} `) && line.trim() !== ''
  const isTooShort = (line: string) => isInside(line) && line.slice(prefix.length).search(/[^ ]/) < width
  if (more <= 0 || !lines.some(isTooShort)) return renumbered
  const indented = lines.map((line) => (isInside(line) ? prefix + ' '.repeat(more) + line.slice(prefix.length) : line))
  return [first, ...indented].join('\n')
}
