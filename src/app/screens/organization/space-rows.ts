interface Item {
  id: string
  title: string
  emoji?: string | undefined
  parent?: string | undefined
}

/** A collection or space in the list of an organization. */
export interface SpaceRow {
  kind: 'collection' | 'space'
  id: string
  title: string
  /** Character of the emoji; empty if there is none. */
  emoji: string
  depth: number
}

/** Returns collections and spaces in the order of a tree. Items whose collection is not visible are at the top level. */
export function toSpaceRows(spaces: readonly Item[], collections: readonly Item[]): SpaceRow[] {
  const known = new Set(collections.map(({ id }) => id))
  const byParent = new Map<string, Omit<SpaceRow, 'depth'>[]>()
  const add = (kind: SpaceRow['kind'], { id, title, emoji, parent }: Item) => {
    const key = parent !== undefined && known.has(parent) ? parent : ''
    const siblings = byParent.get(key) ?? []
    siblings.push({ kind, id, title, emoji: toEmoji(emoji) })
    byParent.set(key, siblings)
  }
  for (const collection of collections) add('collection', collection)
  for (const space of spaces) add('space', space)
  const rows: SpaceRow[] = []
  const addBelow = (parent: string, depth: number) => {
    for (const row of byParent.get(parent) ?? []) {
      rows.push({ ...row, depth })
      if (row.kind === 'collection') addBelow(row.id, depth + 1)
    }
  }
  addBelow('', 0)
  return rows
}

/** Returns the characters of an emoji. The API returns an emoji as it was set: as characters, or as a code such as `1f600`. */
export function toEmoji(emoji: string | undefined): string {
  if (emoji === undefined || !/^[0-9a-f]{2,8}(?:-[0-9a-f]{2,8})*$/.test(emoji)) return emoji ?? ''
  const points = emoji.split('-').map((part) => Number.parseInt(part, 16))
  return points.every((point) => point <= 0x10_ff_ff) ? String.fromCodePoint(...points) : ''
}
