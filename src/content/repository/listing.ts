import { type ListedFile, type Listing, type Objects, readObject, readObjects } from '../revision/objects.ts'
import { emptySequence, readSequence, updateSorted } from '../revision/sequence.ts'

/** Version of the importer. Increase it whenever files are parsed differently: the next import then reads all of them again. */
export const importVersion = 1

export const emptyListing: Listing = {
  kind: 'listing',
  folder: '',
  files: emptySequence,
  items: emptySequence,
  structure: '',
}

/** Fields of a listing except its files. */
export interface ListingHead extends Pick<Listing, 'folder' | 'structure'> {
  config?: ListedFile | undefined
  /** Folder of the repository; by default, the stored one. */
  directory?: string | undefined
  version: number | undefined
}

/** A listing with changes that are not stored yet. */
export class ListingDraft {
  readonly #objects: Objects
  readonly #stored: Listing
  readonly #storedFiles: ReadonlyMap<string, ListedFile>
  readonly #changes = new Map<string, ListedFile | null>()

  private constructor(objects: Objects, stored: Listing, files: ReadonlyMap<string, ListedFile>) {
    this.#objects = objects
    this.#stored = stored
    this.#storedFiles = files
  }

  static async open(objects: Objects, hash: string | undefined): Promise<ListingDraft> {
    const stored = hash === undefined ? emptyListing : await readObject(objects, 'listing', hash)
    const files = await readSequence(objects, stored.files)
    return new ListingDraft(objects, stored, new Map(files.map((file) => [file.id, file])))
  }

  get stored(): Listing {
    return this.#stored
  }

  /** Stored files without changes, by path. */
  get storedFiles(): ReadonlyMap<string, ListedFile> {
    return this.#storedFiles
  }

  find(path: string): ListedFile | undefined {
    const changed = this.#changes.get(path)
    return changed === undefined ? this.#storedFiles.get(path) : (changed ?? undefined)
  }

  set(file: ListedFile): void {
    this.#changes.set(file.id, file)
  }

  remove(path: string): void {
    if (this.#storedFiles.has(path)) this.#changes.set(path, null)
    else this.#changes.delete(path)
  }

  /** Yields every file, in no particular order. */
  *files(): Generator<ListedFile> {
    for (const file of this.#storedFiles.values()) if (!this.#changes.has(file.id)) yield file
    for (const file of this.#changes.values()) if (file) yield file
  }

  /** Writes the changes and returns the hash of the listing. */
  async commit(head: ListingHead): Promise<string> {
    const items = new Map<string, { id: string; path: string } | null>()
    for (const path of this.#changes.keys()) {
      const item = this.#storedFiles.get(path)?.item
      if (item !== undefined && !items.has(item)) items.set(item, null)
    }
    for (const file of this.#changes.values())
      if (file?.item !== undefined) items.set(file.item, { id: file.item, path: file.id })
    const { folder, structure, config, version, directory = this.#stored.directory } = head
    return this.#objects.write({
      kind: 'listing',
      ...(directory !== undefined && { directory }),
      folder,
      structure,
      ...(version !== undefined && { version }),
      ...(config && { config }),
      files: await updateSorted(this.#objects, this.#stored.files, this.#changes),
      items: await updateSorted(this.#objects, this.#stored.items, items),
    })
  }
}

/** Whether the files of a listing were read by the current version of the importer. */
export async function isReadByCurrentVersion(objects: Objects, hash: string): Promise<boolean> {
  return (await readObject(objects, 'listing', hash)).version === importVersion
}

/** Returns the sources of files, by path. */
export async function readSources(objects: Objects, files: readonly ListedFile[]): Promise<Map<string, string>> {
  const withText = files.flatMap(({ id, hash }) => (hash === undefined ? [] : [{ id, hash }]))
  const sources = await readObjects(
    objects,
    'source',
    withText.map(({ hash }) => hash),
    { skipCache: true },
  )
  return new Map(withText.map(({ id }, index) => [id, sources[index]?.text ?? '']))
}

/** Returns a listed file with these problems instead of its own. */
export function withProblems(file: ListedFile, problems: readonly { line?: number; message: string }[]): ListedFile {
  const { problems: _, ...rest } = file
  if (problems.length === 0) return rest
  const limited = problems.slice(0, maxProblems).map(({ line, message }) => ({
    ...(line !== undefined && { line }),
    message,
  }))
  return { ...rest, problems: limited }
}

/** Maximum number of stored problems per file. */
const maxProblems = 200
