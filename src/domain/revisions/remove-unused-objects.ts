import { z } from 'zod'
import { reachableFrom } from '../../content/revision/reach.ts'
import { job } from '../../jobs/job.ts'
import { hours, timestamp } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'
import { batches } from '../../storage/batches.ts'
import { findRootHashes } from '../../storage/objects.ts'
import { listUnusedBlobs } from '../../storage/unused-blobs.ts'

/** Minimum age of removed objects; newer ones may belong to a revision that is not stored yet. */
const grace = hours(1)

/** Removes the objects of an organization that no revision reaches. */
export const sweepContent = job({
  name: 'content.sweep',
  attempts: 5,
  key: ({ organizationId }) => organizationId,
  delay: grace,
  payload: z.object({ organizationId: z.string() }),
  async run({ db, transaction, openObjects, now, log, signal }, { organizationId }) {
    const before = timestamp(Date.parse(now()) - grace)
    const objects = openObjects(db, organizationId)
    const reached = new Set<string>()
    for (const roots of batches(await findRootHashes(db, organizationId))) {
      for await (const _ of reachableFrom(objects, roots, reached)) signal.throwIfAborted()
    }
    let swept = 0
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const hashes = await findHashes(db, organizationId, after)
      if (hashes.length === 0) break
      after = hashes.at(-1) as string
      const unreached = hashes.filter((hash) => !reached.has(hash))
      if (unreached.length > 0) {
        swept += await transaction((tx) => deleteObjects(tx, organizationId, unreached, { before, now: now() }))
      }
    }
    log.info('Unused content was removed', { organization: organizationId, objects: swept })
  },
})

async function findHashes(db: Db, organizationId: string, after: string): Promise<string[]> {
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

/** Deletes those of the objects that were not written again meanwhile, and lists their blobs as possibly unused. */
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
  await listUnusedBlobs(
    db,
    deleted.flatMap(({ blob }) => blob ?? []),
    now,
  )
  return deleted.length
}
