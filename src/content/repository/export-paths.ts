import { toSlug } from '../markdown/slug.ts'
import { readSequence } from '../revision/sequence.ts'
import { type LocatedPage, type Tree, findPage } from '../revision/tree.ts'
import { baseName, folderOf } from './paths.ts'

export interface ExportPathsOptions {
  tree: Tree
  /** Paths of all items, by id. */
  knownPaths: Iterable<readonly [id: string, path: string]>
  /** Whether a file that is not part of the content exists at a path. */
  isTaken: (path: string) => boolean
  /** Path of the file of the first page. */
  readme: string
  /** Returns the path that a new file gets if it is free; others are chosen by slugs and titles. */
  modelPathOf?: ((id: string) => string | undefined) | undefined
}

/** Paths of pages, files and reusable contents, existing and new. */
export class ExportPaths {
  readonly #tree: Tree
  readonly #isTaken: (path: string) => boolean
  readonly #readme: string
  readonly #modelPathOf: ((id: string) => string | undefined) | undefined
  readonly #pathOf = new Map<string, string>()
  /** Paths in use, in lower case: on case-insensitive file systems, paths that differ only in case are the same file. */
  readonly #usedPaths = new Set<string>()
  /** Next number to try for a path that is in use. */
  readonly #nextNumbers = new Map<string, number>()
  #homeId: string | undefined | null = null

  constructor({ tree, knownPaths, isTaken, readme, modelPathOf }: ExportPathsOptions) {
    this.#tree = tree
    this.#isTaken = isTaken
    this.#readme = readme
    this.#modelPathOf = modelPathOf
    for (const [id, path] of knownPaths) this.#setPath(id, path)
  }

  find(id: string): string | undefined {
    return this.#pathOf.get(id)
  }

  entries(): IterableIterator<[string, string]> {
    return this.#pathOf.entries()
  }

  /** Releases the path of a deleted item. */
  remove(id: string): void {
    const path = this.#pathOf.get(id)
    if (path !== undefined) this.#usedPaths.delete(path.toLowerCase())
    this.#pathOf.delete(id)
  }

  /** Chooses a path for a page without one: a README in the folder of its children, otherwise a path by its position. */
  async addPage(id: string): Promise<{ isInOwnFolder: boolean }> {
    const modelPath = this.#findFreeModelPath(id)
    if (modelPath !== undefined) {
      this.#setPath(id, modelPath)
      return { isInOwnFolder: false }
    }
    const located = await findPage(this.#tree, id)
    if (!located) throw new Error(`Page ${id} was not found`)
    const ownFolder = await this.#ownFolder(located)
    const isInOwnFolder = ownFolder !== undefined && this.#isFree(`${ownFolder}/README.md`)
    const preferredPath = (await this.#isHome(id)) ? this.#readme : await this.#createDefaultPath(located)
    this.#setPath(id, this.#findFreePath(isInOwnFolder ? `${ownFolder}/README.md` : preferredPath))
    return { isInOwnFolder }
  }

  /** Returns the folder that contains the children of a page, if the name of the folder matches the slug of the page. */
  async #ownFolder({ entry, page }: LocatedPage): Promise<string | undefined> {
    for (const child of await readSequence(this.#tree.objects, page.pages)) {
      const path = this.#pathOf.get(child.id)
      const folder = path === undefined ? '' : folderOf(/\/readme\.md$/i.test(path) ? folderOf(path) : path)
      if (folder !== '') return toSlug(baseName(folder)) === entry.slug ? folder : undefined
    }
    return undefined
  }

  /** Renames the file of a page after its slug changed; returns the new path. */
  renamePage(id: string, slug: string): string {
    const path = this.#pathOf.get(id) as string
    if (path === this.#readme || /^readme\.md$/i.test(path)) return path
    const folder = folderOf(path)
    const isReadme = /^readme\.md$/i.test(baseName(path))
    // A file next to the folder of its children is not turned into a README.
    const newPath = createPagePath(isReadme ? folderOf(folder) : folder, slug, isReadme)
    this.remove(id)
    return this.#setPath(id, this.#findFreeModelPath(id) ?? this.#findFreePath(newPath))
  }

  /** Chooses a path in a folder, with a safe file name. */
  addFile(id: string, folder: string, name: string): string {
    const path = this.#findFreeModelPath(id) ?? this.#findFreePath(`${folder}/${toSafeFileName(name)}`)
    return this.#setPath(id, path)
  }

  #setPath(id: string, path: string): string {
    this.#pathOf.set(id, path)
    this.#usedPaths.add(path.toLowerCase())
    return path
  }

  #isFree(path: string): boolean {
    return !this.#usedPaths.has(path.toLowerCase()) && !this.#isTaken(path)
  }

  #findFreeModelPath(id: string): string | undefined {
    const path = this.#modelPathOf?.(id)
    return path !== undefined && this.#isFree(path) ? path : undefined
  }

  #findFreePath(preferredPath: string): string {
    if (this.#isFree(preferredPath)) return preferredPath
    const [, stem = '', ending = ''] = /^([^]*?)(\.[^./]+)?$/.exec(preferredPath) ?? []
    for (let number = this.#nextNumbers.get(preferredPath) ?? 1; ; number++) {
      const path = `${stem} (${number})${ending}`
      if (!this.#isFree(path)) continue
      this.#nextNumbers.set(preferredPath, number + 1)
      return path
    }
  }

  async #isHome(id: string): Promise<boolean> {
    if (this.#homeId === null) {
      const top = await readSequence(this.#tree.objects, this.#tree.root.pages)
      this.#homeId = top.find(({ type }) => type === 'document')?.id
    }
    return this.#homeId === id && this.#isFree(this.#readme)
  }

  async #createDefaultPath({ entry, page, ancestors }: LocatedPage): Promise<string> {
    let folder = ''
    for (const ancestor of ancestors) {
      const path = this.#pathOf.get(ancestor.id)
      folder = path === undefined ? joinFolder(folder, toFolderName(ancestor.slug)) : childFolderOf(path)
    }
    return createPagePath(folder, entry.slug, page.pages.entries.length > 0)
  }
}

/** Returns the folder for the children of a page with this file. */
function childFolderOf(path: string): string {
  if (/^readme\.md$/i.test(path)) return 'readme'
  return path.replace(/\/readme\.md$/i, '').replace(/\.(?:md|markdown)$/i, '')
}

function createPagePath(folder: string, slug: string, hasChildren: boolean): string {
  const name = toFolderName(slug)
  // A file named README would be the page of its folder.
  const asFolder = hasChildren || /^readme$/i.test(name)
  return joinFolder(folder, asFolder ? `${name}/README.md` : `${name}.md`)
}

const joinFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

/** Returns a file name for a slug; slugs of other origins may not be valid file names. */
const toFolderName = (slug: string) =>
  /^[\w.+-]+$/.test(slug) && !/^\.+$/.test(slug) && slug !== '.git' ? slug : toSlug(slug)

/** Replaces characters of a file name that are path separators or not printable, and removes leading dots. */
function toSafeFileName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  const safe = name.replace(/[\u0000-\u001f\u007f/\\]+/g, '-').replace(/^\.+/, '')
  return safe === '' ? 'file' : safe
}
