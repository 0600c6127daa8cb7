import { limitUsage } from '../../content/document/limits.ts'
import type { ContentChange } from '../../contract/content-changes.ts'
import {
  type ParsedDocumentBody,
  isLongDocumentBody,
  parseDocumentBodyInThread,
} from '../../domain/documents/document-body.ts'

/** Maximum number of full documents per list: all are kept in memory until the end, and each takes about 12 MB. */
export const maxFullDocuments = 20

/** Parsed texts by their path in the request; a text that cannot be parsed throws when its change is applied. */
export type LongTexts = ReadonlyMap<string, () => ParsedDocumentBody>

/** Parses the long texts of a list of changes in threads, before the transaction that applies the changes. */
export async function parseLongTexts(changes: readonly ContentChange[]): Promise<LongTexts> {
  const texts = new Map<string, () => ParsedDocumentBody>()
  let remaining = maxFullDocuments
  for (const [index, change] of changes.entries()) {
    const body = 'document' in change ? change.document : undefined
    if (!body || !isLongDocumentBody(body)) continue
    const field = `body.changes.${index}.document`
    try {
      const written = await parseDocumentBodyInThread(body, field)
      texts.set(field, () => written)
      remaining -= limitUsage(written.document)
    } catch (error) {
      texts.set(field, () => {
        throw error
      })
      // Applying the list fails at this change or earlier, so later texts are not needed.
      return texts
    }
    if (remaining < 0) return texts
  }
  return texts
}
