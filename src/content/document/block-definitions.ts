import { type RefMapper, isFileRef, isSpecRef, mapRef, mapTableRefs, mapTagRefs, replaceData } from './map-refs.ts'
import type { Block, ContentRef, InlineNode, TagRef } from './nodes.ts'
import { type DataOf, headingId, icon, length } from './validate-data.ts'
import { contentRef, fileRef, specRef, tagRef } from './validate-refs.ts'
import { tableFieldReaders } from './validate-table.ts'
import {
  type FieldReaders,
  type ValueReader,
  type VariantOf,
  boolean,
  integer,
  json,
  listOf,
  mapOf,
  oneOf,
  optional,
  string,
  withDefault,
} from './validate-values.ts'

// One definition for each type of block. Code that handles all blocks alike (validation, text, outline, references,
// change marks) uses it; code that differs for each type (printing, rendering) is a switch or a record over all types
// elsewhere.

export type BlockType = Block['type']

/** Block of a type. */
export type BlockOf<Type extends BlockType> = VariantOf<Block, 'type', Type>

/**
 * Contents of a block: inlines, any blocks, blocks of the one type that is named, or fragments. A caption is at most
 * one fragment.
 */
export type ContentsOf<B> = B extends { nodes: readonly (infer Child)[] }
  ? [Child] extends [InlineNode]
    ? 'inlines'
    : [Block] extends [Child]
      ? 'blocks'
      : Child extends Block
        ? Child['type']
        : never
  : B extends { fragments: unknown }
    ? 'fragments'
    : B extends { fragments?: unknown }
      ? 'caption'
      : 'nothing'

export interface BlockDefinition<B extends Block> {
  /** Functions that check and normalize the fields of `data`. */
  readonly data: FieldReaders<DataOf<B>>
  readonly contents: ContentsOf<B>
  /** Default values of the fields of `data` that the public schema requires; empty if it requires only `data` itself. */
  readonly requiredData?: Partial<DataOf<B>>
  /** Returns the lines of text in `data`. The text of inlines and nested blocks is not included. */
  readonly textLines?: (block: B) => readonly string[]
  /** Anchor of the block; present if links can refer to the block. */
  readonly anchor?: BlockAnchor<B>
  /** Whether nested headings are excluded from the outline, because they may be hidden or are not main text. */
  readonly hidesHeadings?: true
  /** Changes the references in `data`. Required if a field of `data` is a reference. */
  readonly mapRefs?: (block: B, change: RefMapper) => B
  /** Whether a comparison marks the nested blocks instead of this one, which has no element of its own around it. */
  readonly marksChildrenInDiff?: true
}

export interface BlockAnchor<B extends Block> {
  /** Depth of a heading in the outline. Other blocks are one level below the preceding heading. */
  readonly level?: 1 | 2 | 3
  /** Returns the id that the author chose. */
  readonly id?: (block: B) => string | undefined
  /** Returns the title in the outline; the title of a heading is its text. */
  readonly title?: (block: B, textOfBlocks: (blocks: readonly Block[]) => string) => string
}

/** Definition of a block; `mapRefs` is required if a field of the block's data is a reference. */
type DefinitionWithRequiredRefs<B extends Block> = [
  Extract<DataOf<B>[keyof DataOf<B>], ContentRef | readonly ContentRef[]>,
] extends [never]
  ? BlockDefinition<B>
  : BlockDefinition<B> & Required<Pick<BlockDefinition<B>, 'mapRefs'>>

const noData = {}
const align = optional(oneOf('start', 'center', 'end'))
const fullWidth = optional(boolean)

/** Reads the syntax of code, which is printed on the opening line of the code and cannot contain line breaks. */
const syntax: ValueReader<string> = (value, path) => string(value, path).replace(/[\r\n]+/g, ' ')

/** Reads the tag of an update, or only its slug. */
const updateTag: ValueReader<TagRef> = (value, path) =>
  typeof value === 'string' ? { kind: 'tag', tag: string(value, path) } : tagRef(value, path)

