import type { Db, Row } from '../../schema/tables.ts'
import { findUsers } from './user-store.ts'

/** Users that were loaded by their ids. */
export interface LoadedUsers {
  /** Returns a user that must have been loaded. */
  get(userId: string): Row<'users'>
}

export async function loadUsers(db: Db, userIds: Iterable<string | null>): Promise<LoadedUsers> {
  const ids = [...new Set(userIds)].filter((id) => id !== null)
  const byId = new Map((await findUsers(db, ids)).map((user) => [user.id, user]))
  return {
    get(userId) {
      const user = byId.get(userId)
      if (!user) throw new Error(`The user ${userId} was not loaded`)
      return user
    },
  }
}
