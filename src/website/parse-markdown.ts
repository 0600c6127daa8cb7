import type { Document } from '../content/document/nodes.ts'
import { parsePageFile } from '../content/markdown/parse-page-file.ts'
import type { References } from '../content/markdown/references.ts'
import { markdownParser, maxMainThreadLength } from '../parsing/parse.ts'

/** Parses Markdown that was made from a web page; undefined if it takes too long. */
export async function parseMarkdown(markdown: string, references: References): Promise<Document | undefined> {
  // After a title nothing is parsed as front matter or as the title.
  const text = `# Title\n\n${markdown}`
  if (text.length <= maxMainThreadLength) return parsePageFile(text, references).document
  return (await markdownParser.parseAndResolveLinks(text, references))?.document
}
