import type { Document } from '../document/nodes.ts'
import { canonical } from '../revision/canonical.ts'
import { type ReadPage, readPage } from './read-page.ts'
import { type ReferencePlace, type References, readFile, readFileRef, readUser, writeStable } from './references.ts'

/** A page whose link destinations are resolved later, where the tree is available: plain data. */
export interface DeferredPage {
  /** A `ReadPage` in canonical JSON, with names instead of what destinations refer to. */
  json: string
  /** What a name begins with; the index of its lookup follows. */
  prefix: string
  lookups: readonly { place: ReferencePlace; destination: string }[]
  /** The destinations in the order of the text; one that is written twice is listed twice. */
  destinations: readonly string[]
}

/** Parses a page and its front matter without resolving destinations. No text may contain the prefix: letters and digits. */
export function readDeferred(
  text: string,
  prefix: string,
  check: (document: Document) => void = () => {},
): DeferredPage {
  const lookups: { place: ReferencePlace; destination: string }[] = []
  const destinations: string[] = []
  const indexes = new Map<string, number>()
  const later = (place: ReferencePlace, destination: string): string => {
    destinations.push(destination)
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
  const page = readPage(text, references)
  check(page.document)
  const json = canonical(page)
  return { json, prefix, lookups, destinations }
}

/** The page with what its destinations refer to; each of them is looked up once. */
export function lookedUp({ json, prefix, lookups }: DeferredPage, references: References): ReadPage {
  const texts = lookups.map(({ place, destination }) => canonical(lookUp(references, place, destination)))
  // A name is all of an address, or all of an id.
  const names = new RegExp(`\\{"kind":"url","url":"${prefix}(\\d+)"\\}|"${prefix}(\\d+)"`, 'g')
  const filled =
    lookups.length === 0
      ? json
      : json.replace(names, (_, ref?: string, id?: string) => texts[Number(ref ?? id)] as string)
  return { title: undefined, ...(JSON.parse(filled) as Omit<ReadPage, 'title'>) }
}

function lookUp(references: References, place: ReferencePlace, destination: string) {
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
