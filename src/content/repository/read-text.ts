import type { Document } from '../document/nodes.ts'
import { type PageDestinations, type ResolvedDestination, resolveDestinations } from '../markdown/deferred.ts'
import type { PageMetadata } from '../markdown/front-matter.ts'
import { type ParsedPageFile, parsePageFile } from '../markdown/parse-page-file.ts'
import { linesOfDestinations } from './broken.ts'
import { type Mentions, type RepositoryNames, referencesFrom } from './references.ts'

/** A parsed Markdown file. */
export interface ReadText<Body = Document> {
  document: Body
  metadata: Omit<PageMetadata, 'title'>
  /** Title in its first heading, or else in its front matter. */
  title: string | undefined
  targets: readonly string[]
  problems: { line?: number; message: string }[]
}

/** Maximum number of reported problems per file. */
const maxProblems = 20

/** A document to store: the canonical JSON of its object. */
export interface DocumentText {
  json: string
}

/** A page that was parsed elsewhere: its document is the canonical JSON of the object to store. */
export type ParsedElsewhere = Omit<ParsedPageFile, 'document'> & { document: string }

/**
 * Parses a text elsewhere, such as in another thread, and assigns keys to its blocks there; `resolve` is called for the
 * destinations of links. A text that cannot be parsed there results in a problem.
 */
export type ParseElsewhere = (
  file: { text: string; previous: Document | undefined },
  resolve: (destinations: PageDestinations) => ResolvedDestination[],
) => Promise<ParsedElsewhere | { problem: string }>

/** Parses a Markdown file of a repository. */
export function readText(names: RepositoryNames, file: string, text: string): ReadText {
  const mentions: Mentions = { targets: new Set(), broken: [] }
  const { document, ...page } = parsePageFile(text, referencesFrom(names, file, mentions))
  return { ...described(text, page, mentions), document }
}

/** Parses a Markdown file elsewhere. One that cannot be parsed there is treated as an empty file with a problem. */
export async function readTextElsewhere(
  names: RepositoryNames,
  file: string,
  { text, previous }: { text: string; previous: Document | undefined },
  parse: ParseElsewhere,
): Promise<ReadText<Document | DocumentText> & { isLeftOut: boolean }> {
  const mentions: Mentions = { targets: new Set(), broken: [] }
  const parsed = await parse({ text, previous }, (destinations) => {
    const resolved = resolveDestinations(destinations, referencesFrom(names, file, mentions))
    // Each destination was resolved once, but is reported for each occurrence.
    const broken = new Set(mentions.broken)
    mentions.broken = broken.size === 0 ? [] : destinations.all.filter((destination) => broken.has(destination))
    return resolved
  })
  if ('problem' in parsed) {
    const empty = readText(names, file, '')
    return { ...empty, problems: [{ message: parsed.problem }], isLeftOut: true }
  }
  const { document, ...page } = parsed
  return { ...described(text, page, mentions), document: { json: document }, isLeftOut: false }
}

function described(
  text: string,
  page: Omit<ParsedPageFile, 'document'>,
  mentions: Mentions,
): Omit<ReadText, 'document'> {
  const { title, ...metadata }: PageMetadata = page.metadata
  const broken = mentions.broken.slice(0, maxProblems)
  const lines = linesOfDestinations(text, broken)
  const problems = [
    ...page.problems.map(({ path, message }) => ({ line: 1, message: `front matter ${path}: ${message}` })),
    ...broken.map((destination, index) => {
      const line = lines[index]
      return { ...(line !== undefined && { line }), message: `Broken link: ${destination}` }
    }),
  ]
  return {
    metadata,
    // The text of a heading may be empty, for example if it contains only an image.
    title: page.title || title || undefined,
    targets: [...mentions.targets].sort(),
    problems: problems.slice(0, maxProblems),
  }
}
