import { type SummaryEntry, type SummaryItem, parseSummary } from '../markdown/summary.ts'
import { slugOf } from '../markdown/slug.ts'
import type { ComputedSource } from '../revision/objects.ts'
import type { RepositoryFiles } from './files.ts'
import { folderOf, isMarkdown, joinPath, nameOf } from './paths.ts'
import type { RepositoryProblem } from './source.ts'

/** A page as the structure of a repository has it, before its file is read. */
export interface PlannedPage {
  id: string
  slug: string
  /** What the table of contents calls it, or else the name of its file. */
  title: string
  linkTitle?: string
  /** Whether the table of contents lists it, so that the title is written there. */
  isListed?: true
  children: PlannedPage[]
  what:
    /** The file that holds it, or the one that is named and not there. */
    | { type: 'document'; file?: string; missing?: string }
    | { type: 'group' }
    /** A destination as it is written, seen from the top of the repository. */
    | { type: 'link'; destination: string }
    | { type: 'computed'; source: ComputedSource }
}

export interface RepositoryPlan {
  pages: PlannedPage[]
  /** The id of the page that each file is. */
  pageOfFile: ReadonlyMap<string, string>
  problems: RepositoryProblem[]
}

export interface Repository {
  files: RepositoryFiles
  /** The table of contents, when there is one. */
  summary?: { file: string; text: string } | undefined
  /** Where the first page is. */
  readme?: string | undefined
  newId: () => string
  /** The id of the page that a file is, or that a file would be which is not there. */
  idOfFile: (file: string) => string
}

/** What the pages of a repository are, by its table of contents, or by its folders when it has none. */
export function planRepository(repository: Repository): RepositoryPlan {
  return new Planner(repository).plan()
}

class Planner {
  readonly #repository: Repository
  readonly #pageOfFile = new Map<string, string>()
  /** What is named and not there, by `nameOf`. */
  readonly #missing = new Set<string>()
  readonly #problems: RepositoryProblem[] = []

  constructor(repository: Repository) {
    this.#repository = repository
  }

  plan(): RepositoryPlan {
    const { summary } = this.#repository
    const pages = summary ? this.#withHome(this.#bySummary(summary)) : this.#byFolders()
    return { pages, pageOfFile: this.#pageOfFile, problems: this.#problems }
  }

  #bySummary({ file, text }: { file: string; text: string }): PlannedPage[] {
    const { entries, problems } = parseSummary(text)
    this.#problems.push(...problems.map((problem) => ({ file, ...problem })))
    return this.#planEntries(entries, folderOf(file))
  }

  /** The first page need not be in the table of contents. */
  #withHome(pages: PlannedPage[]): PlannedPage[] {
    const { files, readme = 'README.md' } = this.#repository
    const home = files.find(readme)
    if (home === undefined || this.#pageOfFile.has(home)) return pages
    return [this.#planFile(titleOf(home), home, slugOfFile(home)), ...pages]
  }

  /** Only documents and groups have pages in them; those that are written below others follow them instead. */
  #planEntries(entries: readonly SummaryEntry[], folder: string): PlannedPage[] {
    return entries.flatMap((entry) => {
      const page = this.#planEntry(entry, folder)
      const mayHold = page.what.type === 'document' || page.what.type === 'group'
      return mayHold ? [page] : [{ ...page, children: [] }, ...page.children]
    })
  }

