import { leaf, mark, paragraph } from '../document/build.ts'
import type { Block, Code, CodeData } from '../document/nodes.ts'
import { componentTag, emptyComponentTag } from './components.ts'
import { directiveTag, readDirectiveStyle } from './directives.ts'
import { createExpandable, readInteger, toOptionalData } from './make-blocks.ts'
import type { References } from './references.ts'
import { contentRefBlock, enclosingTags, parseTagBlock } from './tag-blocks.ts'
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

/** Returns the block of a tag; undefined if it has none. `inner` is undefined if the tag is not closed. */
export function tagToBlock(
  tag: BlockTag,
  inner: readonly Block[] | undefined,
  references: References,
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
      return directiveToBlock(tag.attributes, blocks)
    case componentTag:
    case emptyComponentTag:
      return undefined
    // Former name of `content-ref`.
    case 'page-ref':
      return contentRefBlock(tag.attributes['page'], references)
    default:
      return parseTagBlock(tag, blocks, references)
  }
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
function directiveToBlock(attributes: Readonly<Record<string, string>>, blocks: readonly Block[]): Block | undefined {
  const { type, title, name, open } = attributes
  if (type === 'code-group') return codeGroupToTabs(blocks)
  const words = title ?? name
  if (type === 'step') {
    const text = { leaves: [leaf(words ?? '')], object: 'text' as const }
    const heading: Block[] = words ? [{ object: 'block', type: 'heading-2', nodes: [text] }] : []
    return { object: 'block', type: 'stepper-step', nodes: [...heading, ...blocks] }
  }
  if (type === 'details') {
    const summary = paragraph([{ leaves: [leaf(words ?? 'Details')], object: 'text' }])
    return createExpandable(open !== undefined, [summary], blocks)
  }
  const heading = words ? [paragraph([{ leaves: [leaf(words, [mark('bold')])], object: 'text' }])] : []
  return { object: 'block', type: 'hint', data: { style: readDirectiveStyle(type) }, nodes: [...heading, ...blocks] }
}

/** Returns tabs from code blocks whose titles are in brackets after the language: `js [config.js]`. */
function codeGroupToTabs(blocks: readonly Block[]): Block | undefined {
  if (blocks.length === 0 || !blocks.every((block): block is Code => block.type === 'code')) return undefined
  const nodes = blocks.map((code) => {
    const syntax = code.data?.syntax ?? ''
    const title = /\[([^[\]]*)\]$/.exec(syntax)?.[1] ?? syntax.split(' ', 1)[0]
    return { object: 'block' as const, type: 'tabs-item' as const, ...toOptionalData({ title }), nodes: [code] }
  })
  return { object: 'block', type: 'tabs', nodes }
}
