import { z } from 'zod'
import { job } from '../jobs/job.ts'
import type { JobKind, JobDescriptor } from '../kernel/context.ts'
import type { DerivationFormat } from './derivation-progress.ts'
import { findOutdatedSpaces } from './derivation-states.ts'

const batchSize = 100

/** Returns a job that enqueues the derivation for all spaces whose rows are missing, outdated or of an earlier format. */
export function createUpkeepJob(
  name: string,
  { states, format }: DerivationFormat,
  derive: JobDescriptor<{ spaceId: string }>,
): JobKind<Record<string, never>> {
  return job({
    name,
    attempts: 5,
    key: () => '',
    payload: z.object({}).strict(),
    async run({ db, transaction, enqueue, signal }) {
      for (let after = ''; ;) {
        signal.throwIfAborted()
        const spaceIds = await findOutdatedSpaces(db, states, format, after, batchSize)
        if (spaceIds.length === 0) return
        after = spaceIds.at(-1) ?? ''
        await transaction(async (tx) => {
          for (const spaceId of spaceIds) await enqueue(tx, derive, { spaceId })
        })
      }
    },
  })
}
