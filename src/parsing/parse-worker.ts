import { randomUUID } from 'node:crypto'
import { DocumentTooLargeError, assertStructureWithinLimits } from '../content/document/limits.ts'
import { type DeferredPage, readDeferred } from '../content/markdown/deferred.ts'
import { serveTasks } from '../threads/serve.ts'

// Runs in a worker thread. The tree is not available here, so the caller resolves the destinations of links.
// JSON is parsed in a third of the time of a structured clone, and canonical JSON is stored without sorting.

export interface ParseTask {
  text: string
  /** Whether a document that is larger than the limits is refused here: returning it would block the main thread. */
  isLimited: boolean
}

export type ParseResult = DeferredPage | { tooLarge: string }

// Nobody can write a text that contains it.
const prefix = randomUUID().replaceAll('-', '')

serveTasks<ParseTask, ParseResult>({
  run({ text, isLimited }) {
    try {
      return readDeferred(text, prefix, isLimited ? assertStructureWithinLimits : undefined)
    } catch (error) {
      if (error instanceof DocumentTooLargeError) return { tooLarge: error.message }
      throw error
    }
  },
})
