import type { Block, ContentRef, Document } from '../../content/document/nodes.ts'
import { mapBlocks, withNodes } from '../../content/document/walk.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { listOpenApiBlocks, maxShownBlocks } from '../../openapi/blocks.ts'
import type { OpenApiLabels } from '../../openapi/labels.ts'
import { convertOpenApiBlock, createNameBlock } from '../../openapi/to-blocks.ts'
import type { LoadedSpecs } from './load-specs.ts'

/** Replaces the OpenAPI blocks of a document by headings, text, tables and code, for outputs other than HTML. */
export async function convertOpenApiBlocks(
  document: Document,
  loadSpecs: (refs: readonly ContentRef[]) => Promise<LoadedSpecs>,
  labels: OpenApiLabels,
): Promise<Document> {
  const blocks = listOpenApiBlocks(document)
  if (blocks.length === 0) return document
  const { find } = await loadSpecs(blocks.map(({ data }) => data.ref))
  const yieldIfDue = createYielder()
  const converted = new Map<Block, Block[]>()
  for (const [index, block] of blocks.entries()) {
    const isShown = index < maxShownBlocks
    converted.set(block, isShown ? convertOpenApiBlock(block, find(block.data.ref), labels) : [createNameBlock(block)])
    await yieldIfDue()
  }
  return withNodes(
    document,
    mapBlocks(document.nodes, (block) => converted.get(block) ?? block),
  )
}
