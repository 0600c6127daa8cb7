import { completeDocument } from '../../content/document/complete.ts'
import type { Document } from '../../content/document/nodes.ts'
import { withAnchorIds } from '../../content/document/outline.ts'
import { toSlug } from '../../content/markdown/slug.ts'

/** Presents a document with anchors and with every field that the public schema requires. */
export const presentDocument = (document: Document): Document => completeDocument(withAnchorIds(document, toSlug))
