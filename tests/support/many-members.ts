import { toMemberSearchColumns } from '../../src/domain/members/member-queries.ts'
import type { Database } from '../../src/storage/database.ts'

/** Rows that are inserted together. */
const batchSize = 500

/** Adds members to an organization directly in the database, because thousands of requests would take too long. */
export async function insertMembers(database: Database, organizationId: string, count: number): Promise<void> {
  const now = '2026-01-01T00:00:00.000Z'
  await database.transaction(async (db) => {
    for (let first = 0; first < count; first += batchSize) {
      const users = Array.from({ length: Math.min(batchSize, count - first) }, (_, offset) => {
        const number = String(first + offset).padStart(5, '0')
        return {
          id: `member-${organizationId}-${number}`,
          email: `member.${number}.${organizationId}@example.com`,
          display_name: `Member ${number}`,
          photo_url: null,
          is_operator: 0 as const,
          created_at: now,
          updated_at: now,
        }
      })
      await db.insertInto('users').values(users).execute()
      const members = users.map((user) => ({
        organization_id: organizationId,
        user_id: user.id,
        role: 'read' as const,
        disabled: 0 as const,
        sso: 0 as const,
        joined_at: now,
        last_seen_at: null,
        ...toMemberSearchColumns(user),
      }))
      await db.insertInto('members').values(members).execute()
    }
    await db
      .updateTable('organizations')
      .set((eb) => ({ member_count: eb('member_count', '+', count) }))
      .where('id', '=', organizationId)
      .execute()
  })
}
