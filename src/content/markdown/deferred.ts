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

/** Replaces names in a value and in all that it contains; returns what takes the place of the value. */
function fill(value: unknown, prefix: string, resolved: readonly Resolved[]): unknown {
  if (typeof value === 'string') return isName(value, prefix) ? resolved[indexIn(value, prefix)] : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = fill(value[index], prefix, resolved)
    return value
  }
  const { kind, object, type, url } = value as { kind?: unknown; object?: unknown; type?: unknown; url?: unknown }
  // A name is all of an address, or all of an id.
  if (kind === 'url' && typeof url === 'string' && isName(url, prefix)) return resolved[indexIn(url, prefix)]
  // Texts and code contain no names, and are most of a document.
  if (object === 'text' || (object === 'block' && type === 'code')) return value
  const parts = value as Record<string, unknown>
  for (const key in parts) {
    const part = parts[key]
    const filled = fill(part, prefix, resolved)
    if (filled !== part) parts[key] = filled
  }
  return value
}

const isName = (text: string, prefix: string) => text.length > prefix.length && text.startsWith(prefix)

const indexIn = (name: string, prefix: string) => Number(name.slice(prefix.length))

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
