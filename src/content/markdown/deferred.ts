import type { ContentRef } from '../document/nodes.ts'
import { type ParsedPageFile, parsePageFile } from './parse-page-file.ts'
import {
  type DestinationKind,
  type References,
  resolveFileCell,
  resolveFileRef,
  resolveUserCell,
  printStableDestination,
} from './references.ts'

/** Destinations of a page as plain data, to be resolved where the page tree is available. */
export interface PageDestinations {
  /** Unique pairs of destination and place. */
  lookups: readonly { kind: DestinationKind; destination: string }[]
  /** Destinations in the order of the text, with duplicates. */
  all: readonly string[]
}

/** What a destination refers to; in table cells an id or a URL. */
export type ResolvedDestination = ContentRef | string

/** A page with placeholders for what its destinations refer to. */
export interface DeferredPage {
  page: ParsedPageFile
  destinations: PageDestinations
  /** Prefix of a placeholder; the index of its lookup follows. */
  prefix: string
}

/**
 * Parses a page and its front matter without resolving destinations. The prefix consists of letters and digits and must not occur
 * in any text.
 */
export function parseDeferredPage(text: string, prefix: string): DeferredPage {
  const lookups: { kind: DestinationKind; destination: string }[] = []
  const all: string[] = []
  const indexes = new Map<string, number>()
  const defer = (kind: DestinationKind, destination: string): string => {
    all.push(destination)
    const key = `${kind} ${destination}`
    const index = indexes.get(key) ?? lookups.push({ kind, destination }) - 1
    indexes.set(key, index)
    return prefix + index
  }
  const references: References = {
    resolve: (destination) => ({ kind: 'url', url: defer('reference', destination) }),
    print: printStableDestination,
    defer,
  }
  return { page: parsePageFile(text, references), destinations: { lookups, all }, prefix }
}

/** Resolves each destination once. */
export function resolveDestinations({ lookups }: PageDestinations, references: References): ResolvedDestination[] {
  return lookups.map(({ kind, destination }) => resolveDestination(references, kind, destination))
}

/**
 * Replaces the placeholders of destinations with what they refer to. Modifies the page in place, because nothing else references
 * it yet.
 */
export function insertDestinations(
  { page, prefix }: DeferredPage,
  resolved: readonly ResolvedDestination[],
): ParsedPageFile {
  if (resolved.length > 0) replacePlaceholders(page, prefix, resolved)
  return page
}

/** Replaces placeholders in a value and everything it contains; returns the replacement of the value. */
function replacePlaceholders(value: unknown, prefix: string, resolved: readonly ResolvedDestination[]): unknown {
  if (typeof value === 'string')
    return isPlaceholder(value, prefix) ? resolved[parsePlaceholderIndex(value, prefix)] : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      value[index] = replacePlaceholders(value[index], prefix, resolved)
    return value
  }
  const { kind, object, type, url } = value as { kind?: unknown; object?: unknown; type?: unknown; url?: unknown }
  // A placeholder is a complete URL or a complete id.
  if (kind === 'url' && typeof url === 'string' && isPlaceholder(url, prefix))
    return resolved[parsePlaceholderIndex(url, prefix)]
  // Texts and code are most of a document and contain no placeholders.
  if (object === 'text' || (object === 'block' && type === 'code')) return value
  const parts = value as Record<string, unknown>
  for (const key in parts) {
    const part = parts[key]
    const filled = replacePlaceholders(part, prefix, resolved)
    if (filled !== part) parts[key] = filled
  }
  return value
}

const isPlaceholder = (text: string, prefix: string) => text.length > prefix.length && text.startsWith(prefix)

const parsePlaceholderIndex = (placeholder: string, prefix: string) => Number(placeholder.slice(prefix.length))

function resolveDestination(references: References, kind: DestinationKind, destination: string): ResolvedDestination {
  switch (kind) {
    case 'reference':
      return references.resolve(destination)
    case 'file reference':
      return resolveFileRef(references, destination)
    case 'file':
      return resolveFileCell(references, destination)
    case 'user':
      return resolveUserCell(references, destination)
  }
}
