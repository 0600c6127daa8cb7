import { type DocumentAnchors, listAnchors } from './anchors.ts'
import { codeText, findCodeBlocks, isPlainLine } from './code-text.ts'
import type { AnchorInline, Block, CodeLine, ContentRef, Document, InlineElement } from './nodes.ts'
import { type LinkTargetBlock, hasAnchor, listTargetAnchors, withAnchorIds } from './outline.ts'
import { type Reference, collectReferences, mapBlockRefs, mapInlineRefs } from './references.ts'
import { type Section, splitIntoSections } from './sections.ts'
import { findUsedVariables, listVariableNames } from './used-variables.ts'
import { addWithDescendants, fragmentsOf, walkBlocks } from './walk.ts'

/** The parts of a document from which derived rows are computed. */
export interface DocumentExtract {
  references: Reference[]
  anchors: DocumentAnchors
  code: { code: string; syntax?: string | undefined }[]
  text: { sections: Section[]; variables: string[] }
}

/** An extract with each part as JSON, a fraction of the size of the document. */
export type ExtractJson = Readonly<Record<keyof DocumentExtract, string>>

/** Keeps extracts of documents for computing derived rows from them. */
export interface ExtractKeeper {
  /** Whether further extracts would not be kept. */
  isFull: () => boolean
  keep: (documentHash: string, extract: ExtractJson) => void
}

/**
 * Extracts the parts of a document from which derived rows are computed. Returns undefined if it shows reusable contents or
 * specifications, because these are not part of it.
 */
export function extractDocument(document: Document, slugOf: (text: string) => string): ExtractJson | undefined {
  const extract = new DocumentScan(document, slugOf).run()
  return (
    extract && {
      references: JSON.stringify(extract.references),
      anchors: JSON.stringify(extract.anchors),
      code: JSON.stringify(extract.code),
      text: JSON.stringify(extract.text),
    }
  )
}

const noAnchors: readonly AnchorInline[] = []

/** Computes all parts of an extract in one traversal, because every document of an import is extracted. */
class DocumentScan {
  readonly #document: Document
  readonly #slugOf: (text: string) => string
  readonly #references: Reference[] = []
  readonly #targets: LinkTargetBlock[] = []
  readonly #code: DocumentExtract['code'] = []
  readonly #expressions = new Set<string>()
  /** Key of the nearest block that has one. */
  #key: string | undefined
  #blockCount = 0
  #showsOtherContent = false
  /** Whether there are annotations, whose blocks are in another order, or computed fields. */
  #isIrregular = false

  constructor(document: Document, slugOf: (text: string) => string) {
    this.#document = document
    this.#slugOf = slugOf
  }

  run(): DocumentExtract | undefined {
    const blocks = this.#document.nodes.toReversed()
    const outerKeys: (string | undefined)[] = blocks.map(() => undefined)
    for (let block = blocks.pop(); block; block = blocks.pop()) {
      const outerKey = outerKeys.pop()
      this.#key = block.key ?? outerKey
      const first = blocks.length
      this.#addBlock(block, blocks)
      if (this.#showsOtherContent) return undefined
      if (this.#isIrregular) return extractIrregular(this.#document, this.#slugOf)
      reverseFrom(blocks, first)
      while (outerKeys.length < blocks.length) outerKeys.push(this.#key)
    }
    const { anchors, idOfBlock } = listTargetAnchors(this.#targets, this.#slugOf)
    const sections = splitIntoSections(this.#document, (heading) => idOfBlock.get(heading))
    return {
      references: this.#references,
      anchors: { anchors, blockCount: this.#blockCount },
      code: this.#code,
      text: { sections, variables: listVariableNames(this.#expressions) },
    }
  }

  /** Adds what a block contains, and the blocks directly below it to `children`. */
  #addBlock(block: Block, children: Block[]): void {
    this.#blockCount++
    if (block.type.startsWith('openapi-')) this.#showsOtherContent = true
    if (block.meta !== undefined) this.#isIrregular = true
    if (block.type === 'code') this.#code.push({ code: codeText(block), syntax: block.data?.syntax })
    if (block.type === 'if') this.#expressions.add(block.data.expression)
    mapBlockRefs(block, this.#addReference)
    let inlineAnchors: AnchorInline[] | undefined
    for (const node of 'nodes' in block ? block.nodes : []) {
      // Lines of code are half of the blocks of many documents, and almost all contain nothing but text.
      if (block.type === 'code' && isPlainLine(node as CodeLine)) this.#blockCount++
      else if (node.object === 'block') children.push(node)
      else if (node.object === 'inline') inlineAnchors = this.#addInline(node, inlineAnchors)
    }
    for (const { nodes } of fragmentsOf(block)) for (const inner of nodes) children.push(inner)
    if (inlineAnchors || hasAnchor(block)) this.#targets.push({ block, inlineAnchors: inlineAnchors ?? noAnchors })
  }

  #addInline(element: InlineElement, anchors: AnchorInline[] | undefined): AnchorInline[] | undefined {
    let found = anchors
    for (const inline of 'nodes' in element ? addWithDescendants(element, []) : [element]) {
      if (inline.object === 'text') continue
      if (inline.type === 'annotation' || inline.meta !== undefined) this.#isIrregular = true
      else if (inline.type === 'expression') this.#expressions.add(inline.data.expression)
      else if (inline.type === 'anchor') (found ??= []).push(inline)
      else mapInlineRefs(inline, this.#addReference)
    }
    return found
  }

  readonly #addReference = (ref: ContentRef): ContentRef => {
    if (ref.kind === 'reusable-content') this.#showsOtherContent = true
    this.#references.push(this.#key === undefined ? { ref } : { ref, key: this.#key })
    return ref
  }
}

/** Reverses the blocks of a list from an index on. */
function reverseFrom(blocks: Block[], first: number): void {
  for (let low = first, high = blocks.length - 1; low < high; low++, high--) {
    const block = blocks[low] as Block
    blocks[low] = blocks[high] as Block
    blocks[high] = block
  }
}

/** Extracts the parts of any document. */
function extractIrregular(document: Document, slugOf: (text: string) => string): DocumentExtract | undefined {
  const references = collectReferences(document)
  if (references.some(({ ref }) => ref.kind === 'reusable-content')) return undefined
  const blocks = [...walkBlocks(document)]
  if (blocks.some(({ type }) => type.startsWith('openapi-'))) return undefined
  const anchored = withAnchorIds(document, slugOf)
  return {
    references,
    anchors: listAnchors(anchored),
    code: findCodeBlocks(blocks),
    text: { sections: splitIntoSections(anchored), variables: findUsedVariables(blocks) },
  }
}
