import { z } from 'zod'
import { findPlacedSite } from '../../access/sites.ts'
import { job } from '../../jobs/job.ts'
import { hours, minutes, timestamp } from '../../kernel/time.ts'
import { hostnameCheck, patience, settle } from './claim.ts'
import { type HostnameServices, goalsOf, lookAt } from './proof.ts'
import * as store from './store.ts'

const shortestPause = minutes(5)
const longestPause = hours(6)
/** Maximum number of claims per run; the others are checked in the next run. */
const atOnce = 500

export const checkHostname = (services: HostnameServices) =>
  job({
    ...hostnameCheck,
    attempts: 3,
    payload: z.object({ organizationId: z.string(), siteId: z.string() }),
    async run({ db: reader, transaction, urls, now, newId, enqueue }, { organizationId, siteId }) {
      const site = await findPlacedSite(reader, organizationId, siteId)
      const claim = site && (await store.findClaimOf(reader, site))
      if (!site || !claim || claim.is_active === 1) return
      const finding = await lookAt(services, claim, goalsOf(services, site, urls))
      await transaction((db) => settle({ db, now, newId, enqueue, urls }, claim, finding))
    },
  })

/** The job that checks unproved claims again, with increasing pauses. */
export const recheckHostnames = job({
  name: 'hostnames.recheck',
  attempts: 3,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ db: reader, transaction, enqueue, now }) {
    const time = Date.parse(now())
    const pending = await store.findPending(reader, timestamp(time - patience), atOnce)
    const due = pending.filter((claim) => time >= nextLookAt(claim))
    await transaction(async (db) => {
      for (const { organization_id: organizationId, site_id: siteId } of due)
        await enqueue(db, hostnameCheck, { organizationId, siteId })
    })
  },
})

/** Returns the time of the next check of a claim; the pause is the time from the claim to the last check, within limits. */
function nextLookAt({ created_at, checked_at }: store.Claim): number {
  const looked = Date.parse(checked_at ?? created_at)
  const pause = looked - Date.parse(created_at)
  return looked + Math.min(Math.max(pause, shortestPause), longestPause)
}
