import type { Insertable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

export function findScimTokens(
  db: Db,
  organizationId: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return db
    .selectFrom('scim_tokens')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countScimTokens(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('scim_tokens')
    .where('organization_id', '=', organizationId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function insertScimToken(db: Db, token: Insertable<Tables['scim_tokens']>) {
  return db.insertInto('scim_tokens').values(token).returningAll().executeTakeFirstOrThrow()
}

/** Deletes a token and returns its row; undefined if there was none. */
export function deleteScimToken(
  db: Db,
  organizationId: string,
  tokenId: string,
): Promise<Row<'scim_tokens'> | undefined> {
  return db
    .deleteFrom('scim_tokens')
    .where('organization_id', '=', organizationId)
    .where('id', '=', tokenId)
    .returningAll()
    .executeTakeFirst()
}
