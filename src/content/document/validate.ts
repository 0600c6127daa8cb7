import { type BlockType, blockDefinitions } from './block-definitions.ts'
import { addMark, createDocument, leaf, mark } from './build.ts'
import { htmlPlaceholderExpression } from './complete.ts'
import { maxNesting, nestingTooDeepError } from './limits.ts'
import type { Block, Document, Fragment, InlineElement, InlineNode, Mark, SimpleMarkType, Text } from './nodes.ts'
import { createAnchorInline, createHtmlInline } from './raw-html.ts'
import { joinTexts } from './text.ts'
import { readColorData, inlineFieldReaders } from './validate-data.ts'
import {
  DocumentError,
  type ValueReader,
  type UnknownObject,
  childPath,
  objectWithFields,
  integer,
  listOf,
  getOwnProperty,
  object,
  optional,
  string,
  withDefault,
} from './validate-values.ts'

/**
 * Reads a document from untrusted JSON: normalizes it and omits computed and unknown fields. Throws a `DocumentError`
 * if it is not a document, and a `DocumentTooLargeError` if it is nested too deeply.
 */
export function readDocument(value: unknown): Document {
  assertJsonDepth(value, maxJsonNesting)
  const source = object(value, '')
  if (getOwnProperty(source, 'object') !== 'document') throw new DocumentError('Must be "document"', 'object')
  const { schemaVersion } = readDocumentData(getOwnProperty(source, 'data') ?? {}, 'data')
  const document = createDocument(listOf(readBlock)(getOwnProperty(source, 'nodes'), 'nodes'))
  return schemaVersion === undefined ? document : { ...document, data: { schemaVersion } }
}

const readDocumentData = objectWithFields<Document['data']>({ schemaVersion: optional(integer(0, 1_000_000)) })

/**
 * Maximum nesting of JSON. A block in the body of an annotation is six levels of JSON below its parent block, and data
 * adds some levels.
 */
const maxJsonNesting = 6 * maxNesting + 20

function assertJsonDepth(value: unknown, remainingLevels: number): void {
  if (typeof value !== 'object' || value === null) return
  if (remainingLevels === 0) throw nestingTooDeepError()
  for (const inner of Object.values(value)) assertJsonDepth(inner, remainingLevels - 1)
}

const blockDataReaders = new Map(
  Object.entries(blockDefinitions).map(([type, { data }]) => [type, objectWithFields<object>(data)]),
)

const readBlock: ValueReader<Block> = (value, path) => {
  const source = object(value, path)
  if (getOwnProperty(source, 'object') !== 'block')
    throw new DocumentError('Must be "block"', childPath(path, 'object'))
  const type = getOwnProperty(source, 'type')
  const readData = blockDataReaders.get(type as string)
  if (!readData) throw unknownTypeError('block', type, path)
  const contents = readContents(source, path, type as BlockType)
  const isVoid = !('nodes' in contents)
  const data = readData(getOwnProperty(source, 'data') ?? {}, childPath(path, 'data'))
  return {
    object: 'block',
    type,
    ...readKey(source, path),
    ...(isVoid && { isVoid }),
    ...((isVoid || Object.keys(data).length > 0) && { data }),
    ...contents,
  } as Block
}

const blockOfType =
  (type: BlockType): ValueReader<Block> =>
  (value, path) => {
    const block = readBlock(value, path)
    if (block.type !== type)
      throw new DocumentError(`Only blocks of type "${type}" are allowed here`, childPath(path, 'type'))
    return block
  }

function readContents(source: UnknownObject, path: string, type: BlockType): object {
  const { contents } = blockDefinitions[type]
  const nodes = <Node>(read: ValueReader<Node>) =>
    withDefault(listOf(read), [])(getOwnProperty(source, 'nodes'), childPath(path, 'nodes'))
  switch (contents) {
    case 'nothing':
      return {}
    case 'fragments': {
      const fragments = readFragments(source, path)
      if (type === 'expandable') assertExpandable(fragments, childPath(path, 'fragments'))
      return { fragments }
    }
    case 'caption': {
      const fragments = readFragments(source, path)
      if (fragments.length > 1) throw new DocumentError('Only one caption is allowed', fragmentPath(path, 1))
      return fragments.length > 0 ? { fragments } : {}
    }
    case 'inlines':
      return { nodes: readInlines(source, path) }
    case 'blocks':
      return { nodes: nodes(readBlock) }
    default:
      return { nodes: nodes(blockOfType(contents)) }
  }
}

const readKey = objectWithFields<{ key?: string }>({ key: optional(string) })

const readFragment: ValueReader<Fragment> = (value, path) => ({
  object: 'fragment',
  ...objectWithFields<Omit<Fragment, 'object'>>({
    key: optional(string),
    fragment: optional(string),
    type: optional(string),
    nodes: withDefault(listOf(readBlock), []),
  })(value, path),
})

function readFragments(source: UnknownObject, path: string): readonly Fragment[] {
  return withDefault(listOf(readFragment), [])(getOwnProperty(source, 'fragments'), childPath(path, 'fragments'))
}

const fragmentPath = (path: string, fragment: number) => childPath(childPath(path, 'fragments'), fragment)

/**
 * Checks that an expandable has at most one title and one body. Files store the title as a line of text, so it must be
 * a single paragraph.
 */
