import type { Fingerprints } from './fingerprints.ts'
import type { PrintContext } from './print-html-inlines.ts'

/** The source into which an edited page is spliced. */
export interface SpliceSource {
  text: string
  newline: string
  fingerprints: Fingerprints
}

/** Contexts for printing blocks as they are in the source, and as they are wanted. */
export interface PrintContexts {
  before: PrintContext
  after: PrintContext
}
