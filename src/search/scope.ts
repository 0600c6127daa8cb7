/**
 * Returns the scope word of a space, which is indexed with every section and cannot occur in a text. Including it in a
 * query limits the search to the sections of the space.
 */
export const scopeWord = (spaceId: string): string => `@${spaceId}`

/** Maximum number of spaces for which scope words are used; with more, they cost more than they save. */
const maxScopes = 200

/** Returns the scope words of spaces, or none if there are too many. */
export function scopeWords(spaceIds: readonly string[]): string[] {
  return spaceIds.length > maxScopes ? [] : spaceIds.map(scopeWord)
}
