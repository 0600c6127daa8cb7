import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Maximum number of letters to replace: the SQLite parser fails at about 40 nested calls, and no realistic search has as many.
 */
const maxFoldedLetters = 20

/**
 * Returns an expression for a column in lower case, to be compared with the lower-case `text`. SQLite converts only
 * ASCII letters, and PostgreSQL only those of its locale, so other letters of `text` are replaced one by one.
 */
export function lowerCaseColumn(column: string, text: string): RawBuilder<string> {
  const foldedLetters = [...new Set(text)]
    .filter((letter) => letter > '\u007f' && hasUpperCase(letter))
    .slice(0, maxFoldedLetters)
  const foldedColumn = foldedLetters.reduce<RawBuilder<unknown>>(
    (inner, letter) => sql`replace(${inner}, ${letter.toUpperCase()}, ${letter})`,
    sql`${sql.ref(column)}`,
  )
  return sql<string>`lower(${foldedColumn})`
}

/** Whether a letter has a single upper-case counterpart; false for letters like ß, whose upper case is several letters. */
function hasUpperCase(letter: string): boolean {
  const upper = letter.toUpperCase()
  return upper !== letter && upper.toLowerCase() === letter
}

/** Returns a condition that a column contains `part`, ignoring case. */
export function columnContains(column: string, part: string): RawBuilder<SqlBool> {
  const text = part.toLowerCase()
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${lowerCaseColumn(column, text)} like ${pattern} escape '\\'`
}
