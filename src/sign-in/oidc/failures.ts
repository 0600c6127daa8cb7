import { findUsersByEmail } from '../../domain/users/user-store.ts'
import type { PageContext } from '../context.ts'
import { recordPageEvent } from '../events.ts'
import type { OidcProvider } from './provider.ts'

/**
 * Records a sign-in that was refused. Organizations see it if the provider has verified the address of their member; otherwise only
 * the operator of the server sees it.
 */
export function recordFailedSignIn(
  context: PageContext,
  { id: provider }: OidcProvider,
  { reason, email }: { reason: string; email: string | undefined },
): Promise<void> {
  return context.database.transaction(async (db) => {
    const [user] = email === undefined ? [] : await findUsersByEmail(db, [email])
    const named = user ?? { id: 'unknown', display_name: email ?? 'unknown', email: email ?? '' }
    await recordPageEvent(db, context, named, 'user.sign-in-failed', { after: { method: 'oidc', provider, reason } })
  })
}
