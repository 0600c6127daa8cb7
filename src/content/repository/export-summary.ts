import type { ContentRef } from '../document/nodes.ts'
import { writeStable } from '../markdown/references.ts'
import { slugOf } from '../markdown/slug.ts'
import {
  type SummaryEntry,
  type SummaryGroup,
  type SummaryItem,
  parseSummary,
  printSummary,
} from '../markdown/summary.ts'
import { printSummaryOver } from '../markdown/summary-over.ts'
import type { PageNode } from '../revision/tree.ts'
import { folderOf, joinPath, relativeFile } from './paths.ts'

export interface SummaryToPrint {
  /** Where it lies. */
  file: string
  /** What it says now, if there is one. */
  source: string | undefined
  pages: readonly PageNode[]
  pathOf: (id: string) => string | undefined
  /** The file that a path leads to. */
  fileAt: (path: string) => string | undefined
  /** What a page was called when the table of contents was written, by what it is called now; undefined when it was not there. */
  formerTitle: (id: string, title: string) => string | undefined
}

/** Writes the table of contents of these pages. */
export function summaryOf({ file, source, pages, pathOf, fileAt, formerTitle }: SummaryToPrint): string {
  const written = source === undefined ? undefined : writtenPages(source, folderOf(file), fileAt)
  /** The pages that stand above in the text: a file that is named again there is a link to it. */
  const above = new Set<string>()
  const titleOf = ({ entry, page }: PageNode, path: string): string => {
    const text = written?.get(path)?.title
    const former = formerTitle(entry.id, page.title)
    // Whoever called it otherwise than it is called meant it.
    return text !== undefined && (former === page.title || text !== former) ? text : page.title
  }
  const destinationOf = (target: ContentRef): { isPage: boolean; destination: string } => {
    const id = target.kind === 'file' ? target.file : 'page' in target ? target.page : undefined
    const path = id === undefined || ('space' in target && target.space !== undefined) ? undefined : pathOf(id)
    if (path === undefined) {
      return { isPage: false, destination: target.kind === 'url' ? target.url : `${writeStable(target)}#` }
    }
    const relative = relativeFile(file, path)
    if (target.kind === 'anchor') return { isPage: false, destination: `${relative}#${target.anchor}` }
    if (target.kind === 'page' && above.has(target.page)) return { isPage: true, destination: relative }
    return { isPage: false, destination: `${relative}#` }
  }
  const itemOf = (node: PageNode): SummaryItem => {
    const { entry, page, children } = node
    const named = { line: 0, ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }) }
    const path = pathOf(entry.id)
    above.add(entry.id)
    const below = () => children.map(itemOf)
    if (page.computed) {
      const { type, props, dependencies } = page.computed
      return { line: 0, type: 'computed', source: { type, props, dependencies }, children: below() }
    }
    if (entry.type === 'link') {
      const { isPage, destination } = destinationOf(page.target ?? { kind: 'url', url: '' })
      const { title } = page
      return isPage
        ? { ...named, type: 'page', title, path: destination, children: below() }
        : { ...named, type: 'link', title, destination, children: below() }
    }
    if (path === undefined) return { line: 0, type: 'empty', title: page.title, children: below() }
    const destination = written?.get(path)?.path ?? relativeFile(file, path)
    return { ...named, type: 'page', title: titleOf(node, path), path: destination, children: below() }
  }
  const entries = pages.map((node): SummaryEntry => {
    const { entry, page, children } = node
    if (entry.type !== 'group') return itemOf(node)
    const slug = entry.slug === slugOf(page.title) ? undefined : entry.slug
    const group: SummaryGroup = {
      type: 'group',
      line: 0,
      title: page.title,
      ...(slug !== undefined && { slug }),
      children: children.map(itemOf),
    }
    return group
  })
  return source === undefined ? printSummary(entries) : printSummaryOver(source, entries)
}

/** What a table of contents calls its pages, and how it spells where they are, by their files. */
function writtenPages(
  source: string,
  folder: string,
  fileAt: (path: string) => string | undefined,
): Map<string, { title: string; path: string }> {
  const pages = new Map<string, { title: string; path: string }>()
  const note = (entries: readonly SummaryEntry[]): void => {
    for (const entry of entries) {
      const path = entry.type === 'page' ? joinPath(folder, entry.path) : undefined
      const file = path === undefined ? undefined : fileAt(path)
      if (entry.type === 'page' && file !== undefined && !pages.has(file)) pages.set(file, entry)
      note(entry.children)
    }
  }
  note(parseSummary(source).entries)
  return pages
}
