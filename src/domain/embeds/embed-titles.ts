import { leaf, paragraph } from '../../content/document/build.ts'
import type { Block, Document, Embed } from '../../content/document/nodes.ts'
import { mapBlocks, walkBlocks, withNodes } from '../../content/document/walk.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { Db } from '../../schema/tables.ts'
import { type FindEmbed, findEmbedData } from './embeds.ts'

/** Returns the URLs of the embeds of a document. */
export function listEmbedUrls(document: Document): string[] {
  const urls: string[] = []
  for (const block of walkBlocks(document)) if (block.type === 'embed') urls.push(block.data.url)
  return urls
}

/** Adds the stored titles of embeds as captions to documents, for outputs that show embeds as links. */
export async function addEmbedTitles(
  db: Db,
  organizationId: string,
  documents: readonly Document[],
): Promise<Document[]> {
  const yieldIfDue = createYielder()
  const urls: string[][] = []
  for (const document of documents) {
    urls.push(listEmbedUrls(document))
    await yieldIfDue()
  }
  const find = await findEmbedData(db, organizationId, urls.flat())
  const addTitle = (block: Block) => (block.type === 'embed' ? withTitle(block, find) : block)
  const titled: Document[] = []
  for (const [index, document] of documents.entries()) {
    const hasEmbeds = (urls[index] ?? []).length > 0
    titled.push(hasEmbeds ? withNodes(document, mapBlocks(document.nodes, addTitle)) : document)
    await yieldIfDue()
  }
  return titled
}

/** Adds the title of an embed as its caption, unless it has one. */
function withTitle(embed: Embed, find: FindEmbed): Embed {
  const title = embed.fragments?.length ? undefined : find(embed.data.url)?.title
  if (title === undefined) return embed
  const nodes = [paragraph([{ object: 'text', leaves: [leaf(title)] }])]
  return { ...embed, fragments: [{ object: 'fragment', type: 'caption', nodes }] }
}
