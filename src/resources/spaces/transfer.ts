import { sql } from 'kysely'
import { SpaceMergeRules } from '../../contract/space.ts'
import type { BaseContext } from '../../kernel/context.ts'
import { batches } from '../../storage/batches.ts'
import { copyObjects, findRootHashes } from '../../storage/objects.ts'
import type { Db } from '../../storage/tables.ts'
import { sweepContent } from '../../domain/revisions/sweep-objects.ts'
import { findMemberIds } from '../../domain/members/member-queries.ts'
import { removeSpacesFromSites } from '../../domain/sites/update-site.ts'
import { findSpaceIdsIn } from '../../domain/spaces/space-queries.ts'

interface Transfer {
  source: string
  target: string
  /** Collections that go with everything in them. */
  collectionIds: readonly string[]
  /** Spaces that go by themselves. */
  spaceIds: readonly string[]
}

/**
 * Moves content to another organization. `move` changes the organization of the top row; foreign keys carry it to all
 * that belongs to it. What only means something in the source organization stays behind: its sites, what was shared with
 * teams and with people who are no members of the target, and invite links, which would let strangers into the target.
 * Connections with Git repositories end: their credentials belong to the source, and only administrators connect spaces.
 */
export async function moveContentTo<T>(context: BaseContext, transfer: Transfer, move: () => Promise<T>): Promise<T> {
  const { db, openObjects, enqueue, now } = context
  const { source, target } = transfer
  const spaceIds = [...transfer.spaceIds, ...(await findSpaceIdsIn(db, source, transfer.collectionIds))]
  await removeSpacesFromSites(context, source, spaceIds)
  const contentIds = [...spaceIds, ...transfer.collectionIds]
  for (const ids of batches(contentIds)) await leaveAccessBehind(db, source, target, ids)
  const hashes = new Set<string>()
  for (const ids of batches(spaceIds)) for (const hash of await findRootHashes(db, source, ids)) hashes.add(hash)
  await copyObjects(db, openObjects(db, source), { from: source, to: target, now: now() }, [...hashes])
  for (const ids of batches(spaceIds)) await forgetStrangers(db, source, target, ids)
  for (const ids of batches(spaceIds)) await disconnect(db, source, ids)
  const moved = await move()
  await enqueue(db, sweepContent, { organizationId: source })
  return moved
}

async function leaveAccessBehind(db: Db, source: string, target: string, contentIds: readonly string[]): Promise<void> {
  const ids = sql.join(contentIds)
  await sql`delete from grants where organization_id = ${source} and content_id in (${ids})
    and (user_id is null or user_id not in (select user_id from members where organization_id = ${target}))`.execute(db)
  await sql`delete from link_invites where organization_id = ${source} and (space_id in (${ids}) or collection_id in (${ids}))`.execute(
    db,
  )
}

async function disconnect(db: Db, source: string, spaceIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('git_connections')
    .where('organization_id', '=', source)
    .where('space_id', 'in', spaceIds)
    .execute()
  await db
    .updateTable('spaces')
    .set({ git_sync: null })
    .where('organization_id', '=', source)
    .where('id', 'in', spaceIds)
    .where('git_sync', 'is not', null)
    .execute()
}

/** Merge rules go along, without the people who are no members of the target: nobody could ever meet a rule that asks for them. */
async function forgetStrangers(db: Db, source: string, target: string, spaceIds: readonly string[]): Promise<void> {
  const spaces = await db
    .selectFrom('spaces')
    .select(['id', 'merge_rules'])
    .where('organization_id', '=', source)
    .where('id', 'in', spaceIds)
    .where('merge_rules', 'like', '%"users"%')
    .execute()
  for (const { id, merge_rules } of spaces) {
    const rules = SpaceMergeRules.parse(JSON.parse(merge_rules))
    if (rules.type !== 'rules') continue
    const named = rules.rules.flatMap((rule) => ('users' in rule ? rule.users : []))
    const known = await findMemberIds(db, target, named)
    const kept = rules.rules.flatMap((rule): typeof rules.rules => {
      if (!('users' in rule)) return [rule]
      const users = rule.users.filter((user) => known.has(user))
      return users.length === 0 ? [] : [{ ...rule, users }]
    })
    const changed = kept.length === 0 ? { type: 'inherit' } : { type: 'rules', rules: kept }
    await db
      .updateTable('spaces')
      .set({ merge_rules: JSON.stringify(changed) })
      .where('organization_id', '=', source)
      .where('id', '=', id)
      .execute()
  }
}
