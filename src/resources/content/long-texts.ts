import { fullness } from '../../content/document/limits.ts'
import type { ContentChange } from '../../contract/content-changes.ts'
import { type WrittenDocument, isLong, parseLong } from '../../domain/documents/written-document.ts'

/** All texts of a list are held until its end, and a full one takes a dozen megabytes. */
export const maxFullDocuments = 20

/** Texts by their path in the request; one that cannot be read fails when its change is applied. */
export type LongTexts = ReadonlyMap<string, () => WrittenDocument>

/** Reads the long texts of a list of changes in threads, before the transaction that applies the changes. */
export async function readLongTexts(changes: readonly ContentChange[]): Promise<LongTexts> {
  const texts = new Map<string, () => WrittenDocument>()
  let room = maxFullDocuments
  for (const [index, change] of changes.entries()) {
    const body = 'document' in change ? change.document : undefined
    if (!body || !isLong(body)) continue
    const field = `body.changes.${index}.document`
    try {
      const written = await parseLong(body, field)
      texts.set(field, () => written)
      room -= fullness(written.document)
    } catch (error) {
      texts.set(field, () => {
        throw error
      })
      // The list fails here at the latest.
      return texts
    }
    if (room < 0) return texts
  }
  return texts
}
