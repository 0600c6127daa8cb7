import type { Document } from '../../content/document/nodes.ts'
import { printPage } from '../../content/markdown/print.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import type { JsonDocument } from '../../contract/document.ts'
import { parseStandaloneDocument, parseTextBody } from '../../domain/documents/document-body.ts'

/** Returns a description as it is stored; null if it is empty. */
export const serializeDescription = (document: JsonDocument): string | null =>
  toStored(parseStandaloneDocument({ document }, 'body.description'))

/** Parses a description in Markdown and returns it as it is stored; null if it is empty. */
export const parseDescription = (markdown: string): string | null =>
  toStored(parseTextBody({ markdown }, 'body.markdown'))

const toStored = (document: Document): string | null => (document.nodes.length === 0 ? null : JSON.stringify(document))

/** Presents a stored description as Markdown. */
export const presentDescription = (stored: string | null) => ({
  object: 'change-request-description' as const,
  markdown: stored === null ? '' : printPage({ document: JSON.parse(stored) as Document }, verbatimReferences).trim(),
})
