import { sql } from 'kysely'
import { SpaceMergeRules } from '../../contract/space.ts'
import { invalidateDerivedRows } from '../../derived/derivation-states.ts'
import { linkIndexJob } from '../../derived/jobs.ts'
import type { BaseContext } from '../../kernel/context.ts'
import { toBatches } from '../../storage/batches.ts'
import { copyObjects, findRootHashes } from '../../storage/objects.ts'
import type { Db } from '../../schema/tables.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import type { AuditContext } from '../../domain/audit/record-event.ts'
import { recomputeSpaceJob } from '../../domain/computed/jobs.ts'
import { clearComputedRoots } from '../../domain/revisions/revision-store.ts'
import { sweepUnusedObjects } from '../../domain/revisions/remove-unused-objects.ts'
import { deleteGitConnections } from '../../domain/git/git-store.ts'
import { findMemberIds } from '../../domain/members/member-queries.ts'
import { removeSpacesFromSites } from '../../domain/sites/update-site.ts'
import { deleteGrantsOnTransfer } from '../../domain/permissions/grant-store.ts'
import { findSpaceIdsInCollections } from '../../domain/spaces/space-queries.ts'
import { deleteTranslationsOfSpaces } from '../../domain/translations/translation-store.ts'
import { type LiveEventContext, recordLiveEvent, recordSpaceEvent } from '../../domain/live/record-event.ts'
import { findMergeRulesWithUsers, updateSpace } from '../../domain/spaces/space-store.ts'

interface Transfer {
  source: string
  target: string
  /** Collections that are moved with everything in them. */
  collectionIds: readonly string[]
  /** Spaces that are moved individually. */
  spaceIds: readonly string[]
}

/**
 * Moves content to another organization. `move` changes the organization of the top row; foreign keys update the rows below.
 * Sites, grants of teams and of users who are not members of the target, invite links, Git connections and translations are removed:
 * invite links would admit strangers, and the credentials of a connection belong to the source.
 */
export async function transferContent<T>(
  context: BaseContext & LiveEventContext,
  transfer: Transfer,
  move: () => Promise<T>,
): Promise<T> {
  const { db, openObjects, enqueue, now } = context
  const { source, target } = transfer
  const spaceIds = [...transfer.spaceIds, ...(await findSpaceIdsInCollections(db, source, transfer.collectionIds))]
  await removeSpacesFromSites(context, source, spaceIds)
  const contentIds = [...spaceIds, ...transfer.collectionIds]
  for (const ids of toBatches(contentIds)) {
    await deleteGrantsOnTransfer(db, transfer, ids)
    await deleteInviteLinks(db, source, ids)
  }
  // The specifications of the source are not available in the target.
  for (const ids of toBatches(spaceIds)) await clearComputedRoots(db, source, ids)
  const hashes = new Set<string>()
  for (const ids of toBatches(spaceIds)) for (const hash of await findRootHashes(db, source, ids)) hashes.add(hash)
  await copyObjects(db, openObjects(db, source), { from: source, to: target, now: now() }, [...hashes])
  for (const ids of toBatches(spaceIds)) await removeNonMembersFromMergeRules(db, transfer, ids)
  for (const ids of toBatches(spaceIds)) await deleteGitConnections(db, source, ids)
  await deleteTranslationsOfSpaces(db, source, spaceIds)
  // Links to spaces of the target organization may work now, and links from there.
  await invalidateDerivedRows(db, 'link_states', source, spaceIds)
  const moved = await move()
  for (const spaceId of spaceIds) {
    await enqueue(db, linkIndexJob, { spaceId })
    await enqueue(db, recomputeSpaceJob, { organizationId: target, spaceId })
    await recordSpaceEvent(context, { organization_id: target, id: spaceId })
  }
  // Members of the source can no longer view the spaces, so its event names none.
  await recordLiveEvent(context, { kind: 'space', organizationId: source })
  await enqueue(db, sweepUnusedObjects, { organizationId: source })
  return moved
}

interface TransferredRow {
  organization_id: string
  id: string
  title: string
}

/** Records a transfer in both organizations. Neither event names the other organization, whose members may not know it. */
export async function recordTransfer(
  context: AuditContext,
  type: 'space' | 'collection',
  before: TransferredRow,
  after: TransferredRow,
): Promise<void> {
  await recordEventAbout(context, type, before, `${type}.transfer`, { after: { direction: 'out' } })
  await recordEventAbout(context, type, after, `${type}.transfer`, { after: { direction: 'in' } })
}

async function deleteInviteLinks(db: Db, organizationId: string, contentIds: readonly string[]): Promise<void> {
  const ids = sql.join(contentIds)
  await sql`delete from link_invites where organization_id = ${organizationId} and (space_id in (${ids}) or collection_id in (${ids}))`.execute(
    db,
  )
}

/** Removes users who are not members of the target from merge rules, because a rule that requires them could never be met. */
async function removeNonMembersFromMergeRules(
  db: Db,
  { source, target }: Transfer,
  spaceIds: readonly string[],
): Promise<void> {
  for (const { id, merge_rules } of await findMergeRulesWithUsers(db, source, spaceIds)) {
    const rules = SpaceMergeRules.parse(JSON.parse(merge_rules))
    if (rules.type !== 'rules') continue
    const userIds = rules.rules.flatMap((rule) => ('users' in rule ? rule.users : []))
    const memberIds = await findMemberIds(db, target, userIds)
    const remaining = rules.rules.flatMap((rule): typeof rules.rules => {
      if (!('users' in rule)) return [rule]
      const users = rule.users.filter((user) => memberIds.has(user))
      return users.length === 0 ? [] : [{ ...rule, users }]
    })
    const changed = remaining.length === 0 ? { type: 'inherit' } : { type: 'rules', rules: remaining }
    await updateSpace(db, { organization_id: source, id }, { merge_rules: JSON.stringify(changed) })
  }
}
