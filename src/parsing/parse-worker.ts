import { randomUUID } from 'node:crypto'
import { assignKeys } from '../content/document/assign-keys.ts'
import { type ExtractJson, extractDocument } from '../content/document/extract.ts'
import { DocumentTooLargeError, assertStructureWithinLimits } from '../content/document/limits.ts'
import type { Document } from '../content/document/nodes.ts'
import {
  type PageDestinations,
  type ResolvedDestination,
  insertDestinations,
  parseDeferredPage,
} from '../content/markdown/deferred.ts'
import { type ParsedPageFile, parsePageFile } from '../content/markdown/parse-page-file.ts'
import { verbatimReferences } from '../content/markdown/references.ts'
import { toSlug } from '../content/markdown/slug.ts'
import { canonicalJson } from '../content/document/canonical-json.ts'
import { serveTasks } from '../threads/serve.ts'

// Runs in a worker thread. The tree is not available here, so the caller is asked to resolve the destinations of links.
// Documents are sent as JSON, which is parsed in a third of the time of a structured clone, and stored without being parsed.

export interface ParseTask {
  text: string
  /** Whether the caller is asked to resolve the destinations of links; otherwise they are kept as they are written. */
  resolvesLinks: boolean
  /** Whether a document that exceeds the limits is refused here: returning it would block the main thread. */
  enforcesLimits: boolean
  /** Set for a document that will be stored: its blocks get keys, reusing those of the previous version where possible. */
  stored?: { previous: Document | undefined; isExtracted: boolean }
}

export type ParseResult =
  /** Document as canonical JSON; if it will be stored, of the object to store. */
  (Omit<ParsedPageFile, 'document'> & { document: string; extract?: ExtractJson }) | { tooLarge: string }

// A random prefix cannot occur in the text of an author.
const prefix = randomUUID().replaceAll('-', '')

serveTasks<ParseTask, ParseResult, PageDestinations, ResolvedDestination[]>({
  async run({ text, resolvesLinks, enforcesLimits, stored }, ask) {
    const deferred = resolvesLinks ? parseDeferredPage(text, prefix) : undefined
    const parsed = deferred?.page ?? parsePageFile(text, verbatimReferences)
    try {
      if (enforcesLimits) assertStructureWithinLimits(parsed.document)
    } catch (error) {
      if (error instanceof DocumentTooLargeError) return { tooLarge: error.message }
      throw error
    }
    const hasLinks = deferred !== undefined && deferred.destinations.lookups.length > 0
    const { document, ...page } = hasLinks ? insertDestinations(deferred, await ask(deferred.destinations)) : parsed
    if (!stored) return { ...page, document: canonicalJson(document) }
    const identified = assignKeys(stored.previous, document)
    const extract = stored.isExtracted ? extractDocument(identified, toSlug) : undefined
    return { ...page, document: canonicalJson({ document: identified, kind: 'document' }), ...(extract && { extract }) }
  },
})
