import { type DocumentAnchors, listAnchors } from './anchors.ts'
import { findCodeBlocks } from './code-text.ts'
import type { Document } from './nodes.ts'
import { withAnchorIds } from './outline.ts'
import { type Reference, collectReferences } from './references.ts'
import { type Section, splitIntoSections } from './sections.ts'
import { findUsedVariables } from './used-variables.ts'
import { walkBlocks } from './walk.ts'

/** The parts of a document from which derived rows are computed. */
export interface DocumentExtract {
  references: Reference[]
  anchors: DocumentAnchors
  code: { code: string; syntax?: string | undefined }[]
  text: { sections: Section[]; variables: string[] }
}

/** An extract with each part as JSON, a fraction of the size of the document. */
export type ExtractJson = Readonly<Record<keyof DocumentExtract, string>>

/** Keeps extracts of documents for computing derived rows from them. */
export interface ExtractKeeper {
  /** Whether further extracts would not be kept. */
  isFull: () => boolean
  keep: (documentHash: string, extract: ExtractJson) => void
}

/**
 * Extracts the parts of a document from which derived rows are computed. Returns undefined if it shows reusable contents or
 * specifications, because these are not part of it.
 */
export function extractDocument(document: Document, slugOf: (text: string) => string): ExtractJson | undefined {
  const references = collectReferences(document)
  if (references.some(({ ref }) => ref.kind === 'reusable-content')) return undefined
  const blocks = [...walkBlocks(document)]
  if (blocks.some(({ type }) => type.startsWith('openapi-'))) return undefined
  const anchored = withAnchorIds(document, slugOf)
  const extract: DocumentExtract = {
    references,
    anchors: listAnchors(anchored),
    code: findCodeBlocks(blocks),
    text: { sections: splitIntoSections(anchored), variables: findUsedVariables(blocks) },
  }
  return {
    references: JSON.stringify(extract.references),
    anchors: JSON.stringify(extract.anchors),
    code: JSON.stringify(extract.code),
    text: JSON.stringify(extract.text),
  }
}
