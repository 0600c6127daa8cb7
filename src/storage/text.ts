import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** The embedded engine's parser fails on some 40 nested calls; no search in earnest holds that many letters to fold. */
const mostFolded = 20

/**
 * A column in lower case, for a comparison with `text`, which is in lower case. SQLite lowers ASCII letters only, and
 * PostgreSQL what its locale knows, so the other letters that `text` holds are lowered by name.
 */
export function lowered(column: string, text: string): RawBuilder<string> {
  const folded = [...new Set(text)].filter((letter) => letter > '\u007f' && hasUpperCase(letter)).slice(0, mostFolded)
  const named = folded.reduce<RawBuilder<unknown>>(
    (inner, letter) => sql`replace(${inner}, ${letter.toUpperCase()}, ${letter})`,
    sql`${sql.ref(column)}`,
  )
  return sql<string>`lower(${named})`
}

/** Not so for letters like ß, whose upper case is other letters. */
function hasUpperCase(letter: string): boolean {
  const upper = letter.toUpperCase()
  return upper !== letter && upper.toLowerCase() === letter
}

/** A condition: the text of a column contains `part`, in any case. */
export function containing(column: string, part: string): RawBuilder<SqlBool> {
  const text = part.toLowerCase()
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${lowered(column, text)} like ${pattern} escape '\\'`
}
