import type { Document } from '../document/nodes.ts'
import { isExpression } from '../expression/index.ts'
import { type PageMetadata, readFrontMatter } from '../markdown/front-matter.ts'
import { parsePage } from '../markdown/parse.ts'
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

/** Reads a Markdown file of a repository. */
export function readText(names: RepositoryNames, file: string, text: string): ReadText {
  const mentions: Mentions = { targets: new Set(), broken: [] }
  const references = referencesFrom(names, file, mentions)
  const page = parsePage(text, { references, isExpression })
  const front = page.frontMatter === undefined ? undefined : readFrontMatter(page.frontMatter, references)
  const { title, ...metadata }: PageMetadata = front?.metadata ?? {}
  const broken = mentions.broken.slice(0, maxProblems)
  const lines = linesOfDestinations(text, broken)
  const problems = [
    ...(front?.problems ?? []).map(({ path, message }) => ({ line: 1, message: `front matter ${path}: ${message}` })),
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
