import type { ExportPaths } from './export-paths.ts'
import { RepositoryFiles } from './files.ts'
import type { ListingDraft } from './listing.ts'
import { decodeFilePath } from './paths.ts'
import { type FileUrlMapping, type RepositoryFileMap, scopeFileUrlMapping } from './references.ts'

export interface ExportFileMap extends RepositoryFileMap {
  /** Returns the path of an item, or its former path if it was deleted. */
  pathOf: (id: string) => string | undefined
}

export interface ExportFileMapOptions {
  listing: ListingDraft
  paths: ExportPaths
  /** Former paths of deleted or moved items, by id. */
  formerPaths: ReadonlyMap<string, string>
  added: { pages: ReadonlySet<string>; contents: ReadonlySet<string> }
  /** Whether a file exists at a path, even if it is not part of the content. */
  isTaken: (path: string) => boolean
  fileUrls: FileUrlMapping | undefined
}

/**
 * Maps the files, as they will be after the export, to items. Deleted items are included, so that links to them remain unchanged.
 */
export function createExportFileMap({
  listing,
  paths,
  formerPaths,
  added,
  isTaken,
  fileUrls,
}: ExportFileMapOptions): ExportFileMap {
  const { storedFiles, stored } = listing
  const pageOfFile = new Map<string, string>()
  const reusableContentOfFile = new Map<string, string>()
  const assets = new Map<string, string>()
  const mapFor = (id: string, listedAt: string) => {
    if (added.pages.has(id)) return pageOfFile
    if (added.contents.has(id)) return reusableContentOfFile
    const listed = storedFiles.get(listedAt)
    if (listed?.item !== id) return assets
    return listed.is === 'page' ? pageOfFile : listed.is === 'reusable-content' ? reusableContentOfFile : assets
  }
  const deletedItemPaths = new Map<string, string>()
  for (const [id, path] of formerPaths) {
    if (paths.find(id) !== undefined) continue
    mapFor(id, path).set(path, id)
    deletedItemPaths.set(id, path)
  }
  for (const [id, path] of paths.entries()) {
    for (const known of [pageOfFile, reusableContentOfFile, assets]) known.delete(path)
    mapFor(id, formerPaths.get(id) ?? path).set(path, id)
  }
  const files = new RepositoryFiles([...pageOfFile.keys(), ...reusableContentOfFile.keys(), ...assets.keys()])
  return {
    files,
    isMissing: (path) => files.find(path) === undefined && !isTaken(path) && !isTaken(decodeFilePath(path)),
    pageOfFile,
    reusableContentOfFile,
    assetOfFile: (path) => assets.get(path),
    pathOf: (id) => paths.find(id) ?? deletedItemPaths.get(id),
    ...(fileUrls && { fileUrls: scopeFileUrlMapping(fileUrls, stored.folder) }),
  }
}
