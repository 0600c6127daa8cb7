import { type ListedFile, type Objects, emptyRoot, readObjects } from '../revision/objects.ts'
import { findInSorted } from '../revision/sequence.ts'
import { openTree } from '../revision/tree.ts'
import { type ExportOptions, type ExportResult, exportRepository } from './export.ts'
import type { ListedContent } from './import.ts'
import { ListingDraft } from './listing.ts'

/** A file of a complete export; its path is relative to the top-level folder. */
export type ExportedFile = { path: string } & (
  | { text: string }
  | { blob: string; size: number; oid?: string }
  /** An unchanged text: the hash of its source and its Git object id. */
  | { source: string; oid: string }
)

export interface FullExport {
  files: ExportedFile[]
  /** Git object ids of the listed files, by path. */
  listedOids: ReadonlyMap<string, string>
  /** Writes the listing of all files; requires the Git object ids of the files that have none. */
  list: ExportResult['list']
}

export interface FullExportOptions extends Pick<
  ExportOptions,
  'after' | 'model' | 'fileUrls' | 'directory' | 'onText'
> {
  /**
   * A state of the content that was imported from or exported to a folder; files of unchanged content remain as they were there.
   */
  before?: ListedContent | undefined
}

/** Exports all files of the content, sorted by path. */
export async function exportAllFiles(objects: Objects, options: FullExportOptions): Promise<FullExport> {
  const exported = await exportRepository(objects, { ...options, isTaken: () => false })
  const { changes } = exported
  const changed = new Set(changes.map(({ path }) => path))
  const { files: listedFiles, oids } = await readListedFiles(objects, options.before?.listing)
  const { root } = options.before ? await openTree(objects, options.after) : { root: emptyRoot }
  const ids = listedFiles.flatMap(({ file: { is, item } }) => (is === 'file' && item !== undefined ? [item] : []))
  const entries = await findInSorted(objects, root.files, ids)
  const found = await readObjects(
    objects,
    'file',
    [...entries.values()].map(({ hash }) => hash),
    { skipCache: true },
  )
  const fileObjects = new Map([...entries.keys()].map((id, index) => [id, found[index]]))

  const files = changes.flatMap((change): ExportedFile[] => ('isDeleted' in change ? [] : [change]))
  for (const { path, file } of listedFiles) {
    if (changed.has(path)) continue
    const { oid, hash, item = '' } = file
    const object = fileObjects.get(item)
    // Files that could not be imported are listed without a source and without a file object.
    if (hash !== undefined) files.push({ path, source: hash, oid })
    else if (object) files.push({ path, blob: object.blob, size: object.size, oid })
  }
  return {
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    listedOids: oids,
    list: (given) => exported.list(given),
  }
}

async function readListedFiles(objects: Objects, hash: string | undefined) {
  const { stored, storedFiles } = await ListingDraft.open(objects, hash)
  const prefix = stored.folder === '' ? '' : `${stored.folder}/`
  const files: { path: string; file: ListedFile }[] = [...storedFiles.values()].map((file) => ({
    path: prefix + file.id,
    file,
  }))
  if (stored.config) files.push({ path: stored.config.id, file: stored.config })
  const existing = files.filter(({ file }) => file.oid !== '')
  return { files: existing, oids: new Map(existing.map(({ path, file }) => [path, file.oid])) }
}
