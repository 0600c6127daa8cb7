import type { HintStyle } from '../document/nodes.ts'
import { type BlockContent, type DefinitionContent, type MdBlockquote, startOffset } from './mdast.ts'

// Alerts are quotes of which the first line is their kind: `> [!NOTE]`.

const alertStyles: ReadonlyMap<string | undefined, HintStyle> = new Map<string, HintStyle>([
  ['NOTE', 'info'],
  ['TIP', 'success'],
  ['IMPORTANT', 'warning'],
  ['WARNING', 'warning'],
  ['CAUTION', 'danger'],
])

const alertLine = /^\[!([A-Za-z]+)\][ \t]*(?:\r?\n|$)/

/** Returns the style and the content of a quote that is an alert. */
export function readAlert(
  quote: MdBlockquote,
  source: string,
): { style: HintStyle; children: readonly (BlockContent | DefinitionContent)[] } | undefined {
  const [first, ...others] = quote.children
  const [text, ...inlines] = first?.type === 'paragraph' ? first.children : []
  // A bracket with a backslash before it is text.
  if (first?.type !== 'paragraph' || text?.type !== 'text' || !source.startsWith('[!', startOffset(text)))
    return undefined
  const [line = '', kind] = alertLine.exec(text.value) ?? []
  const style = alertStyles.get(kind?.toUpperCase())
  const value = text.value.slice(line.length)
  const isWholeLine = line.endsWith('\n') || inlines.length === 0 || inlines[0]?.type === 'break'
  if (!style || !isWholeLine) return undefined
  const rest = inlines[0]?.type === 'break' ? inlines.slice(1) : inlines
  const children = value === '' ? rest : [{ ...text, value }, ...rest]
  return { style, children: children.length === 0 ? others : [{ ...first, children }, ...others] }
}
