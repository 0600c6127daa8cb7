import { type SummaryEntry, type SummaryItem, parseSummary } from '../markdown/summary.ts'
import { toSlug } from '../markdown/slug.ts'
import type { ComputedSource } from '../revision/objects.ts'
import type { RepositoryFiles } from './files.ts'
import { folderOf, isMarkdown, joinPath, normalizedName } from './paths.ts'
import type { RepositoryProblem } from './source.ts'

/** A page in the structure of a repository, before its file is read. */
export interface PlannedPage {
  id: string
  slug: string
  /** Title in the table of contents, or else the name of its file. */
  title: string
  linkTitle?: string
  /** Whether it is in the table of contents, which then contains its title. */
  isListed?: true
  children: PlannedPage[]
  what:
    /** A document with its file, or with the path of a file that does not exist. */
    | { type: 'document'; file?: string; missing?: string }
    | { type: 'group' }
    /** A link with its destination as written, relative to the content root. */
    | { type: 'link'; destination: string }
    | { type: 'computed'; source: ComputedSource }
}

export interface RepositoryPlan {
  pages: PlannedPage[]
  /** Id of the page that each file contains. */
  pageOfFile: ReadonlyMap<string, string>
  problems: RepositoryProblem[]
}

export interface Repository {
  files: RepositoryFiles
  /** The table of contents, if there is one. */
  summary?: { file: string; text: string } | undefined
  /** Path of the file of the first page. */
  readme?: string | undefined
  newId: () => string
  /** Returns the id of the page for a file, existing or missing. */
  idOfFile: (file: string) => string
}

/** Determines the pages of a repository from its table of contents, or from its folders if it has none. */
export function planRepository(repository: Repository): RepositoryPlan {
  return new Planner(repository).plan()
}

class Planner {
  readonly #repository: Repository
  readonly #pageOfFile = new Map<string, string>()
  /** Names of the missing files that are listed; see `normalizedName`. */
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

  /** Adds the first page if the table of contents does not contain it. */
  #withHome(pages: PlannedPage[]): PlannedPage[] {
    const { files, readme = 'README.md' } = this.#repository
    const home = files.find(readme)
    if (home === undefined || this.#pageOfFile.has(home)) return pages
    return [this.#planFile(titleOf(home), home, slugOfFile(home)), ...pages]
  }

  /** Plans entries. Only documents and groups have child pages; entries nested below other pages follow them instead. */
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
        const slug = entry.slug ?? toSlug(entry.title)
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
      if (path !== undefined && this.#missing.has(normalizedName(path)))
        return this.#planDuplicate(entry, path, children)
      this.#problems.push({ ...place, message: `${entry.path} was not found; the page is empty` })
      if (path === undefined) return { ...this.#named(entry), what: { type: 'document' }, children: children() }
      this.#missing.add(normalizedName(path))
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
    return { id: this.#repository.newId(), slug: toSlug(title), ...titles, isListed: true as const }
  }

  /** Plans a page for every folder that contains Markdown files: its README, or an empty page. */
  #byFolders(): PlannedPage[] {
    const { files } = this.#repository
    const pages = files.paths.filter((path) => isMarkdown(path) && !/(?:^|\/)\./.test(path)).sort(inReadingOrder)
    const top: PlannedPage[] = []
    const folders = new Map<string, PlannedPage[]>([['', top]])
    const childrenOf = (folder: string): PlannedPage[] => {
      const known = folders.get(folder)
      if (known) return known
      const name = folder.slice(folder.lastIndexOf('/') + 1)
      const page = this.#planFile(name, files.find(`${folder}/README.md`), toSlug(name))
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

/** Compares paths: READMEs first, then by name. */
function inReadingOrder(a: string, b: string): number {
  const [one, other] = [readingKey(a), readingKey(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

const readingKey = (path: string) => path.replace(/(^|\/)README\.md$/i, '$1').toLowerCase()

const titleOf = (file: string) => file.slice(file.lastIndexOf('/') + 1).replace(/\.(?:md|markdown)$/i, '')

/** Returns the slug of the page that a file contains: the name of the file, or that of the folder of a README. */
export function slugOfFile(file: string): string {
  const folder = folderOf(file)
  const isReadme = /^readme$/i.test(titleOf(file))
  if (!isReadme || folder === '') return toSlug(titleOf(file))
  return toSlug(folder.slice(folder.lastIndexOf('/') + 1))
}
