/**
 * Every section is also found by a word for its space, which no text can hold. Looked for together with others, it keeps
 * a search from touching what other spaces hold.
 */
export const scopeWord = (spaceId: string): string => `@${spaceId}`

/** With more spaces than this, looking for each of them costs more than it saves. */
const maxScopes = 200

/** The words of these spaces, or none when there are too many. */
export function scopeWords(spaceIds: readonly string[]): string[] {
  return spaceIds.length > maxScopes ? [] : spaceIds.map(scopeWord)
}
