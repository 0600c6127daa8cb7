import type { Db } from '../../schema/tables.ts'
import { isMemberOfOthers } from '../members/member-store.ts'

/**
 * Whether an organization manages an account: it created the account, with SCIM or by a sign-in with its identity provider, and no
 * other organization uses it.
 */
export async function isManagedAccount(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const isCreated =
    (await hasScimAccount(db, organizationId, userId)) || (await hasOwnIdentity(db, organizationId, userId))
  return isCreated && !(await isMemberOfOthers(db, userId, organizationId))
}

async function hasScimAccount(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const account = await db
    .selectFrom('scim_accounts')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return account !== undefined
}

async function hasOwnIdentity(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const identity = await db
    .selectFrom('saml_identities')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('is_managed', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return identity !== undefined
}