function assertExpandable(fragments: readonly Fragment[], path: string): void {
  const seen = new Set<string>()
  fragments.forEach(({ type, nodes }, index) => {
    const at = childPath(path, index)
    if (type !== 'expandable-title' && type !== 'expandable-body') {
      throw new DocumentError('Must be one of expandable-title, expandable-body', childPath(at, 'type'))
    }
    if (seen.has(type)) throw new DocumentError(`Only one fragment of type "${type}" is allowed`, childPath(at, 'type'))
    seen.add(type)
    if (type === 'expandable-title') assertExpandableTitle(nodes, childPath(at, 'nodes'))
  })
}

function assertExpandableTitle([title, second]: readonly Block[], path: string): void {
  if (second) throw new DocumentError('The title of an expandable must be a single paragraph', childPath(path, 1))
  if (!title) return
  const at = childPath(path, 0)
  if (title.type !== 'paragraph') {
    throw new DocumentError('The title of an expandable must be a paragraph', childPath(at, 'type'))
  }
  if (title.data?.align !== undefined && title.data.align !== 'start') {
    throw new DocumentError('The title of an expandable cannot be aligned', childPath(childPath(at, 'data'), 'align'))
  }
}

function unknownTypeError(what: string, type: unknown, path: string): DocumentError {
  const message =
    typeof type === 'string' ? `Unknown ${what} type "${type.slice(0, 50)}"` : 'Must be the name of a type'
  return new DocumentError(message, childPath(path, 'type'))
}

const inlineContents: { readonly [Type in InlineElement['type']]: 'inlines' | 'inlines and fragments' | 'nothing' } = {
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

const inlineDataReaders = new Map(
  Object.entries(inlineFieldReaders).map(([type, shape]) => [type, objectWithFields<object>(shape)]),
)

const readInlines = (source: UnknownObject, path: string): readonly InlineNode[] =>
  joinTexts(withDefault(listOf(readInline), [])(getOwnProperty(source, 'nodes'), childPath(path, 'nodes')))

const readInline: ValueReader<InlineNode> = (value, path) => {
  const source = object(value, path)
  switch (getOwnProperty(source, 'object')) {
    case 'text':
      return readText(source, path)
    case 'inline':
      return readInlineElement(source, path)
    default:
      throw new DocumentError('Must be "text" or "inline"', childPath(path, 'object'))
  }
}

function readInlineElement(source: UnknownObject, path: string): InlineElement {
  const restored = readSubstituteInline(source, path)
  if (restored) return { ...restored, ...readKey(source, path) }
  const type = getOwnProperty(source, 'type')
  const readData = inlineDataReaders.get(type as string)
  if (!readData) throw unknownTypeError('inline', type, path)
  const contents = inlineContents[type as InlineElement['type']]
  const data = readData(getOwnProperty(source, 'data') ?? {}, childPath(path, 'data'))
  return {
    object: 'inline',
    type,
    ...readKey(source, path),
    ...(contents === 'nothing' ? { isVoid: true } : { nodes: readInlines(source, path) }),
    ...(Object.keys(data).length > 0 && { data }),
    ...(contents === 'inlines and fragments' && { fragments: readAnnotationBody(source, path) }),
  } as InlineElement
}

/** Reads inlines that the public schema does not have and `complete.ts` represents as other types with an additional field. */
function readSubstituteInline(source: UnknownObject, path: string): InlineElement | undefined {
  const type = getOwnProperty(source, 'type')
  if (type !== 'expression' && type !== 'link') return undefined
  const dataPath = childPath(path, 'data')
  const data = object(getOwnProperty(source, 'data') ?? {}, dataPath)
  if (type === 'expression') {
    const html = getOwnProperty(data, 'html')
    const isSubstitute = html !== undefined && getOwnProperty(data, 'expression') === htmlPlaceholderExpression
    return isSubstitute ? createHtmlInline(inlineFieldReaders.html.html(html, childPath(dataPath, 'html'))) : undefined
  }
  const id = getOwnProperty(data, 'id')
  const isSubstitute = id !== undefined && readInlines(source, path).length === 0
  return isSubstitute ? createAnchorInline(inlineFieldReaders.anchor.id(id, childPath(dataPath, 'id'))) : undefined
}

function readAnnotationBody(source: UnknownObject, path: string): readonly Fragment[] {
  const fragments = readFragments(source, path)
  if (fragments.length > 1) throw new DocumentError('Only one body is allowed in an annotation', fragmentPath(path, 1))
  return fragments
}

/** Reads a text. In older documents the text itself contains the string and the marks instead of leaves. */
function readText(source: UnknownObject, path: string): Text {
  const leaves = getOwnProperty(source, 'leaves')
  return {
    object: 'text',
    ...readKey(source, path),
    leaves: leaves === undefined ? [readLeaf(source, path)] : listOf(readLeaf)(leaves, childPath(path, 'leaves')),
  }
}

const readLeaf: ValueReader<Text['leaves'][number]> = (value, path) => {
  const source = object(value, path)
  const marks = withDefault(listOf(readMark), [])(getOwnProperty(source, 'marks'), childPath(path, 'marks'))
  return leaf(
    string(getOwnProperty(source, 'text'), childPath(path, 'text')),
    marks.reduce(addMark, [] as readonly Mark[]),
  )
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

const readMark: ValueReader<Mark> = (value, path) => {
  const source = object(value, path)
  const type = getOwnProperty(source, 'type')
  if (type === 'color') {
    return { object: 'mark', type, data: readColorData(getOwnProperty(source, 'data') ?? {}, childPath(path, 'data')) }
  }
  if (typeof type === 'string' && Object.hasOwn(simpleMarks, type)) return simpleMarks[type as SimpleMarkType]
  throw unknownTypeError('mark', type, path)
}
