import { sql } from 'kysely'
import type { ContentPosition } from '../../contract/space.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { keyBetween } from '../../kernel/position.ts'
import type { Db } from '../../schema/tables.ts'

/** The parent of siblings: a collection, or the organization itself (null). */
export interface SiblingContainer {
  organizationId: string
  parentId: string | null
}

interface Sibling {
  type: 'space' | 'collection'
  id: string
  position: string
}

/** Returns the position of a new item after all its siblings. */
export async function getEndPosition(db: Db, container: SiblingContainer): Promise<string> {
  const last = await findNeighbour(db, container, { side: 'before' })
  return keyBetween(last?.position ?? null, null)
}

/**
 * Returns the sort key for a requested position among the siblings in a container.
 * Fails when the request names no sibling, contradicts itself, or is the current position of the item.
 */
export async function resolvePosition(
  db: Db,
  container: SiblingContainer,
  position: ContentPosition,
  item: { id: string; parent_id: string | null; position: string },
): Promise<string> {
  const [lower, upper] = await findGap(db, container, position, item.id)
  const isInContainer = item.parent_id === container.parentId
  if (isInContainer && (lower === null || lower < item.position) && (upper === null || item.position < upper)) {
    throw conflict('The item is already at this position')
  }
  return keyBetween(lower, upper)
}

/** Returns the sort keys before and after the requested position; null if there is no sibling on that side. */
async function findGap(
  db: Db,
  container: SiblingContainer,
  position: ContentPosition,
  movedId: string,
): Promise<[string | null, string | null]> {
  const before = position.before && (await getSibling(db, container, position.before, movedId, 'body.position.before'))
  const after = position.after && (await getSibling(db, container, position.after, movedId, 'body.position.after'))
  if (!before && !after) {
    const last = await findNeighbour(db, container, { side: 'before', except: movedId })
    return [last?.position ?? null, null]
  }
  const lower = after ?? (await findNeighbour(db, container, { side: 'before', of: before?.position, except: movedId }))
  const upper = before ?? (await findNeighbour(db, container, { side: 'after', of: after?.position, except: movedId }))
  if (before && after) {
    const next = await findNeighbour(db, container, { side: 'after', of: after.position, except: movedId })
    if (next?.id !== before.id) throw invalid('body.position', 'must reference two adjacent siblings in this order')
  }
  return [lower?.position ?? null, upper?.position ?? null]
}

type SiblingPointer = NonNullable<ContentPosition['before']>

async function getSibling(
  db: Db,
  container: SiblingContainer,
  pointer: SiblingPointer,
  movedId: string,
  field: string,
): Promise<Sibling> {
  const id = pointer.type === 'space' ? pointer.space : pointer.collection
  const rows = await findSiblings(db, container, sql`and id = ${id}`, sql`limit 1`)
  const sibling = rows[0]
  if (id === movedId || sibling?.type !== pointer.type)
    throw invalid(field, `must reference another ${pointer.type} with the same parent`)
  return sibling
}

/** Finds the sibling before or after a sort key; without a key, the last sibling. */
async function findNeighbour(
  db: Db,
  container: SiblingContainer,
  { side, of, except = '' }: { side: 'before' | 'after'; of?: string | undefined; except?: string },
): Promise<Sibling | undefined> {
  const bound = of === undefined ? sql`` : side === 'before' ? sql`and position < ${of}` : sql`and position > ${of}`
  const order = side === 'before' ? sql`order by position desc limit 1` : sql`order by position limit 1`
  const rows = await findSiblings(db, container, sql`and id <> ${except} ${bound}`, order)
  return rows[0]
}

async function findSiblings(
  db: Db,
  { organizationId, parentId }: SiblingContainer,
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
