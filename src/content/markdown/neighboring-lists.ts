import { isList } from '../document/lists.ts'
import type { Block } from '../document/nodes.ts'
import type { LocatedBlock } from './parse-blocks.ts'
import { printBlock } from './print-blocks.ts'
import type { PrintContext } from './print-html-inlines.ts'

/**
 * Returns the source of a list with other markers, so that it is not parsed as one list with the list before or after it; undefined
 * if it is not written in Markdown.
 */
export function withOtherMarkers(
  source: string,
  { block, children = [], start, end }: LocatedBlock,
): string | undefined {
  if (!isList(block)) return undefined
  const parts: string[] = []
  let at = start
  for (const item of children) {
    const marker = /^(?:[-*+]|\d{1,9}[.)])/.exec(source.slice(item.start, item.start + 10))?.[0]
    if (marker === undefined || item.start < at) return undefined
    parts.push(
      source.slice(at, item.start),
      marker.slice(0, -1),
      otherMarkers[marker.at(-1) as keyof typeof otherMarkers],
    )
    at = item.start + marker.length
  }
  return parts.join('') + source.slice(at, end)
}

const otherMarkers = { '-': '*', '*': '-', '+': '*', '.': ')', ')': '.' } as const

/** Returns the texts of siblings; those that are undefined are printed. */
export function printMissing(
  known: readonly (string | undefined)[],
  blocks: readonly Block[],
  context: PrintContext,
): string[] {
  const texts = [...known]
  blocks.forEach((block, index) => {
    if (texts[index] !== undefined) return
    const markers = [findListMarker(texts[index - 1]), findListMarker(texts[index + 1])]
    texts[index] = printBlock(block, context, needsOtherMarker(block, markers))
  })
  return texts as string[]
}

/** Returns the marker of the first item if a text starts with a list. */
function findListMarker(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /^\s*(?:([*+-])|\d{1,9}([.)]))(?:\s|$)/.exec(text)?.slice(1).find(Boolean)
}

/** Whether a list would be parsed as one list with its neighbors. */
function needsOtherMarker(block: Block, [before, after]: readonly (string | undefined)[]): boolean {
  if (!isList(block)) return false
  const [usual, other] = block.type === 'list-ordered' ? ['.', ')'] : ['*', '-']
  return before === usual || (after === usual && before !== other)
}
