import { z } from 'zod'
import { deleteExpiredSessions } from '../../access/sessions.ts'
import { deleteExpiredAttempts } from '../../domain/accounts/attempts.ts'
import { deleteExpiredChallenges } from '../../domain/accounts/challenges.ts'
import { deleteExpiredLinks } from '../../domain/accounts/links.ts'
import { resumePeriod } from '../../domain/live/event-id.ts'
import { deleteLiveEventsBefore } from '../../domain/live/event-store.ts'
import { deleteExpiredPresence } from '../../domain/live/presence.ts'
import { deleteUnusedClients } from '../../domain/oauth/clients.ts'
import { deleteExpiredGrants } from '../../domain/oauth/grants.ts'
import { deleteExpiredSamlRows } from '../../domain/saml/request-store.ts'
import { deleteExpiredPendingSignIns } from '../../domain/accounts/pending-sign-ins.ts'
import { deleteExpiredOidcRequests } from '../../domain/accounts/oidc-requests.ts'
import { job } from '../../jobs/job.ts'
import { removeEndedJobs } from '../../jobs/queue.ts'
import { days, hours, minutes, timestamp } from '../../kernel/time.ts'
import { sweepRuns } from '../imports/sweep-runs.ts'

/** Time for which a request can be repeated with its Idempotency-Key. */
const replyRetention = hours(24)
const doneJobRetention = days(7)
/** Longer than for other jobs, so that an operator has time to examine a job that failed permanently. */
const deadJobRetention = days(30)

/** Longer than clients can resume, because a transaction may commit some time after it has recorded an event. */
const liveEventRetention = resumePeriod + minutes(15)

/** Removes stored replies of repeatable requests, ended jobs, expired tokens, sessions and links, live events, and ended imports after their retention. */
export const sweepExpired = job({
  name: 'system.sweep',
  attempts: 5,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ transaction, now }) {
    const time = Date.parse(now())
    const before = (age: number) => timestamp(time - age)
    await transaction(async (db) => {
      await db.deleteFrom('idempotency_keys').where('created_at', '<', before(replyRetention)).execute()
      await deleteExpiredLinks(db, now())
      await deleteExpiredOidcRequests(db, now())
      await deleteExpiredAttempts(db, now())
      await deleteExpiredGrants(db, now())
      await deleteUnusedClients(db, now())
      await deleteExpiredChallenges(db, now())
      await deleteExpiredPendingSignIns(db, now())
      await deleteExpiredSessions(db, now())
      await deleteExpiredSamlRows(db, now())
      await db.deleteFrom('tokens').where('expires_at', '<', before(deadJobRetention)).execute()
      await db.deleteFrom('scim_tokens').where('expires_at', '<', before(deadJobRetention)).execute()
      await deleteLiveEventsBefore(db, before(liveEventRetention))
      await deleteExpiredPresence(db, now())
      await removeEndedJobs(db, before(doneJobRetention), before(deadJobRetention))
      await sweepRuns(db, time)
    })
  },
})
