import { z } from 'zod'
import { searchIndexJob, specIndexJob } from '../../derived/jobs.ts'
import { findSpacesReusing, toReusedSpecId } from '../../derived/reuses.ts'
import { createUpkeepJob } from '../../derived/upkeep.ts'
import type { SpecDocuments } from '../../domain/openapi/spec-documents.ts'
import { job } from '../../jobs/job.ts'
import { indexPagesReusing, indexSpace, searchDerivation } from '../../search/index-space.ts'
import { createSpecTexts } from './spec-texts.ts'

interface IndexServices {
  documents: SpecDocuments
}

export const indexSpaces = ({ documents }: IndexServices) =>
  job({
    ...searchIndexJob,
    attempts: 5,
    // A large space takes a while, and other spaces should not wait for it.
    atOnce: 2,
    payload: z.object({ spaceId: z.string() }),
    run: (context, { spaceId }) => indexSpace(context, spaceId, createSpecTexts({ ...context, documents })),
  })

const batchSize = 100

/** Indexes the pages again that show a specification. */
export const indexSpecs = ({ documents }: IndexServices) =>
  job({
    ...specIndexJob,
    attempts: 5,
    payload: z.object({ organizationId: z.string(), specs: z.array(z.string()) }),
    async run(context, { organizationId, specs }) {
      const { db, signal } = context
      const reusedIds = specs.map(toReusedSpecId)
      const includeTexts = createSpecTexts({ ...context, documents })
      for (let after = ''; ;) {
        const spaceIds = await findSpacesReusing(db, organizationId, reusedIds, { after, limit: batchSize })
        if (spaceIds.length === 0) return
        after = spaceIds.at(-1) ?? ''
        for (const spaceId of spaceIds) {
          signal.throwIfAborted()
          await indexPagesReusing(context, spaceId, reusedIds, includeTexts)
        }
      }
    },
  })

export const searchUpkeepJob = createUpkeepJob('search.upkeep', searchDerivation, searchIndexJob)
