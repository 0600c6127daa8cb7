/**
 * Returns a fast hash of a text (FNV-1a with extra mixing). It is well distributed but easy to forge: use it for splitting and
 * sorting, never for identity.
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // The low bits of plain FNV-1a depend only on the last characters.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 12)) >>> 0
}
