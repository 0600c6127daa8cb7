import type { ListItem } from '../document/nodes.ts'
import { withoutFinalSpaces } from './escape.ts'
import { printItemBody } from './print-blocks.ts'
import type { PrintContext } from './print-inlines.ts'
import { behindPrefix } from './splice-weave.ts'

const markerPattern = /^([-+*]|\d{1,9}[.)])([ \t]*)/

/** Style of an item in the source: its marker and the whitespace after it. */
interface ItemStyle {
  marker: string
  blanks: string
}

function styleOf(item: string): ItemStyle | undefined {
  const match = markerPattern.exec(item)
  if (!match) return undefined
  const [, marker = '', blanks = ''] = match
  // After a marker and five spaces, the item starts with indented code.
  return { marker, blanks: blanks === '' || blanks.length > 4 ? ' ' : blanks }
}

/** Returns the indentation of the lines of an item, relative to its marker. */
export function indentOf(item: string): string | undefined {
  const style = styleOf(item)
  if (!style) return undefined
  return style.blanks.includes('\t') ? '\t' : ' '.repeat(style.marker.length + style.blanks.length)
}

interface NewItem {
  item: ListItem
  isTask: boolean
  /** Item of the source whose style is used. */
  like: string
  /** Prefix of the lines of the list. */
  prefix: string
  newline: string
  context: PrintContext
}

/** Prints an item in the style of another one; undefined if that one is not written in Markdown. */
export function printItemLike({ item, isTask, like, prefix, newline, context }: NewItem): string | undefined {
  const style = styleOf(like)
  if (!style) return undefined
  const body = behindPrefix(printItemBody(item, isTask, context), prefix + (indentOf(like) ?? ''), newline)
  return withoutFinalSpaces(style.marker + style.blanks + body)
}

/** Replaces or adds the checkbox at the start of an item of a task list. */
export function withCheck(head: string, isChecked: boolean): string {
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
export function withNumbers({ before, items, start, prefix }: Numbered): string[] {
  const [first, ...others] = before.map(numberOf)
  const isSame = others.length > 0 && others.every((number) => number === first)
  const isCounting = !isSame && others.every((number, index) => number === (first as number) + index + 1)
  return items.map((item, index) => {
    if (isSame || index === 0) return withNumber(item, start, prefix)
    return isCounting ? withNumber(item, start + index, prefix) : item
  })
}

/** Changes the number of an item; if it is too long for the indentation of the lines below, these are indented further. */
function withNumber(item: string, number: number, prefix: string): string {
  const written = /^\d{1,9}(?=[.)])/.exec(item)?.[0]
  if (written === undefined || Number(written) === number) return item
  const renumbered = String(number) + item.slice(written.length)
  const more = String(number).length - written.length
  const width = indentOf(renumbered)?.length ?? 0
  const [first, ...lines] = renumbered.split('\n')
  const isInside = (line: string) => line.startsWith(`${prefix} `) && line.trim() !== ''
  const isTooShort = (line: string) => isInside(line) && line.slice(prefix.length).search(/[^ ]/) < width
  if (more <= 0 || !lines.some(isTooShort)) return renumbered
  const indented = lines.map((line) => (isInside(line) ? prefix + ' '.repeat(more) + line.slice(prefix.length) : line))
  return [first, ...indented].join('\n')
}
