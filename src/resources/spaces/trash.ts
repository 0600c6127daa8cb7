import { z } from 'zod'
import type { Space } from '../../contract/space.ts'
import type { DeletedSpace } from '../../contract/spaces.ts'
import { job } from '../../jobs/job.ts'
import { days, timestamp } from '../../kernel/time.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import type { AuditContext } from '../../domain/audit/record-event.ts'
import { sweepUnusedObjects } from '../../domain/revisions/remove-unused-objects.ts'
import { removeSpacesFromSites, invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import * as store from '../../domain/spaces/space-store.ts'
import { deleteTranslationsOfSpaces } from '../../domain/translations/translation-store.ts'
import { type LiveEventContext, recordSpaceEvent } from '../../domain/live/record-event.ts'
import { findSpaceIdsInCollections } from '../../domain/spaces/space-queries.ts'

/** Time for which a deleted space can be restored. */
export const deletedSpaceRetention = days(7)

export function isRestorable(space: Row<'spaces'>, now: string): boolean {
  return space.deleted_at !== null && Date.parse(now) - Date.parse(space.deleted_at) <= deletedSpaceRetention
}

export const presentDeletedSpace = (space: Space, deletedAt: string): DeletedSpace => ({
  object: 'deleted-space',
  space,
  deletedAt,
  purgeAt: timestamp(Date.parse(deletedAt) + deletedSpaceRetention),
})

/** Deletes the spaces in collections; returns their IDs. */
export async function trashSpacesInCollections(
  context: Pick<BaseContext, 'newId' | 'enqueue'> & LiveEventContext,
  organizationId: string,
  collectionIds: readonly string[],
): Promise<string[]> {
  const { db, now } = context
  const spaceIds = await findSpaceIdsInCollections(db, organizationId, collectionIds)
  await invalidateSitesOfSpaces(context, organizationId, spaceIds)
  await store.markSpacesInCollectionsDeleted(db, organizationId, collectionIds, now())
  for (const id of spaceIds) await recordSpaceEvent(context, { organization_id: organizationId, id })
  return spaceIds
}

/** Purges deleted spaces that can no longer be restored. */
export const purgeSpaces = job({
  name: 'spaces.purge',
  attempts: 5,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ db, transaction, now, newId, enqueue, client, log, signal }) {
    const before = timestamp(Date.parse(now()) - deletedSpaceRetention)
    for (;;) {
      const spaces = await store.findSpacesDeletedBefore(db, before, 100)
      if (spaces.length === 0) return
      for (const space of spaces) {
        signal.throwIfAborted()
        await transaction((tx) => purgeSpace({ db: tx, newId, now, enqueue, client }, space))
        log.info('A deleted space was removed for good', { space: space.id, organization: space.organization_id })
      }
    }
  },
})

async function purgeSpace(
  context: Pick<BaseContext, 'db' | 'newId' | 'enqueue'> & AuditContext,
  space: Pick<Row<'spaces'>, 'organization_id' | 'id' | 'title'>,
): Promise<void> {
  const { db, enqueue } = context
  await removeSpacesFromSites(context, space.organization_id, [space.id])
  await deleteTranslationsOfSpaces(db, space.organization_id, [space.id])
  await store.deleteSpace(db, space)
  await recordEventAbout(context, 'space', space, 'space.purge')
  await enqueue(db, sweepUnusedObjects, { organizationId: space.organization_id })
}
