import type { JsonDocument } from '../../contract/document.ts'
import { storedDocument } from '../content/documents.ts'

/** A description as it is stored; an empty one is none. */
export function storedDescription(document: JsonDocument): string | null {
  const stored = storedDocument({ document }, 'body.description')
  return stored.nodes.length === 0 ? null : JSON.stringify(stored)
}
