import type { Insertable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

export type TemplateRow = Row<'templates'>

function selectTemplates(db: Db, organizationId: string) {
  return db.selectFrom('templates').where('organization_id', '=', organizationId)
}

/** Finds templates, newest first; ids are sorted by creation time. */
export function findTemplates(
  db: Db,
  organizationId: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<TemplateRow[]> {
  return selectTemplates(db, organizationId)
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as string))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countTemplates(db: Db, organizationId: string): Promise<number> {
  const { count } = await selectTemplates(db, organizationId)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findTemplate(db: Db, organizationId: string, id: string): Promise<TemplateRow | undefined> {
  return selectTemplates(db, organizationId).where('id', '=', id).selectAll().executeTakeFirst()
}

export function insertTemplate(db: Db, template: Insertable<Tables['templates']>): Promise<TemplateRow> {
  return db.insertInto('templates').values(template).returningAll().executeTakeFirstOrThrow()
}

/** Deletes a template; returns whether it existed. */
export async function deleteTemplate(db: Db, organizationId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('templates')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
