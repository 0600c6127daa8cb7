import type { Db } from '../../schema/tables.ts'
import { deleteTokensOfUser } from './user-store.ts'

/** What a user has received through an organization. */
export interface IssuedAccess {
  userId: string
  organizationId: string
  /** Whether the organization created the account and is the only one that uses it. */
  ownsAccount: boolean
}

/** Ends what was issued to a user through an organization, or everything if the organization owns the account. */
export async function endAccess(db: Db, { userId, ownsAccount }: IssuedAccess): Promise<void> {
  if (ownsAccount) await deleteTokensOfUser(db, userId)
}
