import { z } from 'zod'
import { findPlacedSite } from '../../access/sites.ts'
import { job } from '../../jobs/job.ts'
import { hours, minutes, timestamp } from '../../kernel/time.ts'
import { hostnameCheck, patience, settle } from './claim.ts'
import { type HostnameServices, goalsOf, lookAt } from './proof.ts'
import * as store from './store.ts'

const shortestPause = minutes(5)
const longestPause = hours(6)
/** How many are looked at each time; the others have their turn the next time. */
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

/** Looks again at what was not proved yet, ever less often. */
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

/** Each pause is as long as all the time before it. */
function nextLookAt({ created_at, checked_at }: store.Claim): number {
  const looked = Date.parse(checked_at ?? created_at)
  const pause = looked - Date.parse(created_at)
  return looked + Math.min(Math.max(pause, shortestPause), longestPause)
}
