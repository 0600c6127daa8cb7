import type { JsonDocument } from '../../contract/document.ts'
import { parseStored } from '../../domain/documents/written-document.ts'

/** A description as it is stored; an empty one is none. */
export function storedDescription(document: JsonDocument): string | null {
  const stored = parseStored({ document }, 'body.description')
  return stored.nodes.length === 0 ? null : JSON.stringify(stored)
}
