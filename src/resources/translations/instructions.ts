import type { Document } from '../../content/document/nodes.ts'
import { textOfBlocks } from '../../content/document/text.ts'

/** Returns the text of a stored document. */
export const plainTextOfDocument = (stored: string): string =>
  textOfBlocks((JSON.parse(stored) as Document).nodes, '\n')
