import { randomUUID } from 'node:crypto'
import { identify } from '../content/document/identify.ts'
import { DocumentTooLargeError, assertStructureWithinLimits } from '../content/document/limits.ts'
import type { Document } from '../content/document/nodes.ts'
import { type Destinations, type Resolved, fillIn, readDeferred } from '../content/markdown/deferred.ts'
import { type ReadPage, readPage } from '../content/markdown/read-page.ts'
import { verbatim } from '../content/markdown/references.ts'
import { canonical } from '../content/document/canonical.ts'
import { serveTasks } from '../threads/serve.ts'

// Runs in a worker thread. The tree is not available here, so the caller is asked what the destinations of links refer to.
// Documents are sent as JSON, which is parsed in a third of the time of a structured clone, and stored without being parsed.

export interface ParseTask {
  text: string
  /** Whether the caller is asked for the destinations of links; otherwise they are kept as they are written. */
  isAsking: boolean
  /** Whether a document that is larger than the limits is refused here: returning it would block the main thread. */
  isLimited: boolean
  /** Set for a document that is stored: its blocks get keys, those of the previous version if they are in it. */
  stored?: { previous: Document | undefined }
}

export type ParseResult =
  /** The document is canonical JSON, of the object that is stored if it is to be stored. */
  (Omit<ReadPage, 'document'> & { document: string }) | { tooLarge: string }

// Nobody can write a text that contains it.
const prefix = randomUUID().replaceAll('-', '')

serveTasks<ParseTask, ParseResult, Destinations, Resolved[]>({
  async run({ text, isAsking, isLimited, stored }, ask) {
    const deferred = isAsking ? readDeferred(text, prefix) : undefined
    const parsed = deferred?.page ?? readPage(text, verbatim)
    try {
      if (isLimited) assertStructureWithinLimits(parsed.document)
    } catch (error) {
      if (error instanceof DocumentTooLargeError) return { tooLarge: error.message }
      throw error
    }
    const hasLinks = deferred !== undefined && deferred.destinations.lookups.length > 0
    const { document, ...page } = hasLinks ? fillIn(deferred, await ask(deferred.destinations)) : parsed
    const object = stored ? { document: identify(stored.previous, document), kind: 'document' } : document
    return { ...page, document: canonical(object) }
  },
})
