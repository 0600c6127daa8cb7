import type { ExportPaths } from './export-paths.ts'
import { RepositoryFiles } from './files.ts'
import type { ListingDraft } from './listing.ts'
import { percentDecoded } from './paths.ts'
import { type Outside, type RepositoryNames, outsideOf } from './references.ts'

export interface WrittenNames extends RepositoryNames {
  /** Returns the path of an item, or its former path if it was deleted. */
  pathOf: (id: string) => string | undefined
}

export interface NamesToWrite {
  listing: ListingDraft
  paths: ExportPaths
  /** Former paths of deleted or moved items, by id. */
  left: ReadonlyMap<string, string>
  added: { pages: ReadonlySet<string>; contents: ReadonlySet<string> }
  /** Whether a file exists at a path, even if it is not part of the content. */
  isTaken: (path: string) => boolean
  outside: Outside | undefined
}

/**
 * Maps the files, as they will be after the export, to items. Deleted items are included, so that links to them remain unchanged.
 */
export function exportNamesOf({ listing, paths, left, added, isTaken, outside }: NamesToWrite): WrittenNames {
  const { storedFiles, stored } = listing
  const pageOfFile = new Map<string, string>()
  const reusableContentOfFile = new Map<string, string>()
  const assets = new Map<string, string>()
  const kindOf = (id: string, listedAt: string) => {
    if (added.pages.has(id)) return pageOfFile
    if (added.contents.has(id)) return reusableContentOfFile
    const listed = storedFiles.get(listedAt)
    if (listed?.item !== id) return assets
    return listed.is === 'page' ? pageOfFile : listed.is === 'reusable-content' ? reusableContentOfFile : assets
  }
  const formerPath = new Map<string, string>()
  for (const [id, path] of left) {
    if (paths.find(id) !== undefined) continue
    kindOf(id, path).set(path, id)
    formerPath.set(id, path)
  }
  for (const [id, path] of paths.entries()) {
    for (const known of [pageOfFile, reusableContentOfFile, assets]) known.delete(path)
    kindOf(id, left.get(id) ?? path).set(path, id)
  }
  const files = new RepositoryFiles([...pageOfFile.keys(), ...reusableContentOfFile.keys(), ...assets.keys()])
  return {
    files,
    isMissing: (path) => files.find(path) === undefined && !isTaken(path) && !isTaken(percentDecoded(path)),
    pageOfFile,
    reusableContentOfFile,
    assetOfFile: (path) => assets.get(path),
    pathOf: (id) => paths.find(id) ?? formerPath.get(id),
    ...(outside && { outside: outsideOf(outside, stored.folder) }),
  }
}
