import type { JsonDocument } from '../../contract/document.ts'
import { parseStored } from '../../domain/documents/written-document.ts'

/** Returns a description as it is stored; null if it is empty. */
export function storedDescription(document: JsonDocument): string | null {
  const stored = parseStored({ document }, 'body.description')
  return stored.nodes.length === 0 ? null : JSON.stringify(stored)
}
