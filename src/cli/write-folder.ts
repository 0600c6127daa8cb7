import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import type { ExportedFile, FullExport } from '../content/repository/export-all-files.ts'
import { type Objects, readObject } from '../content/revision/objects.ts'
import { hashStoredGitBlob } from '../resources/content/current-listing.ts'
import { hashGitBlob } from '../resources/content/folder.ts'
import { algorithmOf, restoreSourceBytes } from '../resources/content/text-bytes.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { ExistingFile, TargetFolder } from './target-folder.ts'

/** Name of the file that lists the files of an export, so that the next export recognizes them. */
export const manifestFile = '.octavo-export.json'

const Manifest = z.object({
  space: z.string(),
  revision: z.string(),
  /** Git object ids of the files, by path. */
  files: z.record(z.string(), z.string()),
})
type Manifest = z.infer<typeof Manifest>

/** Where the content of files is read from. */
export interface Stores {
  objects: Objects
  blobs: Pick<Blobs, 'open'>
}

interface PlannedFile {
  file: ExportedFile
  oid: string
  isNew: boolean
}

/** Changes that make a folder equal to the exported content. */
export interface FolderPlan {
  write: PlannedFile[]
  /** Files that are up to date, with their Git object ids. */
  upToDate: Map<string, string>
  remove: string[]
  /** Files that differ from the content and have none of the expected Git object ids. */
  conflicting: string[]
  /** Files that are no longer part of the content but were changed, and are kept. */
  retained: string[]
  /** Files that were too large to be imported, and cannot be exported. */
  unavailable: string[]
}

/** Compares a folder with the content of a space; files of an earlier export or of the import may be overwritten. */
export async function planSpaceFolder(
  stores: Stores,
  target: TargetFolder,
  { files, listedOids }: FullExport,
  spaceId: string,
): Promise<FolderPlan> {
  const manifest = await readManifest(target, spaceId)
  const knownIds = new Map<string, string[]>()
  for (const [path, oid] of [...listedOids, ...Object.entries(manifest?.files ?? {})])
    knownIds.set(path, [...(knownIds.get(path) ?? []), oid])
  return planFolder(stores, target, files, knownIds)
}

/** Compares a folder with files to write; existing files may be overwritten and removed if they have a known Git object id. */
export async function planFolder(
  stores: Stores,
  target: TargetFolder,
  files: readonly ExportedFile[],
  knownIds: ReadonlyMap<string, readonly string[]>,
): Promise<FolderPlan> {
  const plan: FolderPlan = {
    write: [],
    upToDate: new Map(),
    remove: [],
    conflicting: [],
    retained: [],
    unavailable: [],
  }
  for (const file of files) {
    const { path } = file
    const [existing, oid] = [await target.find(path), await computeGitId(stores, file)]
    if (oid === undefined) plan.unavailable.push(path)
    else if (existing && (await existing.matches(oid))) plan.upToDate.set(path, oid)
    else if (existing && !(await matchesAny(existing, knownIds.get(path)))) plan.conflicting.push(path)
    if (oid !== undefined && !plan.upToDate.has(path)) plan.write.push({ file, oid, isNew: existing === undefined })
  }
  const wanted = new Set(files.map(({ path }) => path))
  for (const [path, oids] of knownIds) {
    if (wanted.has(path)) continue
    const existing = await target.find(path)
    if (existing && (await matchesAny(existing, oids))) plan.remove.push(path)
    else if (existing) plan.retained.push(path)
  }
  return plan
}

async function matchesAny(existing: ExistingFile, oids: readonly string[] = []): Promise<boolean> {
  for (const oid of oids) if (await existing.matches(oid)) return true
  return false
}

/** Returns the Git object id of a file to write; undefined if its bytes are not stored completely. */
async function computeGitId(stores: Stores, file: ExportedFile): Promise<string | undefined> {
  if ('text' in file) return hashGitBlob(Buffer.from(file.text))
  if ('blob' in file) return file.oid ?? ((await hashStoredGitBlob(stores.blobs, file.blob)) || undefined)
  const { text } = await readObject(stores.objects, 'source', file.source)
  const bytes = restoreSourceBytes(text, file.oid)
  return bytes && hashGitBlob(bytes, algorithmOf(file.oid))
}

/** Writes and removes files as planned, and lists the files of the space for the next export. */
export async function writeSpaceFolder(
  stores: Stores,
  target: TargetFolder,
  plan: FolderPlan,
  { spaceId, revisionId, onFile }: { spaceId: string; revisionId: string; onFile: (done: number) => Promise<void> },
): Promise<void> {
  const written = new Map(plan.upToDate)
  try {
    await writeFolder(stores, target, plan, async ({ file, oid }, index) => {
      written.set(file.path, oid)
      await onFile(index)
    })
  } finally {
    // Also after a failed export, so that the next one recognizes the files that were written.
    const files = Object.fromEntries([...written].sort(([a], [b]) => (a < b ? -1 : 1)))
    const manifest: Manifest = { space: spaceId, revision: revisionId, files }
    await target.write(manifestFile, (handle) => handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`))
  }
}

/** Writes and removes files as planned; `onWritten` is called after each file that was written. */
export async function writeFolder(
  stores: Stores,
  target: TargetFolder,
  { write, remove }: FolderPlan,
  onWritten: (file: PlannedFile, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, planned] of write.entries()) {
    await target.write(planned.file.path, (handle) => writeContent(stores, handle, planned.file))
    await onWritten(planned, index)
  }
  for (const path of remove) await target.remove(path)
}

async function writeContent({ objects, blobs }: Stores, handle: FileHandle, file: ExportedFile): Promise<void> {
  if ('text' in file) return handle.writeFile(file.text)
  if ('source' in file) {
    const { text } = await readObject(objects, 'source', file.source)
    return handle.writeFile(restoreSourceBytes(text, file.oid) ?? '')
  }
  const opened = await blobs.open(file.blob)
  if (!opened) throw new Error(`The bytes of ${file.path} are missing. Restore a backup`)
  for await (const chunk of opened.stream) await handle.writeFile(chunk)
}

async function readManifest(target: TargetFolder, spaceId: string): Promise<Manifest | undefined> {
  const text = await target.readText(manifestFile)
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const manifest = Manifest.safeParse(value)
  return manifest.success && manifest.data.space === spaceId ? manifest.data : undefined
}
