import { type SummaryEntry, type SummaryItem, parseSummary } from '../markdown/summary.ts'
import { toSlug } from '../markdown/slug.ts'
import type { ComputedSource } from '../document/nodes.ts'
import type { RepositoryFiles } from './files.ts'
import { folderOf, isMarkdown, resolvePath, normalizePagePath } from './paths.ts'
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
  content:
    /** A document with the path of its file: `file` if it exists, `missing` if not. */
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

export interface PlanOptions {
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
export function planRepository(options: PlanOptions): RepositoryPlan {
  return new RepositoryPlanner(options).plan()
}

class RepositoryPlanner {
  readonly #options: PlanOptions
  readonly #pageOfFile = new Map<string, string>()
  /** Names of the missing files that are listed; see `normalizePagePath`. */
  readonly #missingPaths = new Set<string>()
  readonly #problems: RepositoryProblem[] = []

  constructor(options: PlanOptions) {
    this.#options = options
  }

  plan(): RepositoryPlan {
    const { summary } = this.#options
    const pages = summary ? this.#addHomeIfMissing(this.#planFromSummary(summary)) : this.#planFromFolders()
    return { pages, pageOfFile: this.#pageOfFile, problems: this.#problems }
  }

  #planFromSummary({ file, text }: { file: string; text: string }): PlannedPage[] {
    const { entries, problems } = parseSummary(text)
    this.#problems.push(...problems.map((problem) => ({ file, ...problem })))
    return this.#planEntries(entries, folderOf(file))
  }

  /** Adds the first page if the table of contents does not contain it. */
  #addHomeIfMissing(pages: PlannedPage[]): PlannedPage[] {
    const { files, readme = 'README.md' } = this.#options
    const home = files.find(readme)
    if (home === undefined || this.#pageOfFile.has(home)) return pages
    return [this.#planFile(fileTitle(home), home, slugFromFile(home)), ...pages]
  }

  /** Plans entries. Only documents and groups have child pages; entries nested below other pages follow them instead. */
  #planEntries(entries: readonly SummaryEntry[], folder: string): PlannedPage[] {
    return entries.flatMap((entry) => {
      const page = this.#planEntry(entry, folder)
      const mayHaveChildren = page.content.type === 'document' || page.content.type === 'group'
      return mayHaveChildren ? [page] : [{ ...page, children: [] }, ...page.children]
    })
  }

  #planEntry(entry: SummaryEntry, folder: string): PlannedPage {
    const { newId } = this.#options
    const children = () => this.#planEntries(entry.children, folder)
    switch (entry.type) {
      case 'group': {
        const slug = entry.slug ?? toSlug(entry.title)
        return { id: newId(), slug, title: entry.title, content: { type: 'group' }, children: children() }
      }
      case 'page':
        return this.#planPage(entry, folder, children)
      case 'link':
        return {
          ...this.#createListedPage(entry),
          content: { type: 'link', destination: entry.destination },
          children: children(),
        }
      case 'empty':
        return { ...this.#createListedPage(entry), content: { type: 'document' }, children: children() }
      case 'computed': {
        const { type, props = {}, dependencies = {} } = entry.source
        if (type !== 'builtin:openapi') {
          const message = `The computed page remains in the table of contents but is not shown, because its type ${type} is not supported`
          this.#problems.push({ file: this.#options.summary?.file ?? '', line: entry.line, message })
        }
        const source = { type, props, dependencies: dependencies as ComputedSource['dependencies'] }
        return {
          id: newId(),
          slug: 'computed',
          title: type,
          content: { type: 'computed', source },
          children: children(),
        }
      }
    }
  }

  #planPage(entry: Extract<SummaryItem, { type: 'page' }>, folder: string, children: () => PlannedPage[]): PlannedPage {
    const { files, idOfFile, summary } = this.#options
    const path = resolvePath(folder, entry.path)
    const file = path === undefined ? undefined : files.findPage(path)
    const position = { file: summary?.file ?? '', line: entry.line }
    if (file === undefined) {
      if (path !== undefined && this.#missingPaths.has(normalizePagePath(path)))
        return this.#planDuplicate(entry, path, children)
      this.#problems.push({ ...position, message: `${entry.path} was not found; the page is empty` })
      if (path === undefined)
        return { ...this.#createListedPage(entry), content: { type: 'document' }, children: children() }
      this.#missingPaths.add(normalizePagePath(path))
      const missing = { ...this.#createListedPage(entry), id: idOfFile(path), slug: slugFromFile(path) }
      return { ...missing, content: { type: 'document', missing: path }, children: children() }
    }
    if (this.#pageOfFile.has(file)) return this.#planDuplicate(entry, file, children)
    const id = idOfFile(file)
    this.#pageOfFile.set(file, id)
    const page = { ...this.#createListedPage(entry), id, slug: slugFromFile(file) }
    return { ...page, content: { type: 'document', file }, children: children() }
  }

  #planDuplicate(
    entry: Extract<SummaryItem, { type: 'page' }>,
    destination: string,
    children: () => PlannedPage[],
  ): PlannedPage {
    const message = `${entry.path} is listed twice; this entry becomes a link`
    this.#problems.push({ file: this.#options.summary?.file ?? '', line: entry.line, message })
    return { ...this.#createListedPage(entry), content: { type: 'link', destination }, children: children() }
  }

  #createListedPage({ title, ...entry }: { title: string; linkTitle?: string }) {
    const { linkTitle } = entry
    const titles = { title, ...(linkTitle !== undefined && { linkTitle }) }
    return { id: this.#options.newId(), slug: toSlug(title), ...titles, isListed: true as const }
  }

  /** Plans a page for every folder that contains Markdown files: its README, or an empty page. */
  #planFromFolders(): PlannedPage[] {
    const { files } = this.#options
    const pages = files.paths.filter((path) => isMarkdown(path) && !/(?:^|\/)\./.test(path)).sort(compareReadingOrder)
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
      siblings.push(this.#planFile(fileTitle(path), path, slugFromFile(path)))
    }
    return top
  }

  #planFile(title: string, file: string | undefined, slug: string): PlannedPage {
    if (file === undefined)
      return { id: this.#options.newId(), slug, title, content: { type: 'document' }, children: [] }
    const id = this.#options.idOfFile(file)
    this.#pageOfFile.set(file, id)
    return { id, slug, title, content: { type: 'document', file }, children: [] }
  }
}

/** Compares paths: READMEs first, then by name. */
function compareReadingOrder(a: string, b: string): number {
  const [one, other] = [readingOrderKey(a), readingOrderKey(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

const readingOrderKey = (path: string) => path.replace(/(^|\/)README\.md$/i, '$1').toLowerCase()

const fileTitle = (file: string) => file.slice(file.lastIndexOf('/') + 1).replace(/\.(?:md|markdown)$/i, '')

/** Returns the slug of the page that a file contains: the name of the file, or that of the folder of a README. */
export function slugFromFile(file: string): string {
  const folder = folderOf(file)
  const isReadme = /^readme$/i.test(fileTitle(file))
  if (!isReadme || folder === '') return toSlug(fileTitle(file))
  return toSlug(folder.slice(folder.lastIndexOf('/') + 1))
}
