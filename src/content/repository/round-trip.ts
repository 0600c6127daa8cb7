import type { Document } from '../document/nodes.ts'
import { isExpression } from '../expression/index.ts'
import { type PageMetadata, readFrontMatter } from '../markdown/front-matter.ts'
import { parsePage } from '../markdown/parse.ts'
import { printFrontMatter } from '../markdown/print-front-matter.ts'
import { printPage } from '../markdown/print.ts'
import type { References } from '../markdown/references.ts'
import { Fingerprints } from '../markdown/fingerprints.ts'
import { isSameValue } from '../revision/diff.ts'
import type { Objects } from '../revision/objects.ts'
import { openTree } from '../revision/tree.ts'
import { createExportFileMap } from './export-file-map.ts'
import { ExportPaths } from './export-paths.ts'
import { createExportReferences } from './export-text.ts'
import type { ListedContent } from './import.ts'
import { ListingDraft, readSources } from './listing.ts'

/** Result of parsing a text, printing it and parsing it again. */
export interface RoundTripResult {
  /** Path relative to the top-level folder. */
  path: string
  /** Whether the printed text parses to the same content. */
  isEquivalent: boolean
  /** Whether the printed text is identical to the source. */
  isIdentical: boolean
}

/** Maximum number of texts in memory at a time. */
const batchSize = 50

/** Parses every page and reusable content of a folder, prints it without its source, and parses the result. */
export async function* checkRoundTrips(
  objects: Objects,
  { root, listing: hash }: ListedContent,
): AsyncGenerator<RoundTripResult> {
  const listing = await ListingDraft.open(objects, hash)
  const { stored, storedFiles } = listing
  const prefix = stored.folder === '' ? '' : `${stored.folder}/`
  const paths = new ExportPaths({
    tree: await openTree(objects, root),
    knownPaths: [...storedFiles.values()].flatMap(({ id, item }) => (item === undefined ? [] : [[item, id]])),
    isTaken: () => false,
    readme: '',
  })
  const added = { pages: new Set<string>(), contents: new Set<string>() }
  const fileMap = createExportFileMap({
    listing,
    paths,
    formerPaths: new Map(),
    added,
    isTaken: () => false,
    fileUrls: undefined,
  })
  const texts = [...storedFiles.values()].filter(({ is, hash: text }) => text !== undefined && textKinds.has(is))
  for (let at = 0; at < texts.length; at += batchSize) {
    for (const [path, source] of await readSources(objects, texts.slice(at, at + batchSize))) {
      const references = createExportReferences(fileMap, path)
      const parsed = parseContent(source, references)
      const printed = printContent(parsed, references)
      yield {
        path: prefix + path,
        isEquivalent: isSameContent(parsed, parseContent(printed, references)),
        isIdentical: printed === source,
      }
    }
  }
}

const textKinds = new Set<string>(['page', 'reusable-content'])

interface ParsedContent {
  metadata: PageMetadata
  title: string | undefined
  document: Document
}

function parseContent(source: string, references: References): ParsedContent {
  const { frontMatter, title, document } = parsePage(source, { references, isExpression })
  return {
    metadata: frontMatter === undefined ? {} : readFrontMatter(frontMatter, references).metadata,
    title,
    document,
  }
}

function printContent({ metadata, title, document }: ParsedContent, references: References): string {
  return printPage({ frontMatter: printFrontMatter(metadata, references), title, document }, references)
}

function isSameContent(one: ParsedContent, other: ParsedContent): boolean {
  const sameness = new Fingerprints()
  const fingerprint = ({ document }: ParsedContent) => document.nodes.map((block) => sameness.ofBlock(block)).join('\n')
  return (
    one.title === other.title && isSameValue(one.metadata, other.metadata) && fingerprint(one) === fingerprint(other)
  )
}
