import type { JsonDocument } from '../../contract/document.ts'
import { parseStandaloneDocument } from '../../domain/documents/document-body.ts'

/** Returns a description as it is stored; null if it is empty. */
export function serializeDescription(document: JsonDocument): string | null {
  const stored = parseStandaloneDocument({ document }, 'body.description')
  return stored.nodes.length === 0 ? null : JSON.stringify(stored)
}
