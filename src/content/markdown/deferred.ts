import type { ContentRef } from '../document/nodes.ts'
import { type ReadPage, readPage } from './read-page.ts'
import { type ReferencePlace, type References, readFile, readFileRef, readUser, writeStable } from './references.ts'

/** The destinations of a page, which are resolved where the tree is available: plain data. */
export interface Destinations {
  /** Each destination once for each kind of place that it is written in. */
  lookups: readonly { place: ReferencePlace; destination: string }[]
  /** The destinations in the order of the text; one that is written twice is listed twice. */
  all: readonly string[]
}

/** What a destination refers to; in cells of tables, an id or an address. */
export type Resolved = ContentRef | string

/** A page with names instead of what its destinations refer to. */
export interface DeferredPage {
  page: ReadPage
  destinations: Destinations
  /** What a name begins with; the index of its lookup follows. */
  prefix: string
}

/** Parses a page and its front matter without resolving destinations. No text may contain the prefix: letters and digits. */
export function readDeferred(text: string, prefix: string): DeferredPage {
  const lookups: { place: ReferencePlace; destination: string }[] = []
  const all: string[] = []
  const indexes = new Map<string, number>()
  const later = (place: ReferencePlace, destination: string): string => {
    all.push(destination)
    const key = `${place} ${destination}`
    const index = indexes.get(key) ?? lookups.push({ place, destination }) - 1
    indexes.set(key, index)
    return prefix + index
  }
  const references: References = {
    read: (destination) => ({ kind: 'url', url: later('reference', destination) }),
    write: writeStable,
    later,
  }
  return { page: readPage(text, references), destinations: { lookups, all }, prefix }
}

/** Looks up each destination once. */
export function resolveDestinations({ lookups }: Destinations, references: References): Resolved[] {
  return lookups.map(({ place, destination }) => lookUp(references, place, destination))
}

/** Puts what destinations refer to in place of their names, in the values of the page itself, to which there is no other reference yet. */
export function fillIn({ page, prefix }: DeferredPage, resolved: readonly Resolved[]): ReadPage {
  if (resolved.length > 0) fill(page, prefix, resolved)
  return page
}

function fill(value: object, prefix: string, resolved: readonly Resolved[]): void {
  const parts = value as Record<string, unknown>
  // Most of a document is text, which contains no names.
  if (parts['object'] === 'text' || (parts['object'] === 'block' && parts['type'] === 'code')) return
  for (const key in parts) {
    const part = parts[key]
    if (typeof part === 'string') {
      if (part.startsWith(prefix)) parts[key] = resolved[Number(part.slice(prefix.length))]
    } else if (typeof part === 'object' && part !== null) {
      // A name is all of an address, or all of an id.
      const { kind, url } = part as { kind?: unknown; url?: unknown }
      const isName = kind === 'url' && typeof url === 'string' && url.startsWith(prefix)
      if (isName) parts[key] = resolved[Number(url.slice(prefix.length))]
      else fill(part, prefix, resolved)
    }
  }
}

function lookUp(references: References, place: ReferencePlace, destination: string): Resolved {
  switch (place) {
    case 'reference':
      return references.read(destination)
    case 'file reference':
      return readFileRef(references, destination)
    case 'file':
      return readFile(references, destination)
    case 'user':
      return readUser(references, destination)
  }
}
