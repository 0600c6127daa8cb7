import { z } from 'zod'
import { deleteExpiredEmbeds } from '../../domain/embeds/embed-store.ts'
import { type Embeds, fetchEmbedsJob } from '../../domain/embeds/embeds.ts'
import { job } from '../../jobs/job.ts'
import { days, hours, timestamp } from '../../kernel/time.ts'

/** Time for which expired data is kept; data that is shown on pages is fetched again and does not expire. */
const foundRetention = days(30)
const absentRetention = hours(1)

/** Fetches the URLs that pages of an organization requested. */
export const fetchEmbeds = ({ embeds }: { embeds: Embeds }) =>
  job({
    ...fetchEmbedsJob,
    attempts: 3,
    atOnce: 2,
    payload: z.object({ organizationId: z.string() }),
    async run({ transaction, enqueue, signal }, { organizationId }) {
      const hasMore = await embeds.fetchRequested(organizationId, signal)
      if (hasMore) await transaction((db) => enqueue(db, fetchEmbedsJob, { organizationId }))
    },
  })

/** Deletes data of URLs that are no longer shown. */
export const sweepEmbeds = job({
  name: 'embeds.sweep',
  attempts: 5,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ transaction, now }) {
    const before = (age: number) => timestamp(Date.parse(now()) - age)
    await transaction((db) => deleteExpiredEmbeds(db, before(foundRetention), before(absentRetention)))
  },
})
