import { z } from 'zod'
import { searchIndexJob } from '../../derived/jobs.ts'
import { createUpkeepJob } from '../../derived/upkeep.ts'
import { job } from '../../jobs/job.ts'
import { indexSpace, searchDerivation } from '../../search/index-space.ts'

export const indexSpaces = job({
  ...searchIndexJob,
  attempts: 5,
  // A large space takes a while, and other spaces should not wait for it.
  atOnce: 2,
  payload: z.object({ spaceId: z.string() }),
  run: (context, { spaceId }) => indexSpace(context, spaceId),
})

export const searchUpkeepJob = createUpkeepJob('search.upkeep', searchDerivation, searchIndexJob)
