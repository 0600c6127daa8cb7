import type { Root } from 'mdast'
import { markdownToMdast } from 'satteri'
import { bounded } from './bounds.ts'

// The one place that knows which parser reads Markdown. Its trees are mdast with exact offsets.

export type {
  BlockContent,
  Blockquote as MdBlockquote,
  DefinitionContent,
  List,
  ListItem as MdListItem,
  PhrasingContent,
  Root,
  RootContent,
  TableRow,
} from 'mdast'
export type MdTable = import('mdast').Table

const features = {
  gfm: true,
  frontmatter: true,
  math: { singleDollarTextMath: false },
}

/** Parses a text; `place` says where in the source an offset of it is. */
export function parseMdast(text: string, place: (offset: number) => number): Root {
  const bounds = bounded(text)
  const root = markdownToMdast(bounds?.text ?? text, { features }) as unknown as Root
  const pending: Placed[] = [root as unknown as Placed]
  for (let node = pending.pop(); node; node = pending.pop()) {
    node.position.start.offset = place(node.position.start.offset)
    node.position.end.offset = place(node.position.end.offset)
    if (bounds) showTexts(node, bounds.show)
    for (const child of node.children ?? []) pending.push(child)
  }
  return root
}

function showTexts(node: object, show: (part: string) => string): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string' && name !== 'type') Object.assign(node, { [name]: show(value) })
  }
}

interface Placed {
  position: { start: { offset: number }; end: { offset: number } }
  children?: Placed[]
}

export function startOf(node: { position?: unknown }): number {
  return offsets(node).start.offset
}

export function endOf(node: { position?: unknown }): number {
  return offsets(node).end.offset
}

function offsets({ position }: { position?: unknown }): Placed['position'] {
  return position as Placed['position']
}
