import type { ListedFile } from '../revision/objects.ts'
import { contentFolders } from './config.ts'
import type { RepositoryFiles } from './files.ts'
import type { FolderReader } from './folder.ts'
import { isMarkdown, normalizedName } from './paths.ts'
import type { PlannedPage, RepositoryPlan } from './plan.ts'
import { type Outside, type RepositoryNames, outsideOf } from './references.ts'

/** Maps the files of a folder to items. */
export interface ImportedNames extends RepositoryNames {
  /** Ids of files that are not pages, by path; a file outside the assets folder is added when a link refers to it. */
  assets: Map<string, string>
}

export interface NamesToImport {
  folder: FolderReader
  files: RepositoryFiles
  plan: RepositoryPlan
  idOf: (path: string, is: ListedFile['is']) => string
  /** Whether a path was listed as a file that pages may show. */
  isFile: (path: string) => boolean
  outside: Outside | undefined
}

/** Determines the page, reusable content or asset that each file contains. */
export function namesIn({ folder, files, plan, idOf, isFile, outside }: NamesToImport): ImportedNames {
  const { pageOfFile } = plan
  const reusableContentOfFile = new Map<string, string>()
  const assets = new Map<string, string>()
  for (const { path } of folder.files) {
    if (isIn('includes', path) && isMarkdown(path) && !pageOfFile.has(path)) {
      reusableContentOfFile.set(path, idOf(path, 'reusable-content'))
    }
    if (isIn('assets', path) || isFile(path)) assets.set(path, idOf(path, 'file'))
  }
  return {
    files,
    pageOfFile,
    missingPages: missingPages(plan),
    reusableContentOfFile,
    isMissing: (path) => files.find(path) === undefined,
    assets,
    assetOfFile: (path) => {
      const known = assets.get(path)
      if (known !== undefined) return known
      if (outside !== undefined && !mediaFile.test(path)) return undefined
      const id = idOf(path, 'file')
      assets.set(path, id)
      return id
    },
    ...(outside && { outside: outsideOf(outside, folder.config.root) }),
  }
}

/** Returns the names (see `normalizedName`) of paths that refer to something else than before. */
export function changedNames(
  former: ReadonlyMap<string, ListedFile>,
  { folder, names, plan }: { folder: FolderReader; names: ImportedNames; plan: RepositoryPlan },
): Set<string> {
  const changed = new Set<string>()
  const missing = new Map(filesIn(plan.pages, 'missing'))
  const itemOf = (path: string) =>
    names.pageOfFile.get(path) ?? names.reusableContentOfFile.get(path) ?? names.assets.get(path)
  for (const { path } of folder.files) if (itemOf(path) !== former.get(path)?.item) changed.add(normalizedName(path))
  for (const [path, { item }] of former) {
    if (!folder.find(path) && missing.get(path) !== item) changed.add(normalizedName(path))
  }
  for (const [path] of missing) if (!former.has(path)) changed.add(normalizedName(path))
  return changed
}

/** Yields the files of pages, existing or missing, with the ids of the pages. */
export function* filesIn(pages: readonly PlannedPage[], kind: 'file' | 'missing'): Generator<[string, string]> {
  for (const { id, what, children } of pages) {
    const path = what.type === 'document' ? what[kind] : undefined
    if (path !== undefined) yield [path, id]
    yield* filesIn(children, kind)
  }
}

/** Returns the pages that are listed but whose files do not exist, by `normalizedName`. */
export function missingPages({ pages }: RepositoryPlan): Map<string, string> {
  return new Map([...filesIn(pages, 'missing')].map(([path, id]) => [normalizedName(path), id]))
}

const isIn = (name: 'assets' | 'includes', path: string): boolean =>
  contentFolders.some((folder) => path.startsWith(`${folder}/${name}/`))

/** Matches files for readers, as opposed to source code that a page links to. */
const mediaFile =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp4|webm|mov|mp3|wav|ogg|pdf|docx?|xlsx?|pptx?|csv|zip|json|ya?ml|txt)$/i
