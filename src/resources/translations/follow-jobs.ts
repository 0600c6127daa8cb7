import { z } from 'zod'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'
import { followSourceJob, runTranslationJob } from '../../domain/translations/jobs.ts'
import * as store from '../../domain/translations/translation-store.ts'
import { job } from '../../jobs/job.ts'
import type { TranslationServices } from './services.ts'
import { startRun } from './start-run.ts'

/** Starts a run after the source of a translation has changed. */
export const followSource = (services: TranslationServices) =>
  job({
    ...followSourceJob,
    attempts: 5,
    payload: z.object({ organizationId: z.string(), translationId: z.string() }),
    async run(context, { organizationId, translationId }) {
      const { enqueue } = context
      if (!(await services.resolveEngine(context, organizationId))) return
      await context.transaction(async (db) => {
        const translation = await store.findTranslation(db, { organization_id: organizationId, id: translationId })
        if (!translation || translation.runs_after_merge === 0) return
        const source = { organization_id: organizationId, id: translation.source_space_id }
        if (!(await findLiveSpace(db, source))) return
        // A run that is waiting or running may have read the source before the change.
        if (!(await startRun({ ...context, db }, translation, null)))
          await enqueue(db, followSourceJob, { organizationId, translationId })
      })
    },
  })

/** Ends runs whose job was given up. */
export const sweepTranslationRuns = job({
  name: 'translations.sweep',
  attempts: 3,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ transaction, now }) {
    const failure = 'The run was interrupted too many times. Start it again'
    await transaction((db) => store.failLostRuns(db, runTranslationJob.name, failure, now()))
  },
})
