import { z } from 'zod'
import { findProvidersToRenew, reportCertificate } from '../../domain/saml/certificate-expiry.ts'
import { job } from '../../jobs/job.ts'

/** Reports certificates of SAML providers that have expired or expire soon. */
export const reportCertificates = job({
  name: 'saml.certificates',
  attempts: 3,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ db, now, log }) {
    for (const provider of await findProvidersToRenew(db, now())) reportCertificate(log, provider, now())
  },
})
