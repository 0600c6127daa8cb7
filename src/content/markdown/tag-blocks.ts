import { type BlockOf, type BlockType, type ContentsOf, blockDefinitions } from '../document/block-definitions.ts'
import { leaf, paragraph } from '../document/build.ts'
import type { Block, Column, Fragment, HintStyle, OpenApiOperation, Prompt } from '../document/nodes.ts'
import { plainText } from '../document/text.ts'
import { createCodeBlock, literalParagraph, readLength, toOptionalData } from './make-blocks.ts'
import { type References, resolveFileRef } from './references.ts'
import type { BlockTag } from './block-tag.ts'

// Blocks that are written as tags: `{% hint style="info" %}`. Each type has one definition, for parsing and printing.

/** Types of blocks that have a notation in Markdown or HTML. */
type NotationBlockType =
  | 'paragraph'
  | 'heading-1'
  | 'heading-2'
  | 'heading-3'
  | 'list-ordered'
  | 'list-unordered'
  | 'list-tasks'
  | 'list-item'
  | 'divider'
  | 'blockquote'
  | 'code'
  | 'code-line'
  | 'images'
  | 'image'
  | 'drawing'
  | 'math'
  | 'expandable'
  | 'table'

type TagBlockType = Exclude<BlockType, NotationBlockType>

/** A block that is written as a tag. */
export type TagBlock = BlockOf<TagBlockType>

export type TagAttributes = Record<string, string | number | boolean | undefined>

/** The printed form of a block as a tag: `{% name key="value" %}` in Markdown, and a `<div>` in HTML. */
export interface PrintedTag {
  name: string
  attributes: TagAttributes
  /** Printed after the name in place of the attributes, which are used in HTML only. */
  argument?: string
  /** The enclosed blocks; undefined if the tag is never closed. */
  blocks?: readonly Block[]
  /** A link for readers of the file whose software does not support the tag. The parser ignores it. */
  link?: { text: string; destination: string }
  /** Whether the tag is closed only if it encloses blocks. */
  omitsClosingIfEmpty?: boolean
}

type Attributes = BlockTag['attributes']

interface ParsedTag {
  tag: BlockTag
  /** The blocks between the opening and the closing tag; empty if the tag is not closed. */
  blocks: readonly Block[]
  references: References
}

interface TagBlockDefinition<B extends Block> {
  /** Names of the tag in Markdown. */
  readonly names: readonly string[]
  readonly closing: 'required' | 'optional' | 'never'
  /** Returns undefined if a required attribute is missing. */
  readonly parse: (parsed: ParsedTag) => Block | undefined
  readonly print: (block: B, references: References) => PrintedTag
}

