import type { ExtractJson } from '../document/extract.ts'
import type { Document } from '../document/nodes.ts'
import { type PageDestinations, type ResolvedDestination, resolveDestinations } from '../markdown/deferred.ts'
import type { PageMetadata } from '../markdown/front-matter.ts'
import { type ParsedPageFile, parsePageFile } from '../markdown/parse-page-file.ts'
import { findDestinationLines } from './destination-lines.ts'
import { type CollectedLinks, type RepositoryFileMap, createFileReferences } from './references.ts'

/** A parsed Markdown file. */
export interface ParsedTextFile<Body = Document> {
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
export interface DocumentJson {
  json: string
  extract: ExtractJson | undefined
}

/** A page that was parsed elsewhere: its document is the canonical JSON of the object to store. */
export type OffThreadPage = Omit<ParsedPageFile, 'document'> & { document: string; extract?: ExtractJson }

/** A text to parse elsewhere. */
interface OffThreadText {
  text: string
  /** Document that the file had before. */
  previous: Document | undefined
  /** Whether the extract of the document is returned as well. */
  isExtracted: boolean
}

/**
 * Parses a text elsewhere, such as in another thread, and assigns keys to its blocks there; `resolve` is called for the
 * destinations of links. A text that cannot be parsed there results in a problem.
 */
export type OffThreadParser = (
  file: OffThreadText,
  resolve: (destinations: PageDestinations) => ResolvedDestination[],
) => Promise<OffThreadPage | { problem: string }>

/** Parses a Markdown file of a repository. */
export function parseTextFile(fileMap: RepositoryFileMap, file: string, text: string): ParsedTextFile {
  const links: CollectedLinks = { targets: new Set(), broken: [] }
  const { document, ...page } = parsePageFile(text, createFileReferences(fileMap, file, links))
  return { ...describePage(text, page, links), document }
}

/** Parses a Markdown file elsewhere. One that cannot be parsed there is treated as an empty file with a problem. */
export async function parseTextFileOffThread(
  fileMap: RepositoryFileMap,
  file: string,
  source: OffThreadText,
  parse: OffThreadParser,
): Promise<ParsedTextFile<Document | DocumentJson> & { isRejected: boolean }> {
  const links: CollectedLinks = { targets: new Set(), broken: [] }
  const parsed = await parse(source, (destinations) => {
    const resolved = resolveDestinations(destinations, createFileReferences(fileMap, file, links))
    // Each destination was resolved once, but is reported for each occurrence.
    const broken = new Set(links.broken)
    links.broken = broken.size === 0 ? [] : destinations.all.filter((destination) => broken.has(destination))
    return resolved
  })
  if ('problem' in parsed) {
    const empty = parseTextFile(fileMap, file, '')
    return { ...empty, problems: [{ message: parsed.problem }], isRejected: true }
  }
  const { document, extract, ...page } = parsed
  return { ...describePage(source.text, page, links), document: { json: document, extract }, isRejected: false }
}

function describePage(
  text: string,
  page: Omit<ParsedPageFile, 'document'>,
  links: CollectedLinks,
): Omit<ParsedTextFile, 'document'> {
  const { title, ...metadata }: PageMetadata = page.metadata
  const broken = links.broken.slice(0, maxProblems)
  const lines = findDestinationLines(text, broken)
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
    targets: [...links.targets].sort(),
    problems: problems.slice(0, maxProblems),
  }
}
