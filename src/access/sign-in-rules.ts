import type { Principal } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import type { Db, Row } from '../schema/tables.ts'
import { defineLookup } from '../storage/lookup.ts'

type SignInRules = Pick<Row<'organizations'>, 'id' | 'second_factor_required'>

/**
 * Throws if an organization does not accept how the caller signed in. The rules apply to sessions only: API tokens have their own
 * scopes and expiry, and for its own identity providers the organization decides there.
 */
export function checkSignIn(principal: Principal, organization: SignInRules): void {
  if (!isSignInAccepted(principal, organization))
    throw new AppError(
      'forbidden',
      'The organization requires a second factor. Add a passkey or an authenticator app to your account, or sign in with it',
    )
}

function isSignInAccepted({ session }: Principal, organization: SignInRules): boolean {
  if (!session || session.hasSecondFactor || session.sso?.organizationId === organization.id) return true
  return organization.second_factor_required === 0
}

const findSignInRules = defineLookup((db, { organizationId }: { organizationId: string }) =>
  db.selectFrom('organizations').where('id', '=', organizationId).select(['id', 'second_factor_required']),
)

/** Throws if the organization that owns some content does not accept how the caller signed in. */
export async function requireSignIn(db: Db, principal: Principal, organizationId: string): Promise<void> {
  if (!principal.session || principal.session.hasSecondFactor) return
  const organization = await findSignInRules(db, { organizationId })
  if (organization) checkSignIn(principal, organization)
}

/** Whether an organization accepts how the caller signed in. */
export async function acceptsSignIn(db: Db, principal: Principal, organizationId: string): Promise<boolean> {
  if (!principal.session || principal.session.hasSecondFactor) return true
  const organization = await findSignInRules(db, { organizationId })
  return organization !== undefined && isSignInAccepted(principal, organization)
}

/** Throws if the caller may not create API tokens, because an organization of theirs would not accept the session itself. */
export async function requireSignInForTokens(db: Db, principal: Principal): Promise<void> {
  if (!principal.session || principal.session.hasSecondFactor) return
  const organizations = await db
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .where('members.user_id', '=', principal.user.id)
    .where('organizations.second_factor_required', '=', 1)
    .select(['organizations.id', 'organizations.second_factor_required'])
    .execute()
  for (const organization of organizations) checkSignIn(principal, organization)
}