const defineHeading = (level: 1 | 2 | 3): BlockDefinition<BlockOf<'heading-1'>> => ({
  data: { id: optional(headingId), align },
  contents: 'inlines',
  requiredData: {},
  anchor: { level, id: ({ data }) => data?.id || undefined },
})

const operationTitle = (method: string | undefined, path: string | undefined): string =>
  [method?.toUpperCase(), path].filter(Boolean).join(' ')

type BlockWithRef<Ref extends ContentRef> = Block & { data: { ref?: Ref } }

const mapContentRef = <B extends BlockWithRef<ContentRef>>(block: B, change: RefMapper): B =>
  replaceData(block, mapRef(block.data, 'ref', change))

const mapFileRef = <B extends BlockWithRef<ContentRef>>(block: B, change: RefMapper): B =>
  replaceData(block, mapRef(block.data, 'ref', change, isFileRef))

const mapSpecRef = <B extends BlockWithRef<ContentRef>>(block: B, change: RefMapper): B =>
  replaceData(block, mapRef(block.data, 'ref', change, isSpecRef))

export const blockDefinitions: { readonly [Type in BlockType]: DefinitionWithRequiredRefs<BlockOf<Type>> } = {
  paragraph: { data: { align }, contents: 'inlines' },
  'heading-1': defineHeading(1),
  'heading-2': defineHeading(2),
  'heading-3': defineHeading(3),
  // Markdown allows at most nine digits in the number of a list.
  'list-ordered': { data: { start: optional(integer(0, 999_999_999)) }, contents: 'list-item', requiredData: {} },
  'list-unordered': { data: noData, contents: 'list-item' },
  'list-tasks': { data: noData, contents: 'list-item' },
  'list-item': { data: { checked: optional(boolean) }, contents: 'blocks', marksChildrenInDiff: true },
  divider: { data: noData, contents: 'nothing' },
  blockquote: { data: noData, contents: 'blocks' },
  hint: {
    data: { style: oneOf('info', 'warning', 'danger', 'success'), icon },
    contents: 'blocks',
    hidesHeadings: true,
  },
  prompt: {
    data: {
      description: optional(string),
      icon,
      openInAIProviders: optional(boolean),
      defaultExpanded: optional(oneOf('hidden', 'partial', 'full')),
    },
    contents: 'blocks',
    requiredData: { description: '' },
    textLines: ({ data }) => [data?.description ?? ''],
  },
  code: {
    data: {
      syntax: optional(syntax),
      title: optional(string),
      overflow: optional(oneOf('scroll', 'wrap')),
      lineNumbers: optional(boolean),
      fullWidth,
      expandable: optional(boolean),
      collapsedLineCount: optional(integer(0, 999_999)),
    },
    contents: 'code-line',
    requiredData: {},
    textLines: ({ data }) => [data?.title ?? ''],
  },
  'code-line': { data: { highlighted: optional(boolean) }, contents: 'inlines', requiredData: {} },
  images: {
    data: { align: optional(oneOf('center', 'left', 'right')), fullWidth, withFrame: optional(boolean) },
    contents: 'image',
    requiredData: {},
  },
  image: {
    data: {
      ref: fileRef,
      refDark: optional(fileRef),
      width: optional(length),
      height: optional(length),
      alt: optional(string),
    },
    contents: 'caption',
    textLines: ({ data }) => [data.alt ?? ''],
    mapRefs: (block, change) =>
      replaceData(block, mapRef(mapRef(block.data, 'ref', change, isFileRef), 'refDark', change, isFileRef)),
  },
  file: { data: { ref: fileRef }, contents: 'caption', mapRefs: mapFileRef },
  drawing: { data: { ref: optional(fileRef) }, contents: 'nothing', mapRefs: mapFileRef },
  embed: { data: { url: string, fullWidth }, contents: 'caption' },
  math: { data: { formula: string }, contents: 'nothing', textLines: ({ data }) => [data.formula] },
  expandable: {
    data: { defaultExpanded: optional(boolean) },
    contents: 'fragments',
    anchor: {
      title: ({ fragments }, textOfBlocks) =>
        textOfBlocks(fragments.find(({ type }) => type === 'expandable-title')?.nodes ?? []),
    },
    hidesHeadings: true,
  },
  tabs: { data: { fullWidth }, contents: 'tabs-item', hidesHeadings: true },
  'tabs-item': {
    data: { title: optional(string), icon, slug: optional(string) },
    contents: 'blocks',
    requiredData: {},
    textLines: ({ data }) => [data?.title ?? ''],
    anchor: { id: ({ data }) => data?.slug || undefined, title: ({ data }) => data?.title ?? '' },
    hidesHeadings: true,
    marksChildrenInDiff: true,
  },
  stepper: { data: noData, contents: 'stepper-step' },
  'stepper-step': { data: { icon }, contents: 'blocks', requiredData: {}, marksChildrenInDiff: true },
  columns: { data: { fullWidth }, contents: 'column', requiredData: {}, hidesHeadings: true },
  column: {
    data: { width: optional(length), verticalAlignment: optional(oneOf('top', 'middle', 'bottom')) },
    contents: 'blocks',
    requiredData: {},
    marksChildrenInDiff: true,
  },
  updates: {
    data: { format: optional(oneOf('numeric', 'full', 'short')) },
    contents: 'update',
    requiredData: { format: 'full' },
  },
  update: {
    data: { date: withDefault(string, ''), tags: optional(listOf(updateTag)) },
    contents: 'blocks',
    mapRefs: mapTagRefs,
    marksChildrenInDiff: true,
  },
  if: { data: { expression: string }, contents: 'blocks' },
  // The text of a table depends on the order of its cells, so it is extracted in `text.ts`.
  table: { data: tableFieldReaders, contents: 'fragments', mapRefs: mapTableRefs, hidesHeadings: true },
  'content-ref': { data: { ref: contentRef }, contents: 'nothing', mapRefs: mapContentRef },
  'reusable-content': { data: { ref: contentRef }, contents: 'nothing', mapRefs: mapContentRef },
  integration: {
    data: { integration: string, block: string, props: withDefault(mapOf(json), {}), url: optional(string), fullWidth },
    contents: 'nothing',
  },
  swagger: {
    data: { ref: fileRef, path: optional(string), method: optional(string), expanded: optional(boolean), fullWidth },
    contents: 'nothing',
    requiredData: { path: '', method: '' },
    textLines: ({ data }) => [operationTitle(data.method, data.path)],
    anchor: { title: ({ data }) => operationTitle(data.method, data.path) },
    mapRefs: mapFileRef,
  },
  'openapi-operation': {
    data: { ref: specRef, path: string, method: string, headless: optional(boolean) },
    contents: 'nothing',
    textLines: ({ data }) => [operationTitle(data.method, data.path)],
    anchor: { title: ({ data }) => operationTitle(data.method, data.path) },
    mapRefs: mapSpecRef,
  },
  'openapi-schemas': {
    data: {
      ref: specRef,
      schemas: withDefault(listOf(string), []),
      grouped: optional(boolean),
      title: optional(string),
    },
    contents: 'nothing',
    textLines: ({ data }) => [data.title ?? '', data.schemas.join(', ')],
    anchor: { title: ({ data }) => data.title || data.schemas.join(', ') },
    mapRefs: mapSpecRef,
  },
  'openapi-webhook': {
    data: { ref: specRef, name: string, method: string, headless: optional(boolean) },
    contents: 'nothing',
    textLines: ({ data }) => [data.name],
    anchor: { title: ({ data }) => data.name },
    mapRefs: mapSpecRef,
  },
}

/** Returns the definition of a block's type. */
export function definitionOf(block: Block): BlockDefinition<Block> {
  // A definition accepts blocks of its own type, which the compiler cannot relate to the type of this block.
  return blockDefinitions[block.type] as unknown as BlockDefinition<Block>
}
