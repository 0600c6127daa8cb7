import type { Document } from '../document/nodes.ts'
import { isExpression } from '../expression/index.ts'
import { type PageMetadata, readFrontMatter } from '../markdown/front-matter.ts'
import { parsePage } from '../markdown/parse.ts'
import { printFrontMatter } from '../markdown/print-front-matter.ts'
import { printPage } from '../markdown/print.ts'
import type { References } from '../markdown/references.ts'
import { Fingerprints } from '../markdown/sameness.ts'
import { isSameValue } from '../revision/diff.ts'
import type { Objects } from '../revision/objects.ts'
import { openTree } from '../revision/tree.ts'
import { exportNamesOf } from './export-names.ts'
import { ExportPaths } from './export-paths.ts'
import { referencesOf } from './export-text.ts'
import type { ListedContent } from './import.ts'
import { ListingDraft, readSources } from './listing.ts'

/** Result of parsing a text, printing it and parsing it again. */
export interface TextReadAgain {
  /** Path relative to the top-level folder. */
  path: string
  /** Whether the printed text parses to the same content. */
  isSame: boolean
  /** Whether the printed text is identical to the source. */
  isNormal: boolean
}

/** Maximum number of texts in memory at a time. */
const portion = 50

/** Parses every page and reusable content of a folder, prints it without its source, and parses the result. */
export async function* readAgain(
  objects: Objects,
  { root, listing: hash }: ListedContent,
): AsyncGenerator<TextReadAgain> {
  const listing = await ListingDraft.open(objects, hash)
  const { stored, storedFiles } = listing
  const prefix = stored.folder === '' ? '' : `${stored.folder}/`
  const paths = new ExportPaths({
    tree: await openTree(objects, root),
    known: [...storedFiles.values()].flatMap(({ id, item }) => (item === undefined ? [] : [[item, id]])),
    isTaken: () => false,
    readme: '',
  })
  const added = { pages: new Set<string>(), contents: new Set<string>() }
  const names = exportNamesOf({ listing, paths, left: new Map(), added, isTaken: () => false, outside: undefined })
  const texts = [...storedFiles.values()].filter(({ is, hash: text }) => text !== undefined && isText.has(is))
  for (let at = 0; at < texts.length; at += portion) {
    for (const [path, source] of await readSources(objects, texts.slice(at, at + portion))) {
      const references = referencesOf(names, path)
      const said = read(source, references)
      const written = write(said, references)
      yield { path: prefix + path, isSame: saysTheSame(said, read(written, references)), isNormal: written === source }
    }
  }
}

const isText = new Set<string>(['page', 'reusable-content'])

interface Said {
  metadata: PageMetadata
  title: string | undefined
  document: Document
}

function read(source: string, references: References): Said {
  const { frontMatter, title, document } = parsePage(source, { references, isExpression })
  return {
    metadata: frontMatter === undefined ? {} : readFrontMatter(frontMatter, references).metadata,
    title,
    document,
  }
}

function write({ metadata, title, document }: Said, references: References): string {
  return printPage({ frontMatter: printFrontMatter(metadata, references), title, document }, references)
}

function saysTheSame(one: Said, other: Said): boolean {
  const sameness = new Fingerprints()
  const told = ({ document }: Said) => document.nodes.map((block) => sameness.ofBlock(block)).join('\n')
  return one.title === other.title && isSameValue(one.metadata, other.metadata) && told(one) === told(other)
}
