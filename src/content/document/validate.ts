import { type BlockType, blockDefinitions } from './block-definitions.ts'
import { addMark, documentOf, leaf, mark } from './build.ts'
import { htmlExpression } from './complete.ts'
import { maxNesting, nestedTooDeep } from './limits.ts'
import type { Block, Document, Fragment, InlineElement, InlineNode, Mark, SimpleMarkType, Text } from './nodes.ts'
import { anchor, rawHtml } from './raw-html.ts'
import { joinTexts } from './text.ts'
import { colorData, inlineData } from './validate-data.ts'
import {
  DocumentError,
  type Read,
  type UnknownObject,
  below,
  fields,
  integer,
  list,
  member,
  object,
  optional,
  text,
  withDefault,
} from './validate-values.ts'

/**
 * Reads a document from untrusted JSON: normalizes it and omits computed and unknown fields. Throws a `DocumentError`
 * if it is not a document, and a `DocumentTooLargeError` if it is nested too deeply.
 */
export function readDocument(value: unknown): Document {
  assertReadable(value, maxJsonNesting)
  const source = object(value, '')
  if (member(source, 'object') !== 'document') throw new DocumentError('Must be "document"', 'object')
  const { schemaVersion } = readDocumentData(member(source, 'data') ?? {}, 'data')
  const document = documentOf(list(readBlock)(member(source, 'nodes'), 'nodes'))
  return schemaVersion === undefined ? document : { ...document, data: { schemaVersion } }
}

const readDocumentData = fields<Document['data']>({ schemaVersion: optional(integer(0, 1_000_000)) })

/**
 * Maximum nesting of JSON. A block in the body of an annotation is six levels of JSON below its parent block, and data
 * adds some levels.
 */
const maxJsonNesting = 6 * maxNesting + 20

function assertReadable(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return
  if (levels === 0) throw nestedTooDeep()
  for (const inner of Object.values(value)) assertReadable(inner, levels - 1)
}

const dataReaders = new Map(Object.entries(blockDefinitions).map(([type, { data }]) => [type, fields<object>(data)]))

const readBlock: Read<Block> = (value, path) => {
  const source = object(value, path)
  if (member(source, 'object') !== 'block') throw new DocumentError('Must be "block"', below(path, 'object'))
  const type = member(source, 'type')
  const readData = dataReaders.get(type as string)
  if (!readData) throw unknownType('block', type, path)
  const contents = readContents(source, path, type as BlockType)
  const isVoid = !('nodes' in contents)
  const data = readData(member(source, 'data') ?? {}, below(path, 'data'))
  return {
    object: 'block',
    type,
    ...readKey(source, path),
    ...(isVoid && { isVoid }),
    ...((isVoid || Object.keys(data).length > 0) && { data }),
    ...contents,
  } as Block
}

const onlyBlock =
  (type: BlockType): Read<Block> =>
  (value, path) => {
    const block = readBlock(value, path)
    if (block.type !== type)
      throw new DocumentError(`Only blocks of type "${type}" are allowed here`, below(path, 'type'))
    return block
  }

function readContents(source: UnknownObject, path: string, type: BlockType): object {
  const { contents } = blockDefinitions[type]
  const nodes = <Node>(read: Read<Node>) => withDefault(list(read), [])(member(source, 'nodes'), below(path, 'nodes'))
  switch (contents) {
    case 'nothing':
      return {}
    case 'fragments': {
      const fragments = readFragments(source, path)
      if (type === 'expandable') assertExpandable(fragments, below(path, 'fragments'))
      return { fragments }
    }
    case 'caption': {
      const fragments = readFragments(source, path)
      if (fragments.length > 1) throw new DocumentError('Only one caption is allowed', pathOf(path, 1))
      return fragments.length > 0 ? { fragments } : {}
    }
    case 'inlines':
      return { nodes: readInlines(source, path) }
    case 'blocks':
      return { nodes: nodes(readBlock) }
    default:
      return { nodes: nodes(onlyBlock(contents)) }
  }
}

const readKey = fields<{ key?: string }>({ key: optional(text) })

const readFragment: Read<Fragment> = (value, path) => ({
  object: 'fragment',
  ...fields<Omit<Fragment, 'object'>>({
    key: optional(text),
    fragment: optional(text),
    type: optional(text),
    nodes: withDefault(list(readBlock), []),
  })(value, path),
})

function readFragments(source: UnknownObject, path: string): readonly Fragment[] {
  return withDefault(list(readFragment), [])(member(source, 'fragments'), below(path, 'fragments'))
}

const pathOf = (path: string, fragment: number) => below(below(path, 'fragments'), fragment)

/**
 * Checks that an expandable has at most one title and one body. Files store the title as a line of text, so it must be
 * a single paragraph.
 */
function assertExpandable(fragments: readonly Fragment[], path: string): void {
  const seen = new Set<string>()
  fragments.forEach(({ type, nodes }, index) => {
    const at = below(path, index)
    if (type !== 'expandable-title' && type !== 'expandable-body') {
      throw new DocumentError('Must be one of expandable-title, expandable-body', below(at, 'type'))
    }
    if (seen.has(type)) throw new DocumentError(`Only one fragment of type "${type}" is allowed`, below(at, 'type'))
    seen.add(type)
    if (type === 'expandable-title') assertTitle(nodes, below(at, 'nodes'))
  })
}

