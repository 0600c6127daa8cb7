import type { ContentRef } from '../document/nodes.ts'
import { printStableDestination } from '../markdown/references.ts'
import { toSlug } from '../markdown/slug.ts'
import {
  type SummaryEntry,
  type SummaryGroup,
  type SummaryItem,
  parseSummary,
  printSummary,
} from '../markdown/summary.ts'
import { spliceSummary } from '../markdown/splice-summary.ts'
import type { PageNode } from '../revision/tree.ts'
import { type PageTitles, shortenLinkTitle, resolvePageTitles } from './page-titles.ts'
import { folderOf, resolvePath, relativeFilePath } from './paths.ts'

export interface ExportSummaryOptions {
  /** Path of the table of contents. */
  file: string
  /** Current text of the table of contents, if it exists. */
  source: string | undefined
  pages: readonly PageNode[]
  pathOf: (id: string) => string | undefined
  /** Returns the path that a page had when the table of contents was written. */
  formerPathOf: (id: string) => string | undefined
  /** Returns the file that a path referred to at that time. */
  formerFileAt: (path: string) => string | undefined
  /** Returns the titles that a page had at that time; undefined if it did not exist. */
  formerTitlesOf: (node: PageNode) => PageTitles | undefined
  /** Whether the file of a page contains its title. */
  isTitled: (path: string) => boolean
}

/** Prints the table of contents of these pages. */
export function exportSummary(options: ExportSummaryOptions): string {
  const { file, source, pages, pathOf, formerPathOf, formerTitlesOf, isTitled } = options
  const formerEntries = parseFormerEntries(source, folderOf(file), options.formerFileAt)
  /** Pages printed so far: an entry with the file of one of them is parsed as a link to it. */
  const printedPages = new Set<string>()
  const toDestination = (target: ContentRef): { isPage: boolean; destination: string } => {
    const id = target.kind === 'file' ? target.file : 'page' in target ? target.page : undefined
    const path = id === undefined || ('space' in target && target.space !== undefined) ? undefined : pathOf(id)
    if (path === undefined) {
      return { isPage: false, destination: target.kind === 'url' ? target.url : `${printStableDestination(target)}#` }
    }
    const relative = relativeFilePath(file, path)
    if (target.kind === 'anchor') return { isPage: false, destination: `${relative}#${target.anchor}` }
    if (target.kind === 'page' && printedPages.has(target.page)) return { isPage: true, destination: relative }
    return { isPage: false, destination: `${relative}#` }
  }
  const toSummaryItem = (node: PageNode): SummaryItem => {
    const { entry, page, children } = node
    const path = pathOf(entry.id)
    printedPages.add(entry.id)
    const toChildren = () => children.map(toSummaryItem)
    if (entry.type === 'computed' && page.computed) {
      const { type, props, dependencies } = page.computed
      return { line: 0, type: 'computed', source: { type, props, dependencies }, children: toChildren() }
    }
    if (entry.type === 'link') {
      const { isPage, destination } = toDestination(page.target ?? { kind: 'url', url: '' })
      const { title, linkTitle } = page
      const fullLinkTitle = linkTitle === undefined ? undefined : (formerEntries.longTitles.get(linkTitle) ?? linkTitle)
      const titled = { line: 0, title, ...(fullLinkTitle !== undefined && { linkTitle: fullLinkTitle }) }
      return isPage
        ? { ...titled, type: 'page', path: destination, children: toChildren() }
        : { ...titled, type: 'link', destination, children: toChildren() }
    }
    if (path === undefined) return { line: 0, type: 'empty', title: page.title, children: toChildren() }
    const formerPath = formerPathOf(entry.id)
    const before = formerPath === undefined ? undefined : formerEntries.pages.get(formerPath)
    const destination = before && formerPath === path ? before.path : relativeFilePath(file, path)
    const titles = chooseEntryTitles(page, { before, former: formerTitlesOf(node), isTitled: isTitled(path) })
    return { ...titles, line: 0, type: 'page', path: destination, children: toChildren() }
  }
  const entries = pages.map((node): SummaryEntry => {
    const { entry, page, children } = node
    if (entry.type !== 'group') return toSummaryItem(node)
    const slug = entry.slug === toSlug(page.title) ? undefined : entry.slug
    const group: SummaryGroup = {
      type: 'group',
      line: 0,
      title: page.title,
      ...(slug !== undefined && { slug }),
      children: children.map(toSummaryItem),
    }
    return group
  })
  return source === undefined ? printSummary(entries) : spliceSummary(source, entries)
}

interface FormerTitles {
  /** Titles in the current text. */
  before: PageTitles | undefined
  /** Titles that the page had when the table of contents was written. */
  former: PageTitles | undefined
  isTitled: boolean
}

/**
 * Returns the text of a page's entry, and a title of its link if the text cannot be the link title. The current text is kept if
 * its meaning is the same.
 */
function chooseEntryTitles(page: PageTitles, { before, former, isTitled }: FormerTitles): PageTitles {
  const { title, linkTitle } = page
  const isEquivalent = (entry: PageTitles): boolean => {
    const read = resolvePageTitles({ ...entry, isListed: true }, isTitled ? title : undefined)
    return read.title === title && read.linkTitle === linkTitle
  }
  if (before && former) {
    if (former.title === title && former.linkTitle === linkTitle) return pickTitles(before)
    // Earlier versions of the importer did not use the text as a link title.
    const isIgnored = former.linkTitle === undefined && linkTitle === undefined && before.title !== former.title
    if (isTitled && isIgnored) return pickTitles(before)
  }
  const edited = before && {
    title: before.title === former?.title ? title : before.title,
    linkTitle: shortenLinkTitle(before.linkTitle ?? '') === linkTitle ? before.linkTitle : linkTitle,
  }
  const candidates: PageTitles[] = [
    ...(before ? [pickTitles(before)] : []),
    ...(edited && before.linkTitle !== undefined && linkTitle !== undefined ? [pickTitles(edited)] : []),
    linkTitle === undefined ? { title } : { title: linkTitle },
  ]
  return candidates.find(isEquivalent) ?? pickTitles(page)
}

const pickTitles = ({ title, linkTitle }: { title: string; linkTitle?: string | undefined }): PageTitles => ({
  title,
  ...(linkTitle !== undefined && { linkTitle }),
})

type PageItem = Extract<SummaryItem, { type: 'page' }>

interface FormerEntries {
  /** Entries of pages, by file. */
  pages: ReadonlyMap<string, PageItem>
  /** Link titles that exceed the limit of a page, by their shortened form. */
  longTitles: ReadonlyMap<string, string>
}

function parseFormerEntries(
  source: string | undefined,
  folder: string,
  fileAt: (path: string) => string | undefined,
): FormerEntries {
  const pages = new Map<string, PageItem>()
  const longTitles = new Map<string, string>()
  const collect = (entries: readonly SummaryEntry[]): void => {
    for (const entry of entries) {
      const path = entry.type === 'page' ? resolvePath(folder, entry.path) : undefined
      const file = path === undefined ? undefined : fileAt(path)
      if (entry.type === 'page' && file !== undefined && !pages.has(file)) pages.set(file, entry)
      const linkTitle = 'linkTitle' in entry ? (entry.linkTitle ?? '') : ''
      const short = shortenLinkTitle(linkTitle)
      if (short !== linkTitle) longTitles.set(short, linkTitle)
      collect(entry.children)
    }
  }
  if (source !== undefined) collect(parseSummary(source).entries)
  return { pages, longTitles }
}
