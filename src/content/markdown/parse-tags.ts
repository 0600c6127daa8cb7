import { leaf, mark, paragraph } from '../document/build.ts'
import type { Block, Code, CodeData, Mark } from '../document/nodes.ts'
import { componentTag, emptyComponentTag } from './components.ts'
import { directiveTag, plainDirective, readDirectiveStyle } from './directives.ts'
import { codeSyntaxOf } from './foreign-tags.ts'
import { magicBlock, magicTag } from './magic-blocks.ts'
import { type FieldParser, type ParseTitle, toTitle } from './parse-title.ts'
import {
  createCodeBlock,
  createExpandable,
  createImage,
  createImages,
  readInteger,
  toOptionalData,
} from './make-blocks.ts'
import { type References, resolveFileRef } from './references.ts'
import { contentRefBlock, enclosingTags, hasTagBlock, parseTagBlock } from './tag-blocks.ts'
import type { BlockTag } from './block-tag.ts'

/** Tags of legacy descriptions of API operations, which `parse-legacy-api.ts` parses. */
const legacyApiTags = [
  'swagger-description',
  'swagger-parameter',
  'swagger-response',
  'api-method',
  'api-method-summary',
  'api-method-description',
  'api-method-spec',
  'api-method-request',
  'api-method-path-parameters',
  'api-method-query-parameters',
  'api-method-body-parameters',
  'api-method-form-data-parameters',
  'api-method-headers',
  'api-method-parameter',
  'api-method-response',
  'api-method-response-example',
  'api-method-response-example-description',
]

/** Names of the tags that enclose blocks, and whether they must be closed. */
export const pairedTags: ReadonlyMap<string, 'required' | 'optional'> = new Map([
  ...enclosingTags,
  ['code', 'required'],
  [directiveTag, 'required'],
  [componentTag, 'required'],
  ...legacyApiTags.map((name) => [name, 'required'] as const),
])

/** Whether a name is that of a tag with a block, or of one inside such a tag. */
export const isKnownTag = (name: string): boolean =>
  name.startsWith('@') || name === 'page-ref' || name === magicTag || pairedTags.has(name) || hasTagBlock(name)

/** Returns the block of a tag; undefined if it has none. `inner` is undefined if the tag is not closed. */
export function tagToBlock(
  tag: BlockTag,
  inner: readonly Block[] | undefined,
  references: References,
  fields?: FieldParser,
): Block | undefined {
  if (inner === undefined && pairedTags.get(tag.name) === 'required') return undefined
  const blocks = inner ?? []
  switch (tag.name) {
    case 'code': {
      const [code] = blocks
      if (blocks.length !== 1 || code?.type !== 'code') return undefined
      return { ...code, ...toOptionalData({ ...code.data, ...readCodeOptions(tag.attributes) }) }
    }
    case directiveTag:
      return directiveToBlock(tag, blocks, fields?.parseTitle ?? toTitle)
    case componentTag:
    case emptyComponentTag:
      return undefined
    case magicTag:
      return fields && magicBlock(tag, references, fields)
    // Former name of `content-ref`.
    case 'page-ref':
      return contentRefBlock(tag.attributes['page'], references)
    default:
      return parseTagBlock(tag, blocks, references)
  }
}

/** Addresses of players by the names of components and tags that show them. */
const players: ReadonlyMap<string | undefined, string> = new Map([
  ['youtube', 'https://www.youtube.com/watch?v='],
  ['vimeo', 'https://vimeo.com/'],
])

/** Components that describe a parameter. */
const fieldComponents: ReadonlySet<string | undefined> = new Set(['paramfield', 'responsefield'])
const pictureName = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i

/** Returns what is shown of the tag of a component without a block: its title, picture or player. */
export function readComponentTitle(tag: BlockTag, references: References): Block | undefined {
  const { name, attributes } = tag
  if (name !== componentTag && name !== emptyComponentTag) return undefined
  const { component, title, href, src, alt, type, text: words } = attributes
  if (name === emptyComponentTag) {
    if (src !== undefined && pictureName.test(src))
      return createImages([createImage({ ref: resolveFileRef(references, src), ...(alt && { alt }) }, [])])
    const id = attributes['id'] ?? attributes['videoid'] ?? attributes['first']
    const player = players.get(component)
    if (player !== undefined && id)
      return parseTagBlock({ ...tag, name: 'embed', attributes: { url: player + id } }, [], references)
  }
  const field = ['path', 'query', 'body', 'header', 'name'].map((key) => attributes[key]).find(Boolean)
  if (field && fieldComponents.has(component))
    return paragraph([{ object: 'text', leaves: [leaf(field, [mark('code')]), ...(type ? [leaf(` ${type}`)] : [])] }])
  if (words && component === 'include') return paragraph([{ object: 'text', leaves: [leaf(words)] }])
  if (!title) return undefined
  const text = { object: 'text' as const, leaves: [leaf(title, [mark('bold')])] }
  if (href === undefined) return paragraph([text])
  return paragraph([{ data: { ref: references.resolve(href) }, nodes: [text], object: 'inline', type: 'link' }])
}

