import { sql } from 'kysely'
import type { ContentPosition } from '../../contract/space.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { keyBetween } from '../../kernel/position.ts'
import type { Db } from '../../storage/tables.ts'

/** What spaces and collections are siblings in: a collection, or (null) the top of the organization. */
export interface Place {
  organizationId: string
  parentId: string | null
}

interface Sibling {
  type: 'space' | 'collection'
  id: string
  position: string
}

/** The key of a new item behind all its siblings. */
export async function endOf(db: Db, place: Place): Promise<string> {
  const last = await neighbour(db, place, { side: 'before' })
  return keyBetween(last?.position ?? null, null)
}

/**
 * The key that puts an item where `position` says, among the siblings of `place`.
 * Fails when the position names no sibling, contradicts itself, or is where the item stands already.
 */
export async function keyFor(
  db: Db,
  place: Place,
  position: ContentPosition,
  item: { id: string; parent_id: string | null; position: string },
): Promise<string> {
  const [lower, upper] = await gapFor(db, place, position, item.id)
  const stands = item.parent_id === place.parentId
  if (stands && (lower === null || lower < item.position) && (upper === null || item.position < upper)) {
    throw conflict('It stands there already')
  }
  return keyBetween(lower, upper)
}

/** The keys on both sides of where the item goes; null: nothing on that side. */
async function gapFor(
  db: Db,
  place: Place,
  position: ContentPosition,
  movedId: string,
): Promise<[string | null, string | null]> {
  const before = position.before && (await getSibling(db, place, position.before, movedId, 'body.position.before'))
  const after = position.after && (await getSibling(db, place, position.after, movedId, 'body.position.after'))
  if (!before && !after) {
    const last = await neighbour(db, place, { side: 'before', except: movedId })
    return [last?.position ?? null, null]
  }
  const lower = after ?? (await neighbour(db, place, { side: 'before', of: before?.position, except: movedId }))
  const upper = before ?? (await neighbour(db, place, { side: 'after', of: after?.position, except: movedId }))
  if (before && after) {
    const next = await neighbour(db, place, { side: 'after', of: after.position, except: movedId })
    if (next?.id !== before.id)
      throw invalid('body.position', 'names two siblings that do not stand next to each other in this order')
  }
  return [lower?.position ?? null, upper?.position ?? null]
}

type Pointer = NonNullable<ContentPosition['before']>

async function getSibling(db: Db, place: Place, pointer: Pointer, movedId: string, field: string): Promise<Sibling> {
  const id = pointer.type === 'space' ? pointer.space : pointer.collection
  const rows = await siblings(db, place, sql`and id = ${id}`, sql`limit 1`)
  const sibling = rows[0]
  if (id === movedId || sibling?.type !== pointer.type)
    throw invalid(field, `names no ${pointer.type} beside which this could be put`)
  return sibling
}

/** The sibling next to a key on one side; without a key, the last one. */
async function neighbour(
  db: Db,
  place: Place,
  { side, of, except = '' }: { side: 'before' | 'after'; of?: string | undefined; except?: string },
): Promise<Sibling | undefined> {
  const bound = of === undefined ? sql`` : side === 'before' ? sql`and position < ${of}` : sql`and position > ${of}`
  const order = side === 'before' ? sql`order by position desc limit 1` : sql`order by position limit 1`
  const rows = await siblings(db, place, sql`and id <> ${except} ${bound}`, order)
  return rows[0]
}

async function siblings(
  db: Db,
  { organizationId, parentId }: Place,
  filter: ReturnType<typeof sql>,
  tail: ReturnType<typeof sql>,
): Promise<Sibling[]> {
  const parent = parentId === null ? sql`parent_id is null` : sql`parent_id = ${parentId}`
  const { rows } = await sql<Sibling>`
    select type, id, position from (
      select 'space' as type, id, position from spaces where organization_id = ${organizationId} and ${parent} and deleted_at is null ${filter}
      union all
      select 'collection' as type, id, position from collections where organization_id = ${organizationId} and ${parent} ${filter}
    ) as siblings ${tail}`.execute(db)
  return rows
}
