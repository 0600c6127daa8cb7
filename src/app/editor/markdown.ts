import type { Block } from '../../content/document/nodes.ts'
import type { DocumentBody } from '../../contract/document.ts'
import { requestContent } from '../data/content-place.ts'
import { type PagePlace, joinPageText, markdownFormat } from '../screens/edit/page-text.ts'

async function convert(place: PagePlace, document: DocumentBody, format: 'document' | 'markdown') {
  const body = { document, page: place.pageId, include: [format] }
  return requestContent('POST /spaces/{spaceId}/content/html', place, { body })
}

/** Converts Markdown to blocks. */
export async function parseMarkdown(place: PagePlace, markdown: string): Promise<Block[]> {
  // Without a title, headings would have other levels.
  const { document } = await convert(place, { markdown: joinPageText('# Title', markdown) }, 'document')
  return (document?.nodes ?? []) as unknown as Block[]
}

/** Converts blocks to Markdown. */
export async function printBlocks(place: PagePlace, blocks: readonly Block[]): Promise<string> {
  const document = { object: 'document' as const, data: { schemaVersion: 1 }, nodes: [...blocks] }
  const { markdown = '' } = await convert(place, { document }, 'markdown')
  return markdownFormat.toText({ markdown }).body
}

/** Whether pasted text is Markdown with more than plain paragraphs. */
export const looksLikeMarkdown = (text: string): boolean =>
  /^(?:#{1,6} |[-*+] |\d+[.)] |> |```|\|.*\||\{% )/m.test(text) || /\*\*\S|\]\(\S+\)/.test(text)
