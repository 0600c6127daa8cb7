import { z } from 'zod'
import { reachableFrom } from '../../content/revision/reach.ts'
import { job } from '../../jobs/job.ts'
import { hours, timestamp } from '../../kernel/time.ts'
import { batches } from '../../storage/batches.ts'
import { findRootHashes } from '../../storage/objects.ts'
import * as store from './sweep-store.ts'

/** Objects that were written less than this time ago may belong to a revision that is not stored yet. */
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
      const hashes = await store.findHashes(db, organizationId, after)
      if (hashes.length === 0) break
      after = hashes.at(-1) as string
      const unreached = hashes.filter((hash) => !reached.has(hash))
      if (unreached.length > 0) {
        swept += await transaction((tx) => store.deleteObjects(tx, organizationId, unreached, { before, now: now() }))
      }
    }
    log.info('Unused content was removed', { organization: organizationId, objects: swept })
  },
})
