import type { Db } from '../../schema/tables.ts'
import { deleteTokensOfUser } from './user-store.ts'

/** Ends everything that was issued to an account: nobody can use it until its owner signs in again. */
export async function endAccessOfAccount(db: Db, userId: string): Promise<void> {
  await deleteTokensOfUser(db, userId)
}
