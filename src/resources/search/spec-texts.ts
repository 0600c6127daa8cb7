import { paragraph } from '../../content/document/build.ts'
import type { Block } from '../../content/document/nodes.ts'
import { mapBlocks, withNodes } from '../../content/document/walk.ts'
import { toReusedSpecId } from '../../derived/reuses.ts'
import { loadSpecs } from '../../domain/openapi/load-specs.ts'
import type { SpecDocuments } from '../../domain/openapi/spec-documents.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { listOpenApiBlocks, maxShownBlocks } from '../../openapi/blocks.ts'
import { convertOpenApiBlock } from '../../openapi/to-blocks.ts'
import type { Db } from '../../schema/tables.ts'
import type { IncludeTexts } from '../../search/page-sections.ts'

/** Returns a function that replaces OpenAPI blocks by the text of the operations and schemas that they show. */
export const createSpecTexts =
  (context: { db: Db; documents: SpecDocuments; now: () => string }): IncludeTexts =>
  async ({ organizationId, spaceId }, tree, document) => {
    const blocks = listOpenApiBlocks(document)
    if (blocks.length === 0) return { document, reused: [] }
    const refs = blocks.map(({ data }) => data.ref)
    const { find, versions } = await loadSpecs(context, { organizationId, spaceId, tree }, refs)
    const yieldIfDue = createYielder()
    const texts = new Map<Block, Block[]>()
    for (const block of blocks.slice(0, maxShownBlocks)) {
      const spec = find(block.data.ref)
      if (spec) texts.set(block, convertOpenApiBlock(block, spec).flatMap(toSearchedBlocks))
      await yieldIfDue()
    }
    const nodes = mapBlocks(document.nodes, (block) => texts.get(block) ?? block)
    return { document: withNodes(document, nodes), reused: [...versions.keys()].map(toReusedSpecId) }
  }

/** Omits code samples, and turns headings without an anchor into text, so that results link to the operation. */
function toSearchedBlocks(block: Block): Block[] {
  switch (block.type) {
    case 'code':
      return []
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return [block.meta?.id === undefined ? paragraph(block.nodes) : block]
    default:
      return [block]
  }
}
