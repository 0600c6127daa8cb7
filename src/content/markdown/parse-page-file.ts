import type { Document } from '../document/nodes.ts'
import { isExpression } from '../expression/index.ts'
import { type FrontMatterProblem, type PageMetadata, readFrontMatter } from './front-matter.ts'
import { parsePage } from './parse.ts'
import type { References } from './references.ts'

/** A page with the metadata of its front matter: plain data that can be sent between threads. */
export interface ParsedPageFile {
  document: Document
  /** Text of the `# Heading` at the start of the file. */
  title: string | undefined
  metadata: PageMetadata
  /** Problems in the front matter. */
  problems: readonly FrontMatterProblem[]
}

/** Parses a page and its front matter. */
export function parsePageFile(text: string, references: References): ParsedPageFile {
  const { document, title, frontMatter } = parsePage(text, { references, isExpression })
  const front = frontMatter === undefined ? undefined : readFrontMatter(frontMatter, references)
  return { document, title, metadata: front?.metadata ?? {}, problems: front?.problems ?? [] }
}
