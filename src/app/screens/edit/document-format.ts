import type { DocumentBlock } from '../../../contract/document.ts'
import { isSameJson } from '../../editor/json.ts'
import type { LineConflict, Side } from './line-diff.ts'
import type { PageFormat } from './page-text.ts'

/** Properties of a block, inline or fragment that are needed to read its key and its text. */
interface JsonNode extends DocumentBlock {
  key?: string
  nodes?: readonly JsonNode[]
  fragments?: readonly JsonNode[]
  leaves?: readonly { text: string }[]
}

const parse = (body: string): JsonNode[] => JSON.parse(body) as JsonNode[]

/** Converts blocks to the text of a page. Equal blocks have the same text. */
export const toBody = (blocks: readonly object[]): string =>
  `[${blocks.map((block) => JSON.stringify(block)).join(',')}]`

/** The blocks of a page as JSON. */
export const documentFormat: PageFormat = {
  name: 'document',
  toText: ({ document }) => {
    const blocks = document?.nodes ?? []
    return { titleLine: '', body: toBody(blocks), blocks }
  },
  toRequest: (_, body) => ({ document: { object: 'document', data: { schemaVersion: 1 }, nodes: parse(body) } }),
  toLines: (body) => parse(body).map(textOf).join('\n\n'),
  merge(base, mine, theirs, side) {
    const { blocks, conflicts } = mergeBlocks(parse(base), parse(mine), parse(theirs), side)
    return { text: toBody(blocks), conflicts }
  },
}

/** Returns the text of a block, with a line for each block in it. */
function textOf({ leaves, nodes = [], fragments = [] }: JsonNode): string {
  if (leaves) return leaves.map(({ text }) => text).join('')
  const children = [...nodes, ...fragments]
  const separator = children.some(({ object }) => object === 'block' || (object as string) === 'fragment') ? '\n' : ''
  return children.map(textOf).join(separator)
}

/** Merges the changes of two people by top-level blocks. */
function mergeBlocks(
  base: readonly JsonNode[],
  mine: readonly JsonNode[],
  theirs: readonly JsonNode[],
  side: Side,
): { blocks: JsonNode[]; conflicts: LineConflict[] } {
  const [inBase, inMine, inTheirs] = [indexByKey(base), indexByKey(mine), indexByKey(theirs)]
  const conflicts: LineConflict[] = []
  const choose = (own: JsonNode | undefined, their: JsonNode | undefined): JsonNode[] => {
    conflicts.push({ mine: own ? textOf(own) : '', theirs: their ? textOf(their) : '' })
    const { key: _, ...copy } = their ?? { key: undefined }
    if (side === 'both') return [...(own ? [own] : []), ...(their ? [own ? (copy as JsonNode) : their] : [])]
    return [side === 'mine' ? own : their].filter((block) => block !== undefined)
  }
  /** The last block in the result for each of my blocks. */
  const placed = new Map<JsonNode, JsonNode>()
  const blocks = theirs.flatMap((their) => {
    const before = inBase.get(their.key)
    if (!before) return [their]
    const own = inMine.get(their.key)
    const isChangedByThem = !isSameJson(before, their)
    const isChangedByMe = !own || !isSameJson(before, own)
    const isContradiction = isChangedByMe && isChangedByThem && !(own && isSameJson(own, their))
    const kept = isContradiction ? choose(own, their) : isChangedByMe ? (own ? [own] : []) : [their]
    const last = kept.at(-1)
    if (own && last) placed.set(own, last)
    return kept
  })
  let previous: JsonNode | undefined
  for (const own of mine) {
    const before = inBase.get(own.key)
    const isDeletedByThem = before !== undefined && !inTheirs.has(own.key)
    const isAdded = before === undefined
    const isKept = isAdded || (isDeletedByThem && !isSameJson(before, own) && choose(own, undefined).length > 0)
    if (isKept) {
      blocks.splice(previous ? blocks.indexOf(previous) + 1 : 0, 0, own)
      placed.set(own, own)
    }
    previous = placed.get(own) ?? previous
  }
  return { blocks, conflicts }
}

const indexByKey = (blocks: readonly JsonNode[]): Map<string | undefined, JsonNode> =>
  new Map(blocks.flatMap((block) => (block.key === undefined ? [] : [[block.key, block] as const])))
