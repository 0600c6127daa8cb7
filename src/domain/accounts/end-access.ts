import { deleteSessionsOfUser } from '../../access/sessions.ts'
import { deleteLinksOfUser } from './links.ts'
import { deleteGrantsOfUser } from '../oauth/grants.ts'
import type { Db } from '../../schema/tables.ts'
import { deleteTokensOfUser } from '../users/user-store.ts'

/** What a user has received through an organization. */
export interface IssuedAccess {
  userId: string
  organizationId: string
  /** Whether the organization created the account and is the only one that uses it. */
  ownsAccount: boolean
}

/** Ends what was issued to a user through an organization, or everything if the organization owns the account. */
export async function endAccess(db: Db, { userId, organizationId, ownsAccount }: IssuedAccess): Promise<void> {
  await deleteSessionsOfUser(db, userId, ownsAccount ? {} : { ssoOrganizationId: organizationId })
  if (!ownsAccount) return
  await deleteTokensOfUser(db, userId)
  await deleteGrantsOfUser(db, userId)
  await deleteLinksOfUser(db, userId)
}
