import type { Document } from '../content/document/nodes.ts'
import type { PreviewBanner } from '../render/shell/parts.ts'
import type { Texts } from '../render/texts.ts'
import type { Surroundings } from './page.ts'
import type { PlacedPage, SpaceView } from './view.ts'

/** A document with marks on what differs from what is live. */
export interface MarkedDocument {
  document: Document
  summary: string | undefined
}

/** Marks the blocks of a page that a previewed change request or revision has otherwise than the live content. */
export async function markChanges(
  _space: SpaceView,
  _placed: PlacedPage,
  document: Document,
  _texts: Texts,
): Promise<MarkedDocument> {
  return { document, summary: undefined }
}

/** What is said above a page that is not the live one. */
export async function previewOf(
  _surroundings: Surroundings,
  _placed: PlacedPage,
  _summary: string | undefined,
): Promise<PreviewBanner | undefined> {
  return undefined
}
