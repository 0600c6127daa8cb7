import { findViewer } from '../../access/authorize.ts'
import { acceptsSignIn } from '../../access/sign-in-rules.ts'
import { isInReach } from '../../access/sso.ts'
import { type NotifiedSpace, findNotifiedSpaces } from '../../domain/notifications/notification-store.ts'
import { findSpaceRanks } from '../../domain/spaces/space-store.ts'
import type { UserContext } from '../../kernel/context.ts'
import { groupBy } from '../../kernel/group-by.ts'
import type { Db } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'

/** Titles of spaces by their IDs. */
export type SpaceTitles = ReadonlyMap<string, string>

/** Returns those of some spaces that a user can see now, with their titles. */
export async function findVisibleSpaces(
  db: Db,
  userId: string,
  spaces: readonly NotifiedSpace[],
  isOpen: (organizationId: string) => Promise<boolean> = async () => true,
): Promise<SpaceTitles> {
  const titles = new Map<string, string>()
  for (const [organizationId, rows] of groupBy(spaces, (row) => row.organization_id)) {
    const viewer = (await isOpen(organizationId)) ? await findViewer(db, organizationId, userId) : undefined
    if (!viewer) continue
    for (const batch of toBatches([...new Set(rows.map((row) => row.space_id))]))
      for (const { id, title } of await findSpaceRanks(db, viewer, batch)) titles.set(id, title)
  }
  return titles
}

/** Returns the spaces in which the caller has notifications and that they can see now. */
export async function findVisibleSpacesOfCaller(
  { db, principal }: Pick<UserContext, 'db' | 'principal'>,
  filter: { unread: boolean },
): Promise<SpaceTitles> {
  const { user, reach } = principal
  const spaces = await findNotifiedSpaces(db, user.id, filter)
  return findVisibleSpaces(
    db,
    user.id,
    spaces,
    async (organizationId) => isInReach(reach, organizationId) && acceptsSignIn(db, principal, organizationId),
  )
}