const tagBlocks: { readonly [Type in TagBlockType]: TagBlockDefinition<BlockOf<Type>> } = {
  hint: {
    names: ['hint'],
    closing: 'required',
    parse({ tag: { attributes }, blocks }) {
      const name = attributes['style'] ?? attributes['type'] ?? ''
      const style = readHintStyle(name)
      return { object: 'block', type: 'hint', data: { style, ...pick(attributes, 'icon') }, nodes: blocks }
    },
    print: ({ data: { style, icon }, nodes }) => ({ name: 'hint', attributes: { style, icon }, blocks: nodes }),
  },
  tabs: {
    // The second name is a former one for tabs with code.
    names: ['tabs', 'code-tabs'],
    closing: 'required',
    parse: (parsed) => makeContainer('tabs', parseFullWidth(parsed.tag), parsed),
    print: ({ data, nodes }) => ({ name: 'tabs', attributes: { fullWidth: data?.fullWidth }, blocks: nodes }),
  },
  'tabs-item': {
    names: ['tab', 'code-tabs-item'],
    closing: 'required',
    parse: ({ tag, blocks }) => ({
      object: 'block',
      type: 'tabs-item',
      ...toOptionalData(pick(tag.attributes, 'title', 'icon', 'slug')),
      nodes: blocks,
    }),
    print({ data, nodes }) {
      const { title = '', icon, slug } = data ?? {}
      return { name: 'tab', attributes: { title, icon, slug }, blocks: nodes }
    },
  },
  stepper: {
    names: ['stepper'],
    closing: 'required',
    parse: (parsed) => makeContainer('stepper', {}, parsed),
    print: ({ nodes }) => ({ name: 'stepper', attributes: {}, blocks: nodes }),
  },
  'stepper-step': {
    names: ['step'],
    closing: 'required',
    parse: ({ tag, blocks }) => ({
      object: 'block',
      type: 'stepper-step',
      ...toOptionalData(pick(tag.attributes, 'icon')),
      nodes: blocks,
    }),
    print: ({ data, nodes }) => ({ name: 'step', attributes: { icon: data?.icon }, blocks: nodes }),
  },
  columns: {
    names: ['columns'],
    closing: 'required',
    parse: (parsed) => makeContainer('columns', parseFullWidth(parsed.tag), parsed),
    print: ({ data, nodes }) => ({ name: 'columns', attributes: { fullWidth: data?.fullWidth }, blocks: nodes }),
  },
  column: {
    names: ['column'],
    closing: 'required',
    parse: ({ tag, blocks }) => ({
      object: 'block',
      type: 'column',
      ...toOptionalData(parseColumnData(tag.attributes)),
      nodes: blocks,
    }),
    print({ data, nodes }) {
      const { width, verticalAlignment } = data ?? {}
      const written = typeof width === 'object' ? `${width.value}${width.unit}` : width
      return { name: 'column', attributes: { width: written, valign: verticalAlignment }, blocks: nodes }
    },
  },
  updates: {
    names: ['updates'],
    closing: 'required',
    parse(parsed) {
      const { format } = parsed.tag.attributes
      const isFormat = format === 'full' || format === 'short' || format === 'numeric'
      return makeContainer('updates', isFormat ? { format } : {}, parsed)
    },
    print: ({ data, nodes }) => ({ name: 'updates', attributes: { format: data?.format }, blocks: nodes }),
  },
  update: {
    names: ['update'],
    closing: 'required',
    parse({ tag: { attributes }, blocks }) {
      const written = attributes['tags']
      const tags = written === undefined ? undefined : splitList(written).map((tag) => ({ kind: 'tag', tag }) as const)
      return {
        object: 'block',
        type: 'update',
        data: { date: attributes['date'] ?? '', ...(tags && { tags }) },
        nodes: blocks,
      }
    },
    print({ data, nodes }) {
      const { date, tags } = data ?? {}
      return { name: 'update', attributes: { date, tags: tags?.map(({ tag }) => tag).join(',') }, blocks: nodes }
    },
  },
  if: {
    names: ['if'],
    closing: 'required',
    parse: ({ tag, blocks }) => ({ object: 'block', type: 'if', data: { expression: tag.rest }, nodes: blocks }),
    print({ data, nodes }) {
      // A tag must be on one line.
      const expression = data.expression.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? ' ' : blanks))
      return { name: 'if', attributes: { expression }, argument: expression, blocks: nodes }
    },
  },
  prompt: {
    names: ['prompt'],
    closing: 'required',
    parse({ tag: { attributes }, blocks }) {
      const { openInAIProviders, defaultExpanded } = attributes
      return {
        object: 'block',
        type: 'prompt',
        ...toOptionalData<NonNullable<Prompt['data']>>({
          ...pick(attributes, 'description', 'icon'),
          ...(openInAIProviders !== undefined && { openInAIProviders: openInAIProviders === 'true' }),
          ...((defaultExpanded === 'hidden' || defaultExpanded === 'partial' || defaultExpanded === 'full') && {
            defaultExpanded,
          }),
        }),
        nodes: blocks,
      }
    },
    print({ data, nodes }) {
      const { description, icon, openInAIProviders, defaultExpanded } = data ?? {}
      const attributes = { description, icon, openInAIProviders, defaultExpanded }
      return { name: 'prompt', attributes, blocks: nodes }
    },
  },
  'content-ref': {
    names: ['content-ref'],
    closing: 'required',
    parse: ({ tag, references }) => contentRefBlock(readAddress(tag.attributes['url']), references),
    print({ data: { ref } }, references) {
      const url = references.print(ref)
      return { name: 'content-ref', attributes: { url }, blocks: [], link: linkTo(url) }
    },
  },
  'openapi-operation': {
    names: ['openapi-operation'],
    closing: 'required',
    parse({ tag: { attributes } }) {
      const { spec, path, method } = attributes
      if (spec === undefined || path === undefined || method === undefined) return undefined
      const ref = { kind: 'openapi', spec } as const
      return { object: 'block', type: 'openapi-operation', isVoid: true, data: { ref, path, method } }
    },
    print: ({ type, data: { ref, path, method } }) => ({
      name: type,
      attributes: { spec: ref.spec, path, method },
      blocks: [],
      link: linkToSpec(ref),
    }),
  },
  'openapi-schemas': {
    names: ['openapi-schemas'],
    closing: 'required',
    parse({ tag: { attributes }, blocks: [first] }) {
      const { spec, schemas = '', grouped } = attributes
      if (spec === undefined) return undefined
      const title = first?.type === 'paragraph' ? plainText(first.nodes) : ''
      return {
        object: 'block',
        type: 'openapi-schemas',
        isVoid: true,
        data: {
          ref: { kind: 'openapi', spec },
          schemas: splitList(schemas),
          ...(grouped !== undefined && { grouped: grouped === 'true' }),
          ...(title !== '' && { title }),
        },
      }
    },
    print({ type, data: { ref, schemas, grouped, title } }) {
      const attributes = { spec: ref.spec, schemas: schemas.join(','), grouped }
      const blocks = title ? [paragraph([{ object: 'text', leaves: [leaf(title)] }])] : []
      return { name: type, attributes, blocks }
    },
  },
  'openapi-webhook': {
    names: ['openapi-webhook'],
    closing: 'required',
    parse({ tag: { attributes } }) {
      const { spec, name, method } = attributes
      if (spec === undefined || name === undefined || method === undefined) return undefined
      const ref = { kind: 'openapi', spec } as const
      return { object: 'block', type: 'openapi-webhook', isVoid: true, data: { ref, name, method } }
    },
    print: ({ type, data: { ref, name, method } }) => ({
      name: type,
      attributes: { spec: ref.spec, name, method },
      blocks: [],
      link: linkToSpec(ref),
    }),
  },
  swagger: {
    names: ['openapi', 'swagger'],
    closing: 'optional',
    parse({ tag, references }) {
      const { expanded } = tag.attributes
      const src = readAddress(tag.attributes['src'])
      if (src === undefined) return undefined
      return {
        object: 'block',
        type: 'swagger',
        isVoid: true,
        data: {
          ref: resolveFileRef(references, src),
          ...pick(tag.attributes, 'path', 'method'),
          ...(expanded === 'true' && { expanded: true }),
          ...parseFullWidth(tag),
        },
      }
    },
    print({ data: { ref, path, method, expanded, fullWidth } }, references) {
      const src = references.print(ref)
      const link = hasUrlScheme(src) ? { text: src, destination: src } : linkTo(src)
      return { name: 'openapi', attributes: { src, path, method, expanded, fullWidth }, blocks: [], link }
    },
  },
  embed: {
    names: ['embed'],
    closing: 'optional',
    parse({ tag, blocks }) {
      const url = readAddress(tag.attributes['url'])
      if (url === undefined) return undefined
      return {
        object: 'block',
        type: 'embed',
        isVoid: true,
        data: { url, ...parseFullWidth(tag) },
        ...parseCaption(blocks, tag.attributes),
      }
    },
    print({ data: { url, fullWidth }, fragments }) {
      const link = { text: url, destination: url }
      const blocks = captionOf(fragments)
      return { name: 'embed', attributes: { url, fullWidth }, blocks, link, omitsClosingIfEmpty: true }
    },
  },
  file: {
    names: ['file'],
    closing: 'optional',
    parse({ tag: { attributes }, blocks, references }) {
      const src = readAddress(attributes['src'])
      if (src === undefined) return undefined
      return {
        object: 'block',
        type: 'file',
        isVoid: true,
        data: { ref: resolveFileRef(references, src) },
        ...parseCaption(blocks, attributes),
      }
    },
    print({ data: { ref }, fragments }, references) {
      const src = references.print(ref)
      const link = { text: src, destination: src }
      return { name: 'file', attributes: { src }, blocks: captionOf(fragments), link, omitsClosingIfEmpty: true }
    },
  },
  'reusable-content': {
    names: ['include'],
    closing: 'never',
    parse({ tag, references }) {
      const [, double, path = double] = /^(?:"([^"]*)"|'([^']*)')$/.exec(tag.rest) ?? []
      if (path === undefined) return undefined
      return { object: 'block', type: 'reusable-content', isVoid: true, data: { ref: references.resolve(path) } }
    },
    print({ data: { ref } }, references) {
      const path = references.print(ref)
      return { name: 'include', attributes: { path }, argument: `"${path}"` }
    },
  },
  integration: {
    // The names of integrations start with `@`; see `parseTagBlock`.
    names: [],
    closing: 'never',
    parse({ tag: { name, attributes } }) {
      const [integration, block] = name.slice(1).split('/')
      if (!integration || !block) return undefined
      if (integration === 'mermaid' && block === 'diagram' && attributes['content'] !== undefined) {
        return createCodeBlock(attributes['content'], { syntax: 'mermaid' })
      }
      const { url, fullWidth, ...props } = attributes
      return {
        object: 'block',
        type: 'integration',
        isVoid: true,
        data: {
          integration,
          block,
          props,
          ...(url !== undefined && { url }),
          ...(fullWidth === 'true' && { fullWidth: true }),
        },
      }
    },
    print: ({ data: { integration, block, props, url, fullWidth } }) => ({
      name: `@${integration}/${block}`,
      attributes: { ...attributesOf(props), url, fullWidth },
    }),
  },
}