function assertTitle([title, second]: readonly Block[], path: string): void {
  if (second) throw new DocumentError('The title of an expandable must be a single paragraph', below(path, 1))
  if (!title) return
  const at = below(path, 0)
  if (title.type !== 'paragraph') {
    throw new DocumentError('The title of an expandable must be a paragraph', below(at, 'type'))
  }
  if (title.data?.align !== undefined && title.data.align !== 'start') {
    throw new DocumentError('The title of an expandable cannot be aligned', below(below(at, 'data'), 'align'))
  }
}

function unknownType(what: string, type: unknown, path: string): DocumentError {
  const sentence =
    typeof type === 'string' ? `Unknown ${what} type "${type.slice(0, 50)}"` : 'Must be the name of a type'
  return new DocumentError(sentence, below(path, 'type'))
}

const inlineHoldings: { readonly [Type in InlineElement['type']]: 'inlines' | 'inlines and fragments' | 'nothing' } = {
  link: 'inlines',
  emoji: 'nothing',
  icon: 'nothing',
  expression: 'nothing',
  'inline-math': 'nothing',
  'inline-image': 'nothing',
  annotation: 'inlines and fragments',
  mention: 'nothing',
  button: 'nothing',
  html: 'nothing',
  anchor: 'nothing',
}

const inlineDataReaders = new Map(Object.entries(inlineData).map(([type, shape]) => [type, fields<object>(shape)]))

const readInlines = (source: UnknownObject, path: string): readonly InlineNode[] =>
  joinTexts(withDefault(list(readInline), [])(member(source, 'nodes'), below(path, 'nodes')))

const readInline: Read<InlineNode> = (value, path) => {
  const source = object(value, path)
  switch (member(source, 'object')) {
    case 'text':
      return readText(source, path)
    case 'inline':
      return readElement(source, path)
    default:
      throw new DocumentError('Must be "text" or "inline"', below(path, 'object'))
  }
}

function readElement(source: UnknownObject, path: string): InlineElement {
  const presented = readPresented(source, path)
  if (presented) return { ...presented, ...readKey(source, path) }
  const type = member(source, 'type')
  const readData = inlineDataReaders.get(type as string)
  if (!readData) throw unknownType('inline', type, path)
  const holding = inlineHoldings[type as InlineElement['type']]
  const data = readData(member(source, 'data') ?? {}, below(path, 'data'))
  return {
    object: 'inline',
    type,
    ...readKey(source, path),
    ...(holding === 'nothing' ? { isVoid: true } : { nodes: readInlines(source, path) }),
    ...(Object.keys(data).length > 0 && { data }),
    ...(holding === 'inlines and fragments' && { fragments: readBody(source, path) }),
  } as InlineElement
}

/** Reads inlines that the public schema does not have and `complete.ts` represents as other types with an additional field. */
function readPresented(source: UnknownObject, path: string): InlineElement | undefined {
  const type = member(source, 'type')
  if (type !== 'expression' && type !== 'link') return undefined
  const place = below(path, 'data')
  const data = object(member(source, 'data') ?? {}, place)
  if (type === 'expression') {
    const html = member(data, 'html')
    const isPresented = html !== undefined && member(data, 'expression') === htmlExpression
    return isPresented ? rawHtml(inlineData.html.html(html, below(place, 'html'))) : undefined
  }
  const id = member(data, 'id')
  const isPresented = id !== undefined && readInlines(source, path).length === 0
  return isPresented ? anchor(inlineData.anchor.id(id, below(place, 'id'))) : undefined
}

function readBody(source: UnknownObject, path: string): readonly Fragment[] {
  const fragments = readFragments(source, path)
  if (fragments.length > 1) throw new DocumentError('Only one body is allowed in an annotation', pathOf(path, 1))
  return fragments
}

/** Reads a text. In older documents the text itself contains the string and the marks instead of leaves. */
function readText(source: UnknownObject, path: string): Text {
  const leaves = member(source, 'leaves')
  return {
    object: 'text',
    ...readKey(source, path),
    leaves: leaves === undefined ? [readLeaf(source, path)] : list(readLeaf)(leaves, below(path, 'leaves')),
  }
}

const readLeaf: Read<Text['leaves'][number]> = (value, path) => {
  const source = object(value, path)
  const marks = withDefault(list(readMark), [])(member(source, 'marks'), below(path, 'marks'))
  return leaf(text(member(source, 'text'), below(path, 'text')), marks.reduce(addMark, [] as readonly Mark[]))
}

const simpleMarks: { readonly [Type in SimpleMarkType]: Mark } = {
  bold: mark('bold'),
  italic: mark('italic'),
  code: mark('code'),
  keyboard: mark('keyboard'),
  strikethrough: mark('strikethrough'),
  superscript: mark('superscript'),
  subscript: mark('subscript'),
}

const readMark: Read<Mark> = (value, path) => {
  const source = object(value, path)
  const type = member(source, 'type')
  if (type === 'color') {
    return { object: 'mark', type, data: colorData(member(source, 'data') ?? {}, below(path, 'data')) }
  }
  if (typeof type === 'string' && Object.hasOwn(simpleMarks, type)) return simpleMarks[type as SimpleMarkType]
  throw unknownType('mark', type, path)
}