  #planEntry(entry: SummaryEntry, folder: string): PlannedPage {
    const { newId } = this.#repository
    const children = () => this.#planEntries(entry.children, folder)
    switch (entry.type) {
      case 'group': {
        const slug = entry.slug ?? slugOf(entry.title)
        return { id: newId(), slug, title: entry.title, what: { type: 'group' }, children: children() }
      }
      case 'page':
        return this.#planPage(entry, folder, children)
      case 'link':
        return { ...this.#named(entry), what: { type: 'link', destination: entry.destination }, children: children() }
      case 'empty':
        return { ...this.#named(entry), what: { type: 'document' }, children: children() }
      case 'computed': {
        const { type, props = {}, dependencies = {} } = entry.source
        const message = `The computed page (${type}) remains in the table of contents but is not shown, because computed pages are not supported yet`
        this.#problems.push({ file: this.#repository.summary?.file ?? '', line: entry.line, message })
        const source = { type, props, dependencies: dependencies as ComputedSource['dependencies'] }
        return { id: newId(), slug: 'computed', title: type, what: { type: 'computed', source }, children: children() }
      }
    }
  }

  #planPage(entry: Extract<SummaryItem, { type: 'page' }>, folder: string, children: () => PlannedPage[]): PlannedPage {
    const { files, idOfFile, summary } = this.#repository
    const path = joinPath(folder, entry.path)
    const file = path === undefined ? undefined : files.findPage(path)
    const place = { file: summary?.file ?? '', line: entry.line }
    if (file === undefined) {
      if (path !== undefined && this.#missing.has(nameOf(path))) return this.#planDuplicate(entry, path, children)
      this.#problems.push({ ...place, message: `${entry.path} was not found; the page is empty` })
      if (path === undefined) return { ...this.#named(entry), what: { type: 'document' }, children: children() }
      this.#missing.add(nameOf(path))
      const missing = { ...this.#named(entry), id: idOfFile(path), slug: slugOfFile(path) }
      return { ...missing, what: { type: 'document', missing: path }, children: children() }
    }
    if (this.#pageOfFile.has(file)) return this.#planDuplicate(entry, file, children)
    const id = idOfFile(file)
    this.#pageOfFile.set(file, id)
    const named = { ...this.#named(entry), id, slug: slugOfFile(file) }
    return { ...named, what: { type: 'document', file }, children: children() }
  }

  #planDuplicate(
    entry: Extract<SummaryItem, { type: 'page' }>,
    destination: string,
    children: () => PlannedPage[],
  ): PlannedPage {
    const message = `${entry.path} is listed twice; this entry becomes a link`
    this.#problems.push({ file: this.#repository.summary?.file ?? '', line: entry.line, message })
    return { ...this.#named(entry), what: { type: 'link', destination }, children: children() }
  }

  #named({ title, ...entry }: { title: string; linkTitle?: string }) {
    const { linkTitle } = entry
    const titles = { title, ...(linkTitle !== undefined && { linkTitle }) }
    return { id: this.#repository.newId(), slug: slugOf(title), ...titles, isListed: true as const }
  }

  /** Every folder with Markdown in it is a page: its README, or an empty one. */
  #byFolders(): PlannedPage[] {
    const { files } = this.#repository
    const pages = files.paths.filter((path) => isMarkdown(path) && !/(?:^|\/)\./.test(path)).sort(inReadingOrder)
    const top: PlannedPage[] = []
    const folders = new Map<string, PlannedPage[]>([['', top]])
    const childrenOf = (folder: string): PlannedPage[] => {
      const known = folders.get(folder)
      if (known) return known
      const name = folder.slice(folder.lastIndexOf('/') + 1)
      const page = this.#planFile(name, files.find(`${folder}/README.md`), slugOf(name))
      childrenOf(folderOf(folder)).push(page)
      folders.set(folder, page.children)
      return page.children
    }
    for (const path of pages) {
      const siblings = childrenOf(folderOf(path))
      if (this.#pageOfFile.has(path)) continue
      siblings.push(this.#planFile(titleOf(path), path, slugOfFile(path)))
    }
    return top
  }

  #planFile(title: string, file: string | undefined, slug: string): PlannedPage {
    if (file === undefined)
      return { id: this.#repository.newId(), slug, title, what: { type: 'document' }, children: [] }
    const id = this.#repository.idOfFile(file)
    this.#pageOfFile.set(file, id)
    return { id, slug, title, what: { type: 'document', file }, children: [] }
  }
}

/** READMEs first, then by name. */
function inReadingOrder(a: string, b: string): number {
  const [one, other] = [readingKey(a), readingKey(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

const readingKey = (path: string) => path.replace(/(^|\/)README\.md$/i, '$1').toLowerCase()

const titleOf = (file: string) => file.slice(file.lastIndexOf('/') + 1).replace(/\.(?:md|markdown)$/i, '')

/** The slug of the page that a file is: its name, or that of its folder. */
export function slugOfFile(file: string): string {
  const folder = folderOf(file)
  const isReadme = /^readme$/i.test(titleOf(file))
  if (!isReadme || folder === '') return slugOf(titleOf(file))
  return slugOf(folder.slice(folder.lastIndexOf('/') + 1))
}