const hintStyles = new Set<string>(['info', 'warning', 'danger', 'success'])

const definitions = new Map(
  Object.values(tagBlocks).flatMap((definition) => definition.names.map((name) => [name, definition] as const)),
)

/** Names of the tags that enclose blocks, and whether they must be closed. */
export const enclosingTags: ReadonlyMap<string, 'required' | 'optional'> = new Map(
  Array.from(definitions).flatMap(([name, { closing }]) => (closing === 'never' ? [] : [[name, closing] as const])),
)

export const readHintStyle = (name: string | undefined): HintStyle =>
  (name !== undefined && hintStyles.has(name) ? name : 'info') as HintStyle

export const hasTagBlock = (name: string): boolean => definitions.has(name)

/** Returns the block of a tag; undefined if no block has this tag or a required attribute is missing. */
export function parseTagBlock(tag: BlockTag, blocks: readonly Block[], references: References): Block | undefined {
  const definition = definitions.get(tag.name) ?? (tag.name.startsWith('@') ? tagBlocks.integration : undefined)
  return definition?.parse({ tag, blocks, references })
}

export function toPrintedTag(block: TagBlock, { references }: { references: References }): PrintedTag {
  // A definition accepts the blocks of its own type, which the compiler cannot relate to the type of this block.
  const { print } = tagBlocks[block.type] as TagBlockDefinition<TagBlock>
  return print(block, references)
}

