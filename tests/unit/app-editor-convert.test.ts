import { Node } from 'prosemirror-model'
import { expect, test } from 'vitest'
import { isSameJson } from '../../src/app/editor/json.ts'
import { schema } from '../../src/app/editor/schema.ts'
import type { Origins } from '../../src/app/editor/origins.ts'
import { toEditor } from '../../src/app/editor/to-editor.ts'
import { toDocument } from '../../src/app/editor/to-document.ts'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import { completeDocument } from '../../src/content/document/complete.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import { DocumentEditor, parseDocument } from '../support/edited-documents.ts'
import { documentWithEveryBlock, placeholderTargets } from '../support/every-block.ts'
import { DocumentGenerator } from '../support/generated-documents.ts'
import { isLong } from '../support/long.ts'
import { markdownFiles } from '../support/repositories.ts'

/** Converts the content of the editor to a document, without the blocks that were read. */
function convert(doc: Node): Document {
  doc.check()
  return toDocument(Node.fromJSON(schema, doc.toJSON()))
}

/** Returns a document as the API does. */
const asReply = (document: Document): Document =>
  JSON.parse(JSON.stringify(completeDocument(assignKeys(undefined, document)))) as Document

test('documents of the repositories are the same after the editor', () => {
  let texts = 0
  let protectedTexts = 0
  let tables = 0
  const files = markdownFiles().filter(({ isOwn }, index) => isLong || isOwn || index % 4 === 0)
  for (const { name, read } of files) {
    const document = asReply(parseDocument(read()))
    const doc = toEditor(document, new WeakMap())
    // Comparing large documents with `toEqual` takes seconds.
    if (!isSameJson(convert(doc), document)) expect({ name, document: convert(doc) }).toEqual({ name, document })
    doc.descendants(({ type, attrs }) => {
      const { type: blockType } = (attrs['json'] ?? {}) as { type?: string }
      if (type.isTextblock) texts++
      if (type.name === 'table') tables++
      if (type.name === 'protected_block' && /^(?:paragraph|heading)/.test(blockType ?? '')) protectedTexts++
    })
  }
  expect(texts).toBeGreaterThan(100)
  expect(protectedTexts).toBe(0)
  expect(tables).toBeGreaterThan(20)
}, 120_000)

test('every block and generated documents are the same after the editor', () => {
  const documents = Array.from({ length: isLong ? 150 : 60 }, (_, seed) => [
    new DocumentGenerator(seed).document(),
    new DocumentEditor('w', seed).document(),
  ]).flat()
  for (const stored of [documentWithEveryBlock(placeholderTargets), ...documents]) {
    for (const document of [asReply(stored), stored]) {
      const converted = convert(toEditor(document, new WeakMap()))
      if (!isSameJson(converted, document)) expect(converted).toEqual(document)
    }
  }
})

test('blocks that were not edited are the ones that were read', () => {
  const document = asReply(parseDocument('One\n\n* a\n* b\n\n| x |\n| - |\n| y |'))
  const origins: Origins = new WeakMap()
  const { nodes } = toDocument(toEditor(document, origins), origins)
  nodes.forEach((block, at) => expect(block).toBe(document.nodes[at]))
})
