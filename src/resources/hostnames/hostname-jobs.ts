import { z } from 'zod'
import { findSiteById } from '../../access/sites.ts'
import { job } from '../../jobs/job.ts'
import { hours, minutes, timestamp } from '../../kernel/time.ts'
import { hostnameCheck, autoCheckPeriod, storeCheckResult } from './claim.ts'
import { type HostnameServices, getCnameTargets, checkDnsRecords } from './proof.ts'
import * as store from './store.ts'

const minPause = minutes(5)
const maxPause = hours(6)
/** Maximum number of claims per run; the others are checked in the next run. */
const maxClaimsPerRun = 500

export const checkHostname = (services: HostnameServices) =>
  job({
    ...hostnameCheck,
    attempts: 3,
    payload: z.object({ organizationId: z.string(), siteId: z.string() }),
    async run({ db: reader, transaction, urls, now, newId, enqueue }, { organizationId, siteId }) {
      const site = await findSiteById(reader, organizationId, siteId)
      const claim = site && (await store.findClaimOfSite(reader, site))
      if (!site || !claim || claim.is_active === 1) return
      const result = await checkDnsRecords(services, claim, getCnameTargets(services, site, urls))
      await transaction((db) => storeCheckResult({ db, now, newId, enqueue, urls }, claim, result))
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
    const pending = await store.findPendingClaims(reader, timestamp(time - autoCheckPeriod), maxClaimsPerRun)
    const due = pending.filter((claim) => time >= getNextCheckTime(claim))
    await transaction(async (db) => {
      for (const { organization_id: organizationId, site_id: siteId } of due)
        await enqueue(db, hostnameCheck, { organizationId, siteId })
    })
  },
})

/** Returns the time of the next check of a claim; the pause is the time from the claim to the last check, within limits. */
function getNextCheckTime({ created_at, checked_at }: store.HostnameClaim): number {
  const lastCheck = Date.parse(checked_at ?? created_at)
  const pause = lastCheck - Date.parse(created_at)
  return lastCheck + Math.min(Math.max(pause, minPause), maxPause)
}
