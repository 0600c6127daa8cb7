import { type StoredSiteItem, loadStructure } from '../../access/sites.ts'
import { findExpressionError } from '../../content/expression/index.ts'
import type { ItemPointer } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { invalid, unknownReference } from '../../kernel/errors.ts'
import { keyBetween } from '../../kernel/position.ts'
import type { ItemKind } from '../../publishing/structure.ts'
import * as store from './store.ts'

type ItemType = ItemPointer['type']

export const itemKindByType: Record<ItemType, ItemKind> = {
  'site-space': 'space',
  'site-section': 'section',
  'site-section-group': 'group',
  'site-external-link': 'link',
}

export const itemTypeByKind: Record<ItemKind, ItemType> = {
  space: 'site-space',
  section: 'site-section',
  group: 'site-section-group',
  link: 'site-external-link',
}

export const itemKindLabels: Record<ItemKind, string> = {
  space: 'site space',
  section: 'section',
  group: 'section group',
  link: 'external link',
}

export interface ItemPosition {
  before?: ItemPointer | undefined
  after?: ItemPointer | undefined
}

type ItemContext = Pick<SiteContext, 'db' | 'site'>

/** Returns a position after all children of an item, or at the end of the top level. */
export async function getEndItemPosition({ db, site }: ItemContext, parentId: string | null): Promise<string> {
  return keyBetween((await store.findItemPositions(db, site, parentId)).at(-1)?.position ?? null, null)
}

/** Returns the sort key for the requested position of an item among its siblings. */
export async function getItemPositionFor(
  { db, site }: ItemContext,
  item: StoredSiteItem,
  position: ItemPosition,
): Promise<string> {
  const structure = await loadStructure(db, site)
  const siblings = structure.childrenOf(item.parentId).filter(({ id }) => id !== item.id)
  const indexOf = (side: 'before' | 'after') => {
    const pointer = position[side]
    if (!pointer) return undefined
    const field = `body.position.${side}`
    const kind = itemKindByType[pointer.type]
    if (!structure.get(pointer.id, kind)) throw unknownReference(field, itemKindLabels[kind])
    const index = siblings.findIndex(({ id }) => id === pointer.id)
    if (index < 0) throw invalid(field, 'must reference an item with the same parent')
    return index
  }
  const [before, after] = [indexOf('before'), indexOf('after')]
  if (before !== undefined && after !== undefined && before !== after + 1) {
    throw invalid('body.position', 'must reference two adjacent siblings in this order')
  }
  const positions = (await store.findItemPositions(db, site, item.parentId)).filter(({ id }) => id !== item.id)
  const positionIndexOf = (index: number) => positions.findIndex(({ id }) => id === siblings[index]?.id)
  const insertIndex =
    before !== undefined ? positionIndexOf(before) : after === undefined ? positions.length : positionIndexOf(after) + 1
  return keyBetween(positions[insertIndex - 1]?.position ?? null, positions[insertIndex]?.position ?? null)
}

/** Fails unless a condition can be parsed. */
export function checkItemCondition(source: string | null | undefined): void {
  const problem = source === null || source === undefined ? undefined : findExpressionError(source)
  if (problem !== undefined) throw invalid('body.condition', problem)
}
