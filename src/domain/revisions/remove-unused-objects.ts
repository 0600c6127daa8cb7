import { z } from 'zod'
import { iterateReachableHashes } from '../../content/revision/reachable-objects.ts'
import { job } from '../../jobs/job.ts'
import { hours, timestamp } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'
import { findRootHashes } from '../../storage/objects.ts'
import { recordUnusedBlobs } from '../../storage/unused-blobs.ts'

/** Minimum age of removed objects; newer ones may belong to a revision that is not stored yet. */
const minObjectAge = hours(1)

/** Removes the objects of an organization that no revision reaches. */
export const sweepUnusedObjects = job({
  name: 'content.sweep',
  attempts: 5,
  key: ({ organizationId }) => organizationId,
  delay: minObjectAge,
  payload: z.object({ organizationId: z.string() }),
  async run({ db, transaction, openObjects, now, log, signal }, { organizationId }) {
    const before = timestamp(Date.parse(now()) - minObjectAge)
    const objects = openObjects(db, organizationId)
    const reachableHashes = new Set<string>()
    for (const roots of toBatches(await findRootHashes(db, organizationId))) {
      for await (const _ of iterateReachableHashes(objects, roots, reachableHashes)) signal.throwIfAborted()
    }
    let removedCount = 0
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const hashes = await findObjectHashes(db, organizationId, after)
      if (hashes.length === 0) break
      after = hashes.at(-1) as string
      const unusedHashes = hashes.filter((hash) => !reachableHashes.has(hash))
      if (unusedHashes.length > 0) {
        removedCount += await transaction((tx) =>
          deleteObjects(tx, organizationId, unusedHashes, { before, now: now() }),
        )
      }
    }
    log.info('Unused content was removed', { organization: organizationId, objects: removedCount })
  },
})

async function findObjectHashes(db: Db, organizationId: string, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('objects')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', '>', after)
    .orderBy('hash')
    .limit(500)
    .execute()
  return rows.map((row) => row.hash)
}

/** Deletes those of the objects that were not written again in the meantime, and lists their blobs as possibly unused. */
async function deleteObjects(
  db: Db,
  organizationId: string,
  hashes: readonly string[],
  { before, now }: { before: string; now: string },
): Promise<number> {
  const deleted = await db
    .deleteFrom('objects')
    .where('organization_id', '=', organizationId)
    .where('hash', 'in', hashes)
    .where('written_at', '<', before)
    .returning('blob')
    .execute()
  await recordUnusedBlobs(
    db,
    deleted.flatMap(({ blob }) => blob ?? []),
    now,
  )
  return deleted.length
}
