import type { BlockOf, BlockType } from '../content/document/block-definitions.ts'
import {
  type BlockIndex,
  blockGroupsOf,
  indexBlocks,
  isEqualContent,
  isTextBlock,
  withBlockGroups,
} from '../content/document/block-groups.ts'
import type { Block, ColumnDefinition, Document, InlineNode } from '../content/document/nodes.ts'
import { withAnchorIds } from '../content/document/outline.ts'
import { mapChildren, walkBlocks, withNodes } from '../content/document/walk.ts'
import { toSlug } from '../content/markdown/slug.ts'
import { type MarkedText, hasWords, markInlines, markString, restoreInlines, restoreString } from './marked-text.ts'

/** Location of a text: a block, with the field if the text is in its data; without a block, a field of the page. */
export interface TextLocation {
  block?: string
  field?: string
}

/** Returns the translation of a text with markup; undefined if there is none, in which case the text is not changed. */
export type TranslateText = (text: string, location: TextLocation) => string | undefined

/** A source and its translation. */
export interface TranslatedVersion<T> {
  source: T
  translation: T
}

/** Fields of blocks whose text is translated; tables are handled separately. */
const textFields: { readonly [Type in BlockType]?: readonly (keyof NonNullable<BlockOf<Type>['data']> & string)[] } = {
  prompt: ['description'],
  image: ['alt'],
  'tabs-item': ['title'],
  'openapi-schemas': ['title'],
}

/**
 * Translates a document. Blocks whose content has not changed since a previous version are copied from its translation.
 * Headings get the anchors of the source, so that links to them remain valid.
 */
export function translateDocument(
  document: Document,
  translate: TranslateText,
  previous?: TranslatedVersion<Document>,
): Document {
  const translation = new DocumentTranslation(document, translate, previous)
  return withNodes(
    document,
    document.nodes.map((block) => translation.translateBlock(block)),
  )
}

/** Translates a string; returns it unchanged if it has no words or no translation. */
export function translateString(text: string, translate: TranslateText, location: TextLocation): string {
  const marked = markString(text)
  const translated = translateMarked(marked, translate, location)
  return translated === undefined ? text : restoreString(marked, translated)
}

function translateMarked(marked: MarkedText, translate: TranslateText, location: TextLocation): string | undefined {
  return marked.text === '' || !hasWords(marked) ? undefined : translate(marked.text, location)
}

class DocumentTranslation {
  readonly #translate: TranslateText
  readonly #previousSource: BlockIndex | undefined
  readonly #previousTranslation: BlockIndex | undefined
  readonly #anchorIds: ReadonlyMap<string, string>

  constructor(document: Document, translate: TranslateText, previous: TranslatedVersion<Document> | undefined) {
    this.#translate = translate
    this.#previousSource = previous && indexBlocks(previous.source)
    this.#previousTranslation = previous && indexBlocks(previous.translation)
    this.#anchorIds = findHeadingIds(document)
  }

  /** Translates a block. Texts of a block without a key are located in the block around it. */
  translateBlock(block: Block, parent: TextLocation = {}): Block {
    const location = block.key === undefined ? parent : { block: block.key }
    const former = this.#findFormerTranslation(block)
    const translated = former
      ? withBlockGroups(
          former,
          blockGroupsOf(block).map(({ blocks }) => blocks.map((inner) => this.translateBlock(inner, location))),
        )
      : this.#translateContent(block, location)
    return this.#withAnchorId(translated)
  }

