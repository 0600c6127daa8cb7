import { type UseLimit, countUse } from '../../domain/accounts/attempts.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { hours, minutes } from '../../kernel/time.ts'
import { SamlError } from '../../saml/error.ts'
import type { PageContext } from '../context.ts'
import { isRefusal, toAuditContext } from '../events.ts'
import type { RequestedProvider } from './provider.ts'

/** Maximum numbers of recorded failures, because anyone can send responses that fail. */
const maxFailures = { network: { max: 20, period: minutes(15) }, provider: { max: 500, period: hours(1) } }

/** Runs a step of a sign-in. If it is refused, the audit log of the organization of the provider gets an event. */
export async function recordFailures<T>(
  context: PageContext,
  requested: RequestedProvider,
  step: () => Promise<T>,
  email?: string,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof SamlError || isRefusal(error)) await recordFailure(context, requested, error.message, email)
    throw error
  }
}

function recordFailure(
  context: PageContext,
  { provider }: RequestedProvider,
  reason: string,
  email: string | undefined,
): Promise<void> {
  const { database, request, now } = context
  const limits: UseLimit[] = [
    { key: ['saml failure', provider.id, request.clientNetwork], ...maxFailures.network },
    { key: ['saml failure', provider.id], ...maxFailures.provider },
  ]
  const row = { organization_id: provider.organization_id, id: provider.id, title: provider.label }
  return database.transaction(async (db) => {
    for (const limit of limits) if (!(await countUse(db, limit, now()))) return
    await recordEventAbout(toAuditContext(db, context), 'saml-provider', row, 'user.sign-in-failed', {
      after: { method: 'saml', email, reason },
    })
  })
}
