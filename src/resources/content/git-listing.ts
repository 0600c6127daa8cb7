import { type ListedFile, type Listing, type ObjectReadOptions, readObject } from '../../content/revision/objects.ts'
import { type NodeStore, findInSorted } from '../../content/revision/sequence.ts'
import type { Tree } from '../../content/revision/tree.ts'
import type { ContentQuery, GitBlob } from '../../contract/revision.ts'
import type { Row } from '../../schema/tables.ts'

/** Git blobs and paths of pages, files and reusable contents, by the ids of these. */
export type GitBlobs = ReadonlyMap<string, GitBlob>

/** Whether to include Git metadata. */
export type MetadataQuery = Pick<ContentQuery, 'metadata'>

/** Git metadata for the content of a revision. */
export interface GitListing {
  /** Hash of the listing, for cache keys; empty without metadata. */
  identity: string
  findBlobs(ids: readonly string[]): Promise<GitBlobs>
}

interface ListedRevision {
  revision: Pick<Row<'revisions'>, 'listing_hash'>
  tree: Pick<Tree, 'objects'>
}

const noBlobs: GitBlobs = new Map()
/** Listing of content that has no files. */
export const emptyListing: GitListing = { identity: '', findBlobs: () => Promise.resolve(noBlobs) }

/** Opens the listing of a revision lazily: nothing is read until `findBlobs` is called, and then only the requested entries. */
export function openGitListing(
  { revision, tree }: ListedRevision,
  { metadata }: MetadataQuery,
  options?: ObjectReadOptions,
): GitListing {
  const { listing_hash: hash } = revision
  if (hash === null || !metadata) return emptyListing
  const { objects } = tree
  const nodes: NodeStore = { read: (hashes) => objects.read(hashes, options), write: (node) => objects.write(node) }
  let opened: Promise<Listing> | undefined
  return {
    identity: hash,
    async findBlobs(ids) {
      if (ids.length === 0) return noBlobs
      opened ??= readObject(objects, 'listing', hash)
      const listing = await opened
      // A listing without a directory does not come from a repository.
      if (listing.directory === undefined) return noBlobs
      const items = await findInSorted(nodes, listing.items, ids)
      const paths = [...items.values()].map(({ path }) => path)
      const files = await findInSorted<ListedFile>(nodes, listing.files, paths)
      const blobs = new Map<string, GitBlob>()
      for (const { id, path } of items.values()) {
        const oid = files.get(path)?.oid
        // A file without an object id is referenced in the repository but does not exist there.
        if (oid) blobs.set(id, { oid, path: toRepositoryPath(listing, path) })
      }
      return blobs
    },
  }
}

function toRepositoryPath({ directory = '', folder }: Listing, path: string): string {
  return [directory, folder, path].filter((part) => part !== '').join('/')
}
