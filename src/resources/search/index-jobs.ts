import { z } from 'zod'
import { searchIndexing } from '../../derived/jobs.ts'
import { upkeepJob } from '../../derived/upkeep.ts'
import { job } from '../../jobs/job.ts'
import { indexSpace, searchRows } from '../../search/index-space.ts'

export const indexSpaces = job({
  ...searchIndexing,
  attempts: 5,
  // A large space takes a while, and other spaces should not wait for it.
  atOnce: 2,
  payload: z.object({ spaceId: z.string() }),
  run: (context, { spaceId }) => indexSpace(context, spaceId),
})

export const keepSearchable = upkeepJob('search.upkeep', searchRows, searchIndexing)
