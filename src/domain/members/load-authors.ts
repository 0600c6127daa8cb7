import type { User } from '../../contract/shared.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Db } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'
import { presentUser } from '../users/present-user.ts'
import { findMemberUsers } from './member-store.ts'

/** ID of all users whose accounts were deleted. */
const deletedUserId = 'deleted-user'

/** Presents the author of content by their id; null for a deleted account. */
export type PresentAuthor = (userId: string | null) => User

/** Loads authors of content. Those who are not members of the organization are presented without name and email address. */
export async function loadAuthors(
  { db, urls }: { db: Db; urls: Urls },
  organizationId: string,
  userIds: Iterable<string | null>,
): Promise<PresentAuthor> {
  const ids = [...new Set(userIds)].filter((id) => id !== null)
  const users = new Map<string, User>()
  for (const batch of toBatches(ids)) {
    for (const user of await findMemberUsers(db, organizationId, batch)) users.set(user.id, presentUser(user, urls))
  }
  return (userId) => (userId === null ? undefined : users.get(userId)) ?? presentFormerMember(userId, urls)
}

const presentFormerMember = (userId: string | null, urls: Urls): User => {
  const id = userId ?? deletedUserId
  return { object: 'user', id, displayName: 'Former member', urls: { location: urls.api(`/users/${id}`) } }
}
