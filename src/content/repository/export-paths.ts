import { slugOf } from '../markdown/slug.ts'
import { readSequence } from '../revision/sequence.ts'
import { type LocatedPage, type Tree, findPage } from '../revision/tree.ts'
import { baseName, folderOf } from './paths.ts'

export interface PathsOptions {
  tree: Tree
  /** The paths of all items, by their ids. */
  known: Iterable<readonly [id: string, path: string]>
  /** Whether something that is not ours lies there. */
  isTaken: (path: string) => boolean
  /** The file of the first page. */
  readme: string
}

/** Where the pages, files and reusable contents of a content lie, or will lie. */
export class ExportPaths {
  readonly #tree: Tree
  readonly #isTaken: (path: string) => boolean
  readonly #readme: string
  readonly #pathOf = new Map<string, string>()
  /** The paths in use, in lower case: on many disks two that differ in case only are one file. */
  readonly #used = new Set<string>()
  /** Which number to try next for a path that is taken. */
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

  /** Frees the path of something that has gone. */
  remove(id: string): void {
    const path = this.#pathOf.get(id)
    if (path !== undefined) this.#used.delete(path.toLowerCase())
    this.#pathOf.delete(id)
  }

  /** Finds a path for a page that has none: in the folder that its pages lie in, or where its place is. */
  async addPage(id: string): Promise<{ isInOwnFolder: boolean }> {
    const located = await findPage(this.#tree, id)
    if (!located) throw new Error(`Page ${id} was not found`)
    const own = await this.#ownFolder(located)
    const isInOwnFolder = own !== undefined && this.#isFree(`${own}/README.md`)
    const wanted = (await this.#isHome(id)) ? this.#readme : await this.#fileOf(located)
    this.#put(id, this.#free(isInOwnFolder ? `${own}/README.md` : wanted))
    return { isInOwnFolder }
  }

  /** The folder that the pages of a page lie in, when it is called like that one. */
  async #ownFolder({ entry, page }: LocatedPage): Promise<string | undefined> {
    for (const child of await readSequence(this.#tree.objects, page.pages)) {
      const path = this.#pathOf.get(child.id)
      const folder = path === undefined ? '' : folderOf(/\/readme\.md$/i.test(path) ? folderOf(path) : path)
      if (folder !== '') return slugOf(baseName(folder)) === entry.slug ? folder : undefined
    }
    return undefined
  }

  /** Gives the file of a page another name, as its slug is another. */
  renamePage(id: string, slug: string): string {
    const path = this.#pathOf.get(id) as string
    if (path === this.#readme || /^readme\.md$/i.test(path)) return path
    const folder = folderOf(path)
    const isReadme = /^readme\.md$/i.test(baseName(path))
    // A file beside its folder stays one.
    const named = pageFile(isReadme ? folderOf(folder) : folder, slug, isReadme)
    this.remove(id)
    return this.#put(id, this.#free(named))
  }

  /** Finds a path for something in a folder, with a name that is safe there. */
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

/** The folder for what is in a page with this file. */
function folderBelow(path: string): string {
  if (/^readme\.md$/i.test(path)) return 'readme'
  return path.replace(/\/readme\.md$/i, '').replace(/\.(?:md|markdown)$/i, '')
}

function pageFile(folder: string, slug: string, isFolder: boolean): string {
  const name = folderName(slug)
  // A file of that name would be the page of its folder.
  const asFolder = isFolder || /^readme$/i.test(name)
  return joined(folder, asFolder ? `${name}/README.md` : `${name}.md`)
}

const joined = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

/** Slugs that came from elsewhere need not be names of files. */
const folderName = (slug: string) =>
  /^[\w.+-]+$/.test(slug) && !/^\.+$/.test(slug) && slug !== '.git' ? slug : slugOf(slug)

/** A name without what leads into other folders or cannot be written. */
function safeName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  const safe = name.replace(/[\u0000-\u001f\u007f/\\]+/g, '-').replace(/^\.+/, '')
  return safe === '' ? 'file' : safe
}