  /** Returns the previous translation of a block if nothing but the blocks inside it has changed. */
  #findFormerTranslation(block: Block): Block | undefined {
    if (block.key === undefined) return undefined
    const source = this.#previousSource?.get(block.key)?.block
    const translation = this.#previousTranslation?.get(block.key)?.block
    if (!source || !translation || translation.type !== block.type) return undefined
    const names = blockGroupsOf(block).map(({ name }) => name)
    const hasSameGroups = isEqualContent(
      names,
      blockGroupsOf(translation).map(({ name }) => name),
    )
    return hasSameGroups && isEqualContent(withoutBlocks(source), withoutBlocks(block)) ? translation : undefined
  }

  #translateContent(block: Block, location: TextLocation): Block {
    // Code is not translated.
    if (block.type === 'code') return block
    const mapped = mapChildren(
      block,
      (inner) => this.translateBlock(inner, location),
      (inline) => this.#translateInline(inline, location),
    )
    if (mapped.type === 'table') return this.#translateTable(mapped, location)
    if (isTextBlock(mapped)) return this.#translateTextBlock(mapped, location)
    return this.#translateFields(mapped, textFields[mapped.type] ?? [], location)
  }

  #translateTextBlock<B extends Block & { nodes: readonly InlineNode[] }>(block: B, location: TextLocation): B {
    const marked = markInlines(block.nodes)
    const translated = translateMarked(marked, this.#translate, location)
    return translated === undefined ? block : { ...block, nodes: restoreInlines(marked, translated) }
  }

  #translateInline(inline: InlineNode, location: TextLocation): InlineNode {
    if (inline.object === 'text' || inline.type !== 'inline-image') return inline
    const { alt, caption } = inline.data
    const data = {
      ...inline.data,
      ...(alt !== undefined && { alt: this.#translateString(alt, { ...location, field: 'alt' }) }),
      ...(caption !== undefined && { caption: this.#translateString(caption, { ...location, field: 'caption' }) }),
    }
    return isEqualContent(data, inline.data) ? inline : { ...inline, data }
  }

  #translateFields<B extends Block>(block: B, fields: readonly string[], location: TextLocation): B {
    const data = ('data' in block && block.data ? block.data : {}) as Readonly<Record<string, unknown>>
    const changes: Record<string, string> = {}
    for (const field of fields) {
      const text = data[field]
      if (typeof text === 'string') changes[field] = this.#translateString(text, { ...location, field })
    }
    return Object.keys(changes).length === 0 ? block : { ...block, data: { ...data, ...changes } }
  }

  /** Translates the titles of columns and the labels of options; cells are blocks. */
  #translateTable(table: BlockOf<'table'>, location: TextLocation): BlockOf<'table'> {
    const definition = Object.fromEntries(
      Object.entries(table.data.definition).map(([id, column]): [string, ColumnDefinition] => {
        const at = (name: string) => ({ ...location, field: `${id}.${name}` })
        const title = this.#translateString(column.title, at('title'))
        if (column.type !== 'select') return [id, { ...column, title }]
        const options = column.options.map((option) => ({
          ...option,
          label: this.#translateString(option.label, at(option.value)),
        }))
        return [id, { ...column, title, options }]
      }),
    )
    return { ...table, data: { ...table.data, definition } }
  }

  #translateString(text: string, location: TextLocation): string {
    return translateString(text, this.#translate, location)
  }

  #withAnchorId(block: Block): Block {
    if (!isHeading(block)) return block
    const id = block.key === undefined ? undefined : this.#anchorIds.get(block.key)
    return id === undefined || block.data?.id === id ? block : { ...block, data: { ...block.data, id } }
  }
}

const isHeading = (block: Block): block is BlockOf<'heading-1' | 'heading-2' | 'heading-3'> =>
  block.type === 'heading-1' || block.type === 'heading-2' || block.type === 'heading-3'

/** Returns the anchors of headings by the keys of their blocks. */
function findHeadingIds(document: Document): Map<string, string> {
  const ids = new Map<string, string>()
  for (const block of walkBlocks(withAnchorIds(document, toSlug)))
    if (isHeading(block) && block.key !== undefined && block.meta?.id !== undefined) ids.set(block.key, block.meta.id)
  return ids
}

const withoutBlocks = (block: Block): Block =>
  withBlockGroups(
    block,
    blockGroupsOf(block).map(() => []),
  )
