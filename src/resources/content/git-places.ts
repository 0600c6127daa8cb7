import { type ListedFile, type Listing, type ReadOptions, readObject } from '../../content/revision/objects.ts'
import { type Nodes, findInSorted } from '../../content/revision/sequence.ts'
import type { Tree } from '../../content/revision/tree.ts'
import type { ContentQuery, GitBlob } from '../../contract/revision.ts'
import type { Row } from '../../schema/tables.ts'

/** Which files of a repository pages, files and reusable contents lie in, by the ids of these. */
export type GitPlaces = ReadonlyMap<string, GitBlob>

/** Whether to tell what Git says. */
export type Metadata = Pick<ContentQuery, 'metadata'>

/** What Git says about the content of a revision. */
export interface GitListing {
  /** Says in short what it says; empty when that is nothing. */
  identity: string
  placesOf(ids: readonly string[]): Promise<GitPlaces>
}

interface ListedRevision {
  revision: Pick<Row<'revisions'>, 'listing_hash'>
  tree: Pick<Tree, 'objects'>
}

const nowhere: GitPlaces = new Map()
const nothing: GitListing = { identity: '', placesOf: () => Promise.resolve(nowhere) }

/** Opens the listing of a revision. Nothing of it is read before somebody asks for places, and then only what tells these. */
export function gitListingOf(
  { revision, tree }: ListedRevision,
  { metadata }: Metadata,
  options?: ReadOptions,
): GitListing {
  const { listing_hash: hash } = revision
  if (hash === null || !metadata) return nothing
  const { objects } = tree
  const nodes: Nodes = { read: (hashes) => objects.read(hashes, options), write: (node) => objects.write(node) }
  let opened: Promise<Listing> | undefined
  return {
    identity: hash,
    async placesOf(ids) {
      if (ids.length === 0) return nowhere
      opened ??= readObject(objects, 'listing', hash)
      const listing = await opened
      // Files that came from elsewhere than a repository.
      if (listing.directory === undefined) return nowhere
      const items = await findInSorted(nodes, listing.items, ids)
      const paths = [...items.values()].map(({ path }) => path)
      const files = await findInSorted<ListedFile>(nodes, listing.files, paths)
      const places = new Map<string, GitBlob>()
      for (const { id, path } of items.values()) {
        const oid = files.get(path)?.oid
        // Without one, the file is named somewhere and not there.
        if (oid) places.set(id, { oid, path: pathFromTop(listing, path) })
      }
      return places
    },
  }
}

function pathFromTop({ directory = '', folder }: Listing, path: string): string {
  return [directory, folder, path].filter((part) => part !== '').join('/')
}
