import { z } from 'zod'
import {
  findProvidersToRenew,
  hasExpired,
  isEventDay,
  reportCertificate,
} from '../../domain/saml/certificate-expiry.ts'
import { recordCertificateEvent } from '../../domain/saml/provider-events.ts'
import { job } from '../../jobs/job.ts'

/** Reports certificates of SAML providers that have expired or expire soon. */
export const reportCertificates = job({
  name: 'saml.certificates',
  attempts: 3,
  key: () => '',
  payload: z.object({}).strict(),
  async run(context) {
    const { now, log } = context
    const providers = await findProvidersToRenew(context.db, now())
    for (const provider of providers) reportCertificate(log, provider, now())
    await context.transaction(async (db) => {
      for (const provider of providers.filter((one) => isEventDay(one, now())))
        await recordCertificateEvent({ ...context, db }, provider, hasExpired(provider, now()))
    })
  },
})
