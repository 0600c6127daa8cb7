import type { PageEntry, ParentEntry } from '../../content/revision/objects.ts'
import { Cache } from '../../kernel/cache.ts'
import { estimateHeapSize } from '../../kernel/heap-size.ts'

/** Pages that were generated from one source, as they are stored. */
export interface GeneratedSubtree {
  /** Everything that the pages depend on. */
  key: string
  /** The pages in place of the computed page. */
  entries: readonly PageEntry[]
  /** Parents of all generated pages; those of `entries` are null. */
  parents: readonly ParentEntry[]
  /** Redirects of former paths, which are relative to the place of the computed page. */
  redirects: readonly { path: string; page: string }[]
  /** Number of operations that were generated. */
  operations: number
  /** Document of the page with the source, if content was added to it. */
  document?: string
}

/** Generated pages by the ID of the page with their source. */
export type GeneratedSubtrees = ReadonlyMap<string, GeneratedSubtree>

/**
 * Generated pages of recently written content, by organization and root. An edit generates no pages again if the content before
 * it has them; they are stored as long as that content is.
 */
const cache = new Cache<GeneratedSubtrees>('generated pages', (subtrees) => estimateHeapSize([...subtrees.values()]))

const keyOf = (organizationId: string, rootHash: string): string => `${organizationId}/${rootHash}`

export const findGeneratedSubtrees = (organizationId: string, rootHash: string): GeneratedSubtrees =>
  cache.get(keyOf(organizationId, rootHash)) ?? new Map()

export const storeGeneratedSubtrees = (organizationId: string, rootHash: string, subtrees: GeneratedSubtrees): void =>
  cache.set(keyOf(organizationId, rootHash), subtrees)
