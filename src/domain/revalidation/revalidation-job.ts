import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { findSiteById } from '../../access/sites.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { job } from '../../jobs/job.ts'
import { seconds } from '../../kernel/time.ts'
import { revalidationJob, urlCacheTag } from './revalidate.ts'

export interface RevalidationServices {
  config: { revalidation: { url: string; secret: string | undefined } | undefined }
  /** Fetches URLs that the operator has configured, which may be in a private network. */
  operatorFetch: Fetch
}

const limits = { maxBytes: 64 * 1024, timeout: seconds(10) }

/** Posts changed tags to the front end, signed as it expects. */
export const revalidateFrontend = ({ config, operatorFetch }: RevalidationServices) =>
  job({
    ...revalidationJob,
    attempts: 12,
    payload: z.object({
      tag: z.string(),
      site: z.object({ organizationId: z.string(), siteId: z.string() }).optional(),
    }),
    async run({ db, urls, signal }, { tag, site }) {
      if (!config.revalidation) return
      const { url, secret } = config.revalidation
      const foundSite = site && (await findSiteById(db, site.organizationId, site.siteId))
      const body = JSON.stringify({ tags: foundSite ? [tag, urlCacheTag(urls.site(foundSite))] : [tag] })
      const signature = secret !== undefined && {
        'x-gitbook-signature': createHmac('sha256', secret).update(body).digest('hex'),
      }
      const headers = { 'content-type': 'application/json', ...signature }
      const reply = await operatorFetch.post(url, { body, headers }, { ...limits, signal })
      reply.discard()
      const isSuccess = reply.status >= 200 && reply.status < 300
      if (!isSuccess) throw new Error(`The front end answered with the status ${reply.status}`)
    },
  })
