import { type StoredItem, loadStructure } from '../../access/sites.ts'
import { problemIn } from '../../content/expression/index.ts'
import type { ItemPointer } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { invalid, unknownReference } from '../../kernel/errors.ts'
import { keyBetween } from '../../kernel/position.ts'
import type { ItemKind } from '../../publishing/structure.ts'
import * as store from './store.ts'

type Pointed = ItemPointer['type']

export const kindOf: Record<Pointed, ItemKind> = {
  'site-space': 'space',
  'site-section': 'section',
  'site-section-group': 'group',
  'site-external-link': 'link',
}

export const typeOf: Record<ItemKind, Pointed> = {
  space: 'site-space',
  section: 'site-section',
  group: 'site-section-group',
  link: 'site-external-link',
}

export const nameOf: Record<ItemKind, string> = {
  space: 'site space',
  section: 'section',
  group: 'section group',
  link: 'external link',
}

export interface Position {
  before?: ItemPointer | undefined
  after?: ItemPointer | undefined
}

type OnSite = Pick<SiteContext, 'db' | 'site'>

/** Returns a position after all children of an item, or at the end of the top level. */
export async function endOf({ db, site }: OnSite, parentId: string | null): Promise<string> {
  return keyBetween((await store.findPositions(db, site, parentId)).at(-1)?.position ?? null, null)
}

/** Returns the sort key for the requested position of an item among its siblings. */
export async function keyFor({ db, site }: OnSite, item: StoredItem, position: Position): Promise<string> {
  const structure = await loadStructure(db, site)
  const siblings = structure.childrenOf(item.parentId).filter(({ id }) => id !== item.id)
  const indexOf = (side: 'before' | 'after') => {
    const pointer = position[side]
    if (!pointer) return undefined
    const field = `body.position.${side}`
    const kind = kindOf[pointer.type]
    if (!structure.get(pointer.id, kind)) throw unknownReference(field, nameOf[kind])
    const index = siblings.findIndex(({ id }) => id === pointer.id)
    if (index < 0) throw invalid(field, 'must reference an item with the same parent')
    return index
  }
  const [before, after] = [indexOf('before'), indexOf('after')]
  if (before !== undefined && after !== undefined && before !== after + 1) {
    throw invalid('body.position', 'must reference two adjacent siblings in this order')
  }
  const places = (await store.findPositions(db, site, item.parentId)).filter(({ id }) => id !== item.id)
  const placeOf = (index: number) => places.findIndex(({ id }) => id === siblings[index]?.id)
  const upper = before !== undefined ? placeOf(before) : after === undefined ? places.length : placeOf(after) + 1
  return keyBetween(places[upper - 1]?.position ?? null, places[upper]?.position ?? null)
}

/** Fails unless a condition can be parsed. */
export function checkCondition(source: string | null | undefined): void {
  const problem = source === null || source === undefined ? undefined : problemIn(source)
  if (problem !== undefined) throw invalid('body.condition', problem)
}
