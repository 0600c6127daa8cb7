import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A condition: the text of a column contains `part`, in any case. */
export function containing(column: string, part: string): RawBuilder<SqlBool> {
  const pattern = `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
}
