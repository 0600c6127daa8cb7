import { toSlug } from '../markdown/slug.ts'
import { readSequence } from '../revision/sequence.ts'
import { type LocatedPage, type Tree, findPage } from '../revision/tree.ts'
import { baseName, folderOf } from './paths.ts'

export interface PathsOptions {
  tree: Tree
  /** Paths of all items, by id. */
  known: Iterable<readonly [id: string, path: string]>
  /** Whether a file that is not part of the content exists at a path. */
  isTaken: (path: string) => boolean
  /** Path of the file of the first page. */
  readme: string
}

/** Paths of pages, files and reusable contents, existing and new. */
export class ExportPaths {
  readonly #tree: Tree
  readonly #isTaken: (path: string) => boolean
  readonly #readme: string
  readonly #pathOf = new Map<string, string>()
  /** Paths in use, in lower case: on case-insensitive file systems, paths that differ only in case are the same file. */
  readonly #used = new Set<string>()
  /** Next number to try for a path that is in use. */
  readonly #numbers = new Map<string, number>()
  #home: string | undefined | null = null

  constructor({ tree, known, isTaken, readme }: PathsOptions) {
    this.#tree = tree
    this.#isTaken = isTaken
    this.#readme = readme
    for (const [id, path] of known) this.#put(id, path)
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
    if (path !== undefined) this.#used.delete(path.toLowerCase())
    this.#pathOf.delete(id)
  }

  /** Chooses a path for a page without one: a README in the folder of its children, otherwise a path by its position. */
  async addPage(id: string): Promise<{ isInOwnFolder: boolean }> {
    const located = await findPage(this.#tree, id)
    if (!located) throw new Error(`Page ${id} was not found`)
    const own = await this.#ownFolder(located)
    const isInOwnFolder = own !== undefined && this.#isFree(`${own}/README.md`)
    const wanted = (await this.#isHome(id)) ? this.#readme : await this.#fileOf(located)
    this.#put(id, this.#free(isInOwnFolder ? `${own}/README.md` : wanted))
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
    const named = pageFile(isReadme ? folderOf(folder) : folder, slug, isReadme)
    this.remove(id)
    return this.#put(id, this.#free(named))
  }

  /** Chooses a path in a folder, with a safe file name. */
  addNamed(id: string, folder: string, name: string): string {
    return this.#put(id, this.#free(`${folder}/${safeName(name)}`))
  }

  #put(id: string, path: string): string {
    this.#pathOf.set(id, path)
    this.#used.add(path.toLowerCase())
    return path
  }

  #isFree(path: string): boolean {
    return !this.#used.has(path.toLowerCase()) && !this.#isTaken(path)
  }

  #free(wanted: string): string {
    if (this.#isFree(wanted)) return wanted
    const [, stem = '', ending = ''] = /^([^]*?)(\.[^./]+)?$/.exec(wanted) ?? []
    for (let number = this.#numbers.get(wanted) ?? 1; ; number++) {
      const path = `${stem} (${number})${ending}`
      if (!this.#isFree(path)) continue
      this.#numbers.set(wanted, number + 1)
      return path
    }
  }

  async #isHome(id: string): Promise<boolean> {
    if (this.#home === null) {
      const top = await readSequence(this.#tree.objects, this.#tree.root.pages)
      this.#home = top.find(({ type }) => type === 'document')?.id
    }
    return this.#home === id && this.#isFree(this.#readme)
  }

  async #fileOf({ entry, page, ancestors }: LocatedPage): Promise<string> {
    let folder = ''
    for (const above of ancestors) {
      const path = this.#pathOf.get(above.id)
      folder = path === undefined ? joined(folder, folderName(above.slug)) : folderBelow(path)
    }
    return pageFile(folder, entry.slug, page.pages.entries.length > 0)
  }
}

/** Returns the folder for the children of a page with this file. */
function folderBelow(path: string): string {
  if (/^readme\.md$/i.test(path)) return 'readme'
  return path.replace(/\/readme\.md$/i, '').replace(/\.(?:md|markdown)$/i, '')
}

function pageFile(folder: string, slug: string, isFolder: boolean): string {
  const name = folderName(slug)
  // A file named README would be the page of its folder.
  const asFolder = isFolder || /^readme$/i.test(name)
  return joined(folder, asFolder ? `${name}/README.md` : `${name}.md`)
}

const joined = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

/** Returns a file name for a slug; slugs of other origins may not be valid file names. */
const folderName = (slug: string) =>
  /^[\w.+-]+$/.test(slug) && !/^\.+$/.test(slug) && slug !== '.git' ? slug : toSlug(slug)

/** Replaces characters of a file name that are path separators or not printable, and removes leading dots. */
function safeName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  const safe = name.replace(/[\u0000-\u001f\u007f/\\]+/g, '-').replace(/^\.+/, '')
  return safe === '' ? 'file' : safe
}
