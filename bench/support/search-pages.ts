import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from '../../src/content/document/nodes.ts'
import { plainText } from '../../src/content/document/text.ts'
import { childBlocks } from '../../src/content/document/walk.ts'
import { isExpression } from '../../src/content/expression/index.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { Draft } from '../../src/content/revision/draft.ts'
import { type Objects, emptyRoot } from '../../src/content/revision/objects.ts'
import { newId } from '../../src/kernel/ids.ts'
import { timestamp } from '../../src/kernel/time.ts'
import { splitIntoSections } from '../../src/content/document/sections.ts'
import { corpusFiles, readCorpusFile } from '../../tests/support/corpus.ts'

/** Page that searches are measured with. */
export interface BenchPage {
  /** Path of the file without `.md`. */
  name: string
  title: string
  description: string
  document: Document
  /** Texts of the headings of the first three levels. */
  headings: readonly string[]
  text: string
}

/** Reads the pages of the public repositories beside the checkout and of those in `tests/repositories`. */
export function readCorpusPages(): BenchPage[] {
  const corpus = corpusFiles()
    .filter((file) => file.includes('/'))
    .map((file) => ({ file, source: readCorpusFile(file) }))
  return [...corpus, ...readFolder(join('tests', 'repositories'))].filter(isPage).map(toPage)
}

/** Reads the pages of the manual. */
export const readManualPages = (): BenchPage[] =>
  readFolder('docs')
    .filter(({ file }) => !/^(?:contributing|decisions)\//.test(file))
    .filter(isPage)
    .map(toPage)

interface SourceFile {
  file: string
  source: string
}

const isPage = ({ file }: SourceFile): boolean => !/(?:^|\/)SUMMARY\.md$|(?:^|\/)\.gitbook\//.test(file)

function readFolder(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ file, source: readFileSync(join(folder, file), 'utf8') }))
}

function toPage({ file, source }: SourceFile): BenchPage {
  const { title, frontMatter = '', document } = parsePage(source, { references: verbatimReferences, isExpression })
  return {
    name: file.replace(/\.md$/, ''),
    title: title ?? file.replace(/.*\/|\.md$/g, ''),
    description: /^description: *(.*)$/m.exec(frontMatter)?.[1] ?? '',
    document,
    headings: findHeadings(document.nodes),
    text: splitIntoSections(document)
      .map(({ heading, body }) => `${heading}\n${body}`)
      .join('\n'),
  }
}

function findHeadings(blocks: Document['nodes']): string[] {
  return blocks.flatMap((block) =>
    block.type === 'heading-1' || block.type === 'heading-2' || block.type === 'heading-3'
      ? [plainText(block.nodes).trim()]
      : findHeadings(childBlocks(block)),
  )
}

const pagesPerGroup = 50

/**
 * Writes pages as the content of a space, in groups of 50, until there are `count` of them. Copies have a word of their own and
 * are otherwise equal, so a query matches as many pages as it would in a space of that size.
 */
export async function writeBenchPages(objects: Objects, pages: readonly BenchPage[], count = pages.length) {
  const now = timestamp(Date.now())
  const documents = pages.map(({ document }) => objects.write({ kind: 'document', document }))
  const draft = new Draft({ objects, root: emptyRoot })
  const names = new Map<string, string>()
  let parent: string | null = null
  for (let index = 0; index < count; index++) {
    const [id, at] = [newId(), index % pages.length]
    const page = pages[at] as BenchPage
    const copy = Math.floor(index / pages.length)
    const body = {
      title: page.title || 'Untitled',
      description: [page.description, copy > 0 ? `copy${copy}` : ''].join(' ').trim(),
      document: documents[at] as string,
      createdAt: now,
      updatedAt: now,
    }
    const into: string | null = index % pagesPerGroup === 0 ? null : parent
    await draft.insertPage({ id, type: 'document', slug: `page-${index}`, body }, { into })
    if (index % pagesPerGroup === 0) parent = id
    names.set(id, page.name)
  }
  return { rootHash: await draft.commit(), names }
}
