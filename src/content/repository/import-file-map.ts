import type { ListedFile } from '../revision/objects.ts'
import { contentFolders } from './config.ts'
import type { RepositoryFiles } from './files.ts'
import type { FolderReader } from './folder.ts'
import { isMarkdown, normalizePagePath } from './paths.ts'
import type { PlannedPage, RepositoryPlan } from './plan.ts'
import { type FileUrlMapping, type RepositoryFileMap, scopeFileUrlMapping } from './references.ts'

/** Maps the files of a folder to items. */
export interface ImportFileMap extends RepositoryFileMap {
  /** Ids of files that are not pages, by path; a file outside the assets folder is added when a link refers to it. */
  assets: Map<string, string>
}

export interface ImportFileMapOptions {
  folder: FolderReader
  files: RepositoryFiles
  plan: RepositoryPlan
  idOf: (path: string, is: ListedFile['is']) => string
  /** Whether a path was listed as a file that pages may show. */
  isListedAsset: (path: string) => boolean
  fileUrls: FileUrlMapping | undefined
}

/** Determines the page, reusable content or asset that each file contains. */
export function createImportFileMap({
  folder,
  files,
  plan,
  idOf,
  isListedAsset,
  fileUrls,
}: ImportFileMapOptions): ImportFileMap {
  const { pageOfFile } = plan
  const reusableContentOfFile = new Map<string, string>()
  const assets = new Map<string, string>()
  for (const { path } of folder.files) {
    if (isInContentSubfolder('includes', path) && isMarkdown(path) && !pageOfFile.has(path)) {
      reusableContentOfFile.set(path, idOf(path, 'reusable-content'))
    }
    if (isInContentSubfolder('assets', path) || isListedAsset(path)) assets.set(path, idOf(path, 'file'))
  }
  return {
    files,
    pageOfFile,
    missingPages: findMissingPages(plan),
    reusableContentOfFile,
    isMissing: (path) => files.find(path) === undefined,
    assets,
    assetOfFile: (path) => {
      const existing = assets.get(path)
      if (existing !== undefined) return existing
      if (fileUrls !== undefined && !mediaFilePattern.test(path)) return undefined
      const id = idOf(path, 'file')
      assets.set(path, id)
      return id
    },
    ...(fileUrls && { fileUrls: scopeFileUrlMapping(fileUrls, folder.config.root) }),
  }
}

/** Returns the names (see `normalizePagePath`) of paths that refer to something else than before. */
export function findChangedPaths(
  formerFiles: ReadonlyMap<string, ListedFile>,
  { folder, fileMap, plan }: { folder: FolderReader; fileMap: ImportFileMap; plan: RepositoryPlan },
): Set<string> {
  const changed = new Set<string>()
  const missing = new Map(listPageFiles(plan.pages, 'missing'))
  const itemOf = (path: string) =>
    fileMap.pageOfFile.get(path) ?? fileMap.reusableContentOfFile.get(path) ?? fileMap.assets.get(path)
  for (const { path } of folder.files)
    if (itemOf(path) !== formerFiles.get(path)?.item) changed.add(normalizePagePath(path))
  for (const [path, { item }] of formerFiles) {
    if (!folder.find(path) && missing.get(path) !== item) changed.add(normalizePagePath(path))
  }
  for (const [path] of missing) if (!formerFiles.has(path)) changed.add(normalizePagePath(path))
  return changed
}

/** Yields the files of pages, existing or missing, with the ids of the pages. */
export function* listPageFiles(pages: readonly PlannedPage[], kind: 'file' | 'missing'): Generator<[string, string]> {
  for (const { id, content, children } of pages) {
    const path = content.type === 'document' ? content[kind] : undefined
    if (path !== undefined) yield [path, id]
    yield* listPageFiles(children, kind)
  }
}

/** Returns the pages that are listed but whose files do not exist, by `normalizePagePath`. */
export function findMissingPages({ pages }: RepositoryPlan): Map<string, string> {
  return new Map([...listPageFiles(pages, 'missing')].map(([path, id]) => [normalizePagePath(path), id]))
}

const isInContentSubfolder = (name: 'assets' | 'includes', path: string): boolean =>
  contentFolders.some((folder) => path.startsWith(`${folder}/${name}/`))

/** Matches files for readers, as opposed to source code that a page links to. */
const mediaFilePattern =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp4|webm|mov|mp3|wav|ogg|pdf|docx?|xlsx?|pptx?|csv|zip|json|ya?ml|txt)$/i
