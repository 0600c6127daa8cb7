import { type RawBuilder, sql } from 'kysely'

/** SQL expressions for the key of content and the collection around it. */
export type ContentColumns = Record<'organizationId' | 'id' | 'parentId', RawBuilder<unknown>>

/** Returns the values of a row as SQL expressions. */
export const toContentColumns = (content: {
  organizationId: string
  id: string
  parentId: string | null
}): ContentColumns => ({
  organizationId: sql.val(content.organizationId),
  id: sql.val(content.id),
  parentId: sql.val(content.parentId),
})

/** Returns a part of a `with recursive` clause: the content and the collections around it, with the number of steps up to them. */
export const contentPathSql = ({ organizationId, id, parentId }: ContentColumns) => sql`
  content_path (id, parent_id, depth) as (
    select ${id}, ${parentId}, 0
    union all
    select level.id, level.parent_id, content_path.depth + 1 from content_path
      join collections as level on level.organization_id = ${organizationId} and level.id = content_path.parent_id
  )`
