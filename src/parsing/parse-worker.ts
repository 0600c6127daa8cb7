import type { ContentRef } from '../content/document/nodes.ts'
import { readPage } from '../content/markdown/read-page.ts'
import { type References, verbatim, writeStable } from '../content/markdown/references.ts'
import { isAddress } from '../content/repository/references.ts'
import { canonical } from '../content/revision/canonical.ts'
import { serveTasks } from '../threads/serve.ts'

// Runs in a worker thread.

export interface ParseTask {
  text: string
  /** What destinations refer to; without it, destinations are read as they are. */
  known?: ReadonlyMap<string, ContentRef>
}

export type ParseResult =
  /**
   * `page` is a `ReadPage` in canonical JSON: parsing it takes a third of the time of a structured clone, and storing it needs
   * no sorting. `destinations` lists what was looked up, in order; a destination that is written twice is listed twice.
   */
  | { page: string; destinations: readonly string[] }
  /** Destinations that have to be looked up before the text can be read. */
  | { unknown: ReadonlySet<string> }

function parse({ text, known }: ParseTask): ParseResult {
  if (!known) return { page: canonical(readPage(text, verbatim)), destinations: [] }
  const destinations: string[] = []
  const unknown = new Set<string>()
  const references: References = {
    read(destination) {
      const url: ContentRef = { kind: 'url', url: destination }
      if (isAddress(destination)) return url
      const ref = known.get(destination)
      if (ref === undefined) unknown.add(destination)
      else destinations.push(destination)
      return ref ?? url
    },
    write: writeStable,
  }
  const page = readPage(text, references)
  return unknown.size > 0 ? { unknown } : { page: canonical(page), destinations }
}

serveTasks({ run: parse })
