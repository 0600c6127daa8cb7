import { z } from 'zod'
import { job } from '../../jobs/job.ts'
import { indexFormat, indexSpace } from '../../search/index-space.ts'
import { searchIndexing } from '../../search/names.ts'
import { findUnindexed } from '../../search/store.ts'

export const indexSpaces = job({
  ...searchIndexing,
  attempts: 5,
  // A large space takes a while, and others are to be worked on meanwhile.
  atOnce: 2,
  payload: z.object({ spaceId: z.string() }),
  run: (context, { spaceId }) => indexSpace(context, spaceId),
})

const portion = 100

/** Has all spaces indexed whose content cannot be searched as it is: those of an earlier version, and whatever was missed. */
export const keepSearchable = job({
  name: 'search.upkeep',
  attempts: 5,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ db, transaction, enqueue, signal }) {
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const spaceIds = await findUnindexed(db, indexFormat, after, portion)
      if (spaceIds.length === 0) return
      after = spaceIds.at(-1) ?? ''
      await transaction(async (tx) => {
        for (const spaceId of spaceIds) await enqueue(tx, searchIndexing, { spaceId })
      })
    }
  },
})
