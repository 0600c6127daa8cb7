import type { Document } from '../content/document/nodes.ts'
import { readPage } from '../content/markdown/read-page.ts'
import type { References } from '../content/markdown/references.ts'
import { markdownParser, shortText } from '../parsing/parse.ts'

/** The document of Markdown that was made from a web page; undefined when it takes too long to parse. */
export async function parseMarkdown(markdown: string, references: References): Promise<Document | undefined> {
  // Behind a title nothing is taken for front matter, or for the title.
  const text = `# Title\n\n${markdown}`
  if (text.length <= shortText) return readPage(text, references).document
  return (await markdownParser.parseWith(text, references))?.document
}