/** Returns the block of a tag of a plugin, whose content is code, a formula or the address of a player. */
export function readPluginBlock(tag: BlockTag, source: string, references: References): Block | undefined {
  if (tag.name !== componentTag) return undefined
  const { component, src, url = src, id, first } = tag.attributes
  const words = source.trim()
  const syntax = codeSyntaxOf(tag)
  if (syntax !== undefined && words !== '' && !/^[ \t>]*(?:```|~~~)/m.test(source))
    return createCodeBlock(source.replace(/^\s*\n|\s+$/g, ''), syntax === '' ? {} : { syntax })
  if ((component === 'math' || component === 'katex') && words !== '')
    return { object: 'block', type: 'math', isVoid: true, data: { formula: words } }
  if (component !== 'video' && !players.has(component)) return undefined
  const address = url ?? (words || (id ?? first))
  if (!address || /\s/.test(address)) return undefined
  const isWhole = /^https?:\/\//.test(address)
  if (!isWhole && !players.has(component)) return undefined
  const attributes = { url: isWhole ? address : `${players.get(component)}${address}` }
  return parseTagBlock({ ...tag, name: 'embed', attributes }, [], references)
}

function readCodeOptions(attributes: Readonly<Record<string, string>>): CodeData {
  const { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = attributes
  const collapsed = readInteger(collapsedLineCount, 0, 999_999)
  return {
    ...(title !== undefined && { title }),
    ...((overflow === 'wrap' || overflow === 'scroll') && { overflow }),
    ...(lineNumbers !== undefined && { lineNumbers: lineNumbers === 'true' }),
    ...(fullWidth === 'true' && { fullWidth: true }),
    ...(expandable !== undefined && { expandable: expandable === 'true' }),
    ...(collapsed !== undefined && { collapsedLineCount: collapsed }),
  }
}

/** Returns the block of a directive: a hint that begins with its title, an expandable, or tabs with code. */
function directiveToBlock(tag: BlockTag, blocks: readonly Block[], parseTitle: ParseTitle): Block | undefined {
  const { type, title, name, open } = tag.attributes
  if (type === plainDirective) return undefined
  if (type === 'code-group') return codeGroupToTabs(blocks)
  const words = title ?? name
  // Only titles behind the name of a directive are Markdown; those in attributes are text.
  const parse = (marks: readonly Mark[] = []) => (tag.title ? parseTitle : toTitle)(words ?? '', marks)
  if (type === 'step') {
    const heading: Block[] = words ? [{ object: 'block', type: 'heading-2', nodes: parse() }] : []
    return { object: 'block', type: 'stepper-step', nodes: [...heading, ...blocks] }
  }
  if (type === 'details') {
    const summary = paragraph(words === undefined ? toTitle('Details') : parse())
    return createExpandable(open !== undefined, [summary], blocks)
  }
  const heading = words ? [paragraph(parse([mark('bold')]))] : []
  return { object: 'block', type: 'hint', data: { style: readDirectiveStyle(type) }, nodes: [...heading, ...blocks] }
}

/** Returns tabs from code blocks whose titles are in brackets after the language: `js [config.js]`. */
function codeGroupToTabs(blocks: readonly Block[]): Block | undefined {
  if (blocks.length === 0 || !blocks.every((block): block is Code => block.type === 'code')) return undefined
  const nodes = blocks.map((code) => {
    const syntax = code.data?.syntax ?? ''
    const [, inBrackets, words] = /\[([^[\]]*)\]$|^\S+[ \t]+([^\s{}[\]="][^{}[\]="]*)$/.exec(syntax) ?? []
    const title = inBrackets ?? words ?? syntax.split(' ', 1)[0]
    return { object: 'block' as const, type: 'tabs-item' as const, ...toOptionalData({ title }), nodes: [code] }
  })
  return { object: 'block', type: 'tabs', nodes }
}