/** Whether a block is a tag that encloses blocks. */
export function isEnclosingTag(block: Block): block is TagBlock {
  return 'nodes' in block && Object.hasOwn(tagBlocks, block.type)
}

/** Returns the block of a link to a page; undefined without a URL. */
export function contentRefBlock(url: string | undefined, references: References): Block | undefined {
  if (url === undefined) return undefined
  return { object: 'block', type: 'content-ref', isVoid: true, data: { ref: references.resolve(url) } }
}

/** Returns an address without the angle brackets around it, which GitBook writes in the Markdown of published pages. */
const readAddress = (written: string | undefined): string | undefined => written?.replace(/^<([^<>]*)>$/, '$1')

const parseFullWidth = ({ attributes }: BlockTag): { fullWidth?: true } =>
  attributes['fullWidth'] === 'true' ? { fullWidth: true } : {}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

function pick<Key extends string>(attributes: Attributes, ...keys: Key[]): { [K in Key]?: string } {
  return Object.fromEntries(keys.flatMap((key) => (attributes[key] ? [[key, attributes[key]]] : []))) as {
    [K in Key]?: string
  }
}

/** Types of blocks whose contents are items, which are tags too. */
type ContainerType = {
  [Type in TagBlockType]: ContentsOf<BlockOf<Type>> extends TagBlockType ? Type : never
}[TagBlockType]

