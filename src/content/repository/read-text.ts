import type { Document } from '../document/nodes.ts'
import { type DeferredPage, lookedUp } from '../markdown/deferred.ts'
import type { PageMetadata } from '../markdown/front-matter.ts'
import { type ReadPage, readPage } from '../markdown/read-page.ts'
import { linesOfDestinations } from './broken.ts'
import { type Mentions, type RepositoryNames, referencesFrom } from './references.ts'

/** What a Markdown file says. */
export interface ReadText {
  document: Document
  metadata: Omit<PageMetadata, 'title'>
  /** Of its first heading, or else of its front matter. */
  title: string | undefined
  targets: readonly string[]
  problems: { line?: number; message: string }[]
}

/** How many problems of one file are told. */
const maxProblems = 20

/** Parses texts elsewhere, such as in another thread; a text that cannot be parsed there has a problem. */
export type ParseElsewhere = (text: string) => Promise<DeferredPage | { problem: string }>

/** Reads a Markdown file of a repository. */
export function readText(names: RepositoryNames, file: string, text: string): ReadText {
  const mentions: Mentions = { targets: new Set(), broken: [] }
  return described(text, readPage(text, referencesFrom(names, file, mentions)), mentions)
}

/** The same for a file that is parsed elsewhere. One that cannot be parsed there is read as an empty file with a problem. */
export async function readTextElsewhere(
  names: RepositoryNames,
  file: string,
  text: string,
  parse: ParseElsewhere,
): Promise<ReadText & { isLeftOut: boolean }> {
  const mentions: Mentions = { targets: new Set(), broken: [] }
  const parsed = await parse(text)
  if ('problem' in parsed) {
    const empty = readText(names, file, '')
    return { ...empty, problems: [{ message: parsed.problem }], isLeftOut: true }
  }
  const page = lookedUp(parsed, referencesFrom(names, file, mentions))
  // Each destination was resolved once, but is reported as often as it is written.
  const broken = new Set(mentions.broken)
  mentions.broken = broken.size === 0 ? [] : parsed.destinations.filter((destination) => broken.has(destination))
  return { ...described(text, page, mentions), isLeftOut: false }
}

function described(text: string, page: ReadPage, mentions: Mentions): ReadText {
  const { title, ...metadata }: PageMetadata = page.metadata
  const broken = mentions.broken.slice(0, maxProblems)
  const lines = linesOfDestinations(text, broken)
  const problems = [
    ...page.problems.map(({ path, message }) => ({ line: 1, message: `front matter ${path}: ${message}` })),
    ...broken.map((destination, index) => {
      const line = lines[index]
      return { ...(line !== undefined && { line }), message: `${destination} leads nowhere` }
    }),
  ]
  return {
    document: page.document,
    metadata,
    title: page.title ?? title,
    targets: [...mentions.targets].sort(),
    problems: problems.slice(0, maxProblems),
  }
}
