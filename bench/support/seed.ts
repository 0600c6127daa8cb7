import { Queue } from '../../src/jobs/queue.ts'
import type { Enqueue } from '../../src/kernel/context.ts'
import { sql } from 'kysely'
import { createOpenObjects } from '../../src/server/app.ts'
import { newId } from '../../src/kernel/ids.ts'
import { timestamp } from '../../src/kernel/time.ts'
import { toMemberSearchColumns } from '../../src/domain/members/member-queries.ts'
import { createOrganization } from '../../src/resources/organizations/create-organization.ts'
import { createSpace } from '../../src/resources/spaces/create-space.ts'
import { createToken } from '../../src/domain/users/accounts.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Db, Row } from '../../src/schema/tables.ts'

export interface SeededOrganization {
  organizationId: string
  /** Space of the organization that all members can read. */
  spaceId: string
  /** Member with the role `read`, and their token. */
  readerId: string
  readerToken: string
}

const making = { newId, now: () => timestamp(Date.now()), openObjects: createOpenObjects(Date.now) }
const spaceCount = 60
const teamCount = 5

/** Number of rows per transaction; their columns are below the parameter limit of both engines. */
const batchSize = 2000

/** Time when the first seeded member joined; each further one joined a millisecond later. */
const firstJoined = Date.parse('2026-01-01T00:00:00.000Z')

/** Adds an organization with a number of members, each in one team, and spaces of which one is shared with a team only. */
export async function seedOrganization(
  database: Database,
  adminEmail: string,
  size: number,
): Promise<SeededOrganization> {
  const { organizationId, spaceId, teamIds } = await database.transaction(async (db) => {
    const admin = await db.selectFrom('users').selectAll().where('email', '=', adminEmail).executeTakeFirstOrThrow()
    return seedContent(db, new Queue(database, Date.now).enqueue, admin, size)
  })
  let readerId = ''
  let readerToken = ''
  for (let first = 0; first < size; first += batchSize) {
    const users = Array.from({ length: Math.min(batchSize, size - first) }, (_, index) =>
      makeUser(organizationId, first + index),
    )
    await database.transaction((db) => insertMembers(db, organizationId, users, teamIds))
    if (first > 0) continue
    const reader = users[0] as Row<'users'>
    const { token } = await database.transaction((db) => createToken(db, making, { userId: reader.id, label: 'Bench' }))
    readerId = reader.id
    readerToken = token
  }
  await database.transaction((db) => updateCounts(db, organizationId))
  return { organizationId, spaceId, readerId, readerToken }
}

async function seedContent(db: Db, enqueue: Enqueue, admin: Row<'users'>, size: number) {
  const organization = await createOrganization(db, making, { title: `Organization of ${size}`, admin })
  const organizationId = organization.id
  const spaces: Row<'spaces'>[] = []
  for (let index = 0; index < spaceCount; index++) {
    const title = `Space ${index}`
    spaces.push(
      await createSpace(
        db,
        { ...making, enqueue, client: undefined },
        { organizationId, container: undefined, createdBy: admin.id, title, emoji: '📘' },
      ),
    )
  }
  const [open, closed] = spaces as [Row<'spaces'>, Row<'spaces'>]
  const now = making.now()
  const teamIds = Array.from({ length: teamCount }, newId)
  await db
    .insertInto('teams')
    .values(
      teamIds.map((id, index) => ({
        organization_id: organizationId,
        id,
        title: `Team ${index}`,
        member_count: 0,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute()
  await db
    .updateTable('spaces')
    .set({ default_level: 'none', resolved_level: 'none' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', closed.id)
    .execute()
  const teamId = teamIds[0] as string
  await db
    .insertInto('grants')
    .values({
      organization_id: organizationId,
      content_id: closed.id,
      grantee_id: teamId,
      space_id: closed.id,
      collection_id: null,
      user_id: null,
      team_id: teamId,
      role: 'edit',
      created_at: now,
    })
    .execute()
  return { organizationId, spaceId: open.id, teamIds }
}

/** Creates a user; all names have the same length, so that every page of results has the same number of bytes. */
function makeUser(organizationId: string, index: number): Row<'users'> {
  const number = String(index).padStart(6, '0')
  const joined = timestamp(firstJoined + index)
  return {
    id: newId(),
    email: `member.${number}.${organizationId}@example.com`,
    display_name: `Member ${number}`,
    photo_url: null,
    is_operator: 0,
    created_at: joined,
    updated_at: joined,
  }
}

async function insertMembers(
  db: Db,
  organizationId: string,
  users: readonly Row<'users'>[],
  teamIds: readonly string[],
): Promise<void> {
  await db.insertInto('users').values(users).execute()
  await db
    .insertInto('members')
    .values(
      users.map((user) => ({
        organization_id: organizationId,
        user_id: user.id,
        role: 'read' as const,
        disabled: 0 as const,
        sso: 0 as const,
        joined_at: user.created_at,
        last_seen_at: null,
        ...toMemberSearchColumns(user),
      })),
    )
    .execute()
  await db
    .insertInto('team_members')
    .values(
      users.map((user, index) => ({
        organization_id: organizationId,
        team_id: teamIds[index % teamIds.length] as string,
        user_id: user.id,
        role: 'member' as const,
        added_at: user.created_at,
      })),
    )
    .execute()
}

async function updateCounts(db: Db, organizationId: string): Promise<void> {
  await sql`update organizations set member_count =
    (select count(*) from members where organization_id = ${organizationId}) where id = ${organizationId}`.execute(db)
  await sql`update teams set member_count = (select count(*) from team_members
    where team_members.organization_id = teams.organization_id and team_members.team_id = teams.id)
    where organization_id = ${organizationId}`.execute(db)
}
