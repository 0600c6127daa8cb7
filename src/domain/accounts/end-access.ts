import { deleteSessionsOfUser } from '../../access/sessions.ts'
import { deleteLinksOfUser } from './links.ts'
import { deleteGrantsOfUser } from '../oauth/grants.ts'
import type { Db } from '../../schema/tables.ts'
import { deleteTokensOfUser } from '../users/user-store.ts'

/** What a user has received through an organization. */
export interface IssuedAccess {
  userId: string
  organizationId: string
  /** Whether the organization manages the account, see `isManagedAccount`. */
  isManaged: boolean
}

/** Ends what was issued to a user through an organization, or everything if the organization manages the account. */
export async function endAccess(db: Db, { userId, organizationId, isManaged }: IssuedAccess): Promise<void> {
  await deleteSessionsOfUser(db, userId, isManaged ? {} : { ssoOrganizationId: organizationId })
  if (!isManaged) return
  await deleteTokensOfUser(db, userId)
  await deleteGrantsOfUser(db, userId)
  await deleteLinksOfUser(db, userId)
}