/** Builds a container of items. Blocks between items are added to the item before them, or to a new one. */
function makeContainer<Type extends ContainerType>(
  type: Type,
  data: NonNullable<BlockOf<Type>['data']>,
  { blocks, references }: ParsedTag,
): Block {
  const itemType = blockDefinitions[type].contents
  const found: { item: Block | undefined; nodes: Block[] }[] = []
  for (const block of blocks) {
    const last = found.at(-1)
    if (block.type === itemType) found.push({ item: block, nodes: [] })
    else if (last) last.nodes.push(block)
    else found.push({ item: undefined, nodes: [block] })
  }
  const nodes = found.map(({ item, nodes: added }) => {
    if (!item) return tagBlocks[itemType].parse({ tag: emptyTag, blocks: added, references })
    return added.length === 0 ? item : { ...item, nodes: [...blocksOf(item), ...added] }
  })
  return { object: 'block', type, ...toOptionalData(data), nodes } as Block
}

const emptyTag: BlockTag = { name: '', attributes: {}, rest: '', start: 0, end: 0 }

const blocksOf = (item: Block): readonly unknown[] => ('nodes' in item ? item.nodes : [])

function parseColumnData(attributes: Attributes): NonNullable<Column['data']> {
  const width = readLength(attributes['width'])
  const alignment = attributes['valign'] ?? attributes['verticalAlignment']
  return {
    ...(width !== undefined && { width: typeof width === 'number' ? { unit: 'px', value: width } : width }),
    ...((alignment === 'top' || alignment === 'middle' || alignment === 'bottom') && { verticalAlignment: alignment }),
  }
}

function parseCaption(blocks: readonly Block[], attributes: Attributes): { fragments?: readonly Fragment[] } {
  const written = attributes['caption'] ? [literalParagraph(attributes['caption'])] : []
  const nodes = blocks.length > 0 ? blocks : written
  return nodes.length === 0 ? {} : { fragments: [{ object: 'fragment', type: 'caption', nodes }] }
}

/** Returns the blocks of a caption. */
export const captionOf = (fragments: readonly Fragment[] | undefined): readonly Block[] =>
  (fragments ?? []).flatMap(({ nodes }) => nodes)

const hasUrlScheme = (destination: string) => /^[a-z][a-z0-9+.-]*:/i.test(destination)

/** Returns a link whose text is the name of the file. */
function linkTo(destination: string): NonNullable<PrintedTag['link']> {
  return { text: destination.replace(/\/$/, '').split('/').at(-1) || destination, destination }
}

const linkToSpec = ({ spec }: OpenApiOperation['data']['ref']) => ({
  text: `OpenAPI ${spec}`,
  destination: `/openapi/${spec}`,
})

/** Returns the properties whose names are valid attribute names. */
function attributesOf(props: Readonly<Record<string, unknown>>): TagAttributes {
  return Object.fromEntries(
    Object.entries(props)
      .filter(([name]) => /^[\w-]+$/.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
