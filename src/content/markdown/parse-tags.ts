import type {
  Block,
  CodeData,
  Column,
  Fragment,
  HintStyle,
  Prompt,
  StepperStep,
  TabsItem,
  Update,
} from '../document/nodes.ts'
import { plainText } from '../document/text.ts'
import { codeBlock, literal, readInteger, readLength, withData } from './make-blocks.ts'
import { type References, readFileRef } from './references.ts'
import type { Tag } from './tags.ts'

/** Tags that enclose blocks; those with `optional` may also stand alone. */
export const pairedTags = new Map<string, { optional?: true }>(
  Object.entries({
    hint: {},
    code: {},
    tabs: {},
    tab: {},
    stepper: {},
    step: {},
    columns: {},
    column: {},
    updates: {},
    update: {},
    if: {},
    prompt: {},
    'content-ref': {},
    'openapi-operation': {},
    'openapi-schemas': {},
    'openapi-webhook': {},
    openapi: { optional: true },
    swagger: { optional: true },
    embed: { optional: true },
    file: { optional: true },
    'swagger-description': {},
    'swagger-parameter': {},
    'swagger-response': {},
    'api-method': {},
    'api-method-summary': {},
    'api-method-description': {},
    'api-method-spec': {},
    'api-method-request': {},
    'api-method-path-parameters': {},
    'api-method-query-parameters': {},
    'api-method-body-parameters': {},
    'api-method-form-data-parameters': {},
    'api-method-headers': {},
    'api-method-parameter': {},
    'api-method-response': {},
    'api-method-response-example': {},
    'api-method-response-example-description': {},
  }),
)

const hintStyles = new Set<string>(['info', 'warning', 'danger', 'success'])

/** The block of a tag; undefined when the tag means nothing as it stands. `inner` is undefined when it is not closed. */
export function readTag(
  { name, attributes, rest }: Tag,
  inner: readonly Block[] | undefined,
  references: References,
): Block | undefined {
  const paired = pairedTags.get(name)
  if (inner === undefined && paired && !paired.optional) return undefined
  const blocks = inner ?? []
  const flag = (key: string) => attributes[key] === 'true'
  const fullWidth = flag('fullWidth') ? { fullWidth: true } : {}

  switch (name) {
    case 'hint': {
      const style = (hintStyles.has(attributes['style'] ?? '') ? attributes['style'] : 'info') as HintStyle
      return { object: 'block', type: 'hint', data: { style, ...pick(attributes, 'icon') }, nodes: blocks }
    }
    case 'code': {
      const [code] = blocks
      if (blocks.length !== 1 || code?.type !== 'code') return undefined
      return { ...code, ...withData({ ...code.data, ...readCodeOptions(attributes) }) }
    }
    case 'tabs':
      return { object: 'block', type: 'tabs', ...withData(fullWidth), nodes: items(blocks, 'tabs-item', untitledTab) }
    case 'tab':
      return {
        object: 'block',
        type: 'tabs-item',
        ...withData(pick(attributes, 'title', 'icon', 'slug')),
        nodes: blocks,
      }
    case 'stepper':
      return { object: 'block', type: 'stepper', nodes: items(blocks, 'stepper-step', plainStep) }
    case 'step':
      return { object: 'block', type: 'stepper-step', ...withData(pick(attributes, 'icon')), nodes: blocks }
    case 'columns':
      return { object: 'block', type: 'columns', ...withData(fullWidth), nodes: items(blocks, 'column', plainColumn) }
    case 'column':
      return { object: 'block', type: 'column', ...withData(readColumn(attributes)), nodes: blocks }
    case 'updates': {
      const format = attributes['format']
      const data = format === 'full' || format === 'short' || format === 'numeric' ? ({ format } as const) : {}
      return { object: 'block', type: 'updates', ...withData(data), nodes: items(blocks, 'update', plainUpdate) }
    }
    case 'update': {
      const tags = attributes['tags']
        ?.split(',')
        .map((one) => one.trim())
        .filter(Boolean)
        .map((tag) => ({ kind: 'tag', tag }) as const)
      return {
        object: 'block',
        type: 'update',
        data: { date: attributes['date'] ?? '', ...(tags && { tags }) },
        nodes: blocks,
      }
    }
    case 'if':
      return { object: 'block', type: 'if', data: { expression: rest }, nodes: blocks }
    case 'prompt': {
      const expanded = attributes['defaultExpanded']
      return {
        object: 'block',
        type: 'prompt',
        ...withData<NonNullable<Prompt['data']>>({
          ...pick(attributes, 'description', 'icon'),
          ...(attributes['openInAIProviders'] !== undefined && { openInAIProviders: flag('openInAIProviders') }),
          ...((expanded === 'hidden' || expanded === 'partial' || expanded === 'full') && {
            defaultExpanded: expanded,
          }),
        }),
        nodes: blocks,
      }
    }
    case 'content-ref':
      return attributes['url'] === undefined
        ? undefined
        : { object: 'block', type: 'content-ref', isVoid: true, data: { ref: references.read(attributes['url']) } }
    case 'page-ref':
      return attributes['page'] === undefined
        ? undefined
        : { object: 'block', type: 'content-ref', isVoid: true, data: { ref: references.read(attributes['page']) } }
    case 'embed':
      if (attributes['url'] === undefined) return undefined
      return {
        object: 'block',
        type: 'embed',
        isVoid: true,
        data: { url: attributes['url'], ...fullWidth },
        ...caption(blocks, attributes),
      }
    case 'file':
      if (attributes['src'] === undefined) return undefined
      return {
        object: 'block',
        type: 'file',
        isVoid: true,
        data: { ref: readFileRef(references, attributes['src']) },
        ...caption(blocks, attributes),
      }
    case 'include': {
      const path = /^"([^"]*)"$/.exec(rest)?.[1]
      return path === undefined
        ? undefined
        : { object: 'block', type: 'reusable-content', isVoid: true, data: { ref: references.read(path) } }
    }
    case 'openapi':
    case 'swagger':
      if (attributes['src'] === undefined) return undefined
      return {
        object: 'block',
        type: 'swagger',
        isVoid: true,
        data: {
          ref: readFileRef(references, attributes['src']),
          ...pick(attributes, 'path', 'method'),
          ...(flag('expanded') && { expanded: true }),
          ...fullWidth,
        },
      }
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook':
      return readSpecTag(name, attributes, blocks)
    default:
      return name.startsWith('@') ? readIntegration(name, attributes) : undefined
  }
}

function readSpecTag(
  name: 'openapi-operation' | 'openapi-schemas' | 'openapi-webhook',
  attributes: Readonly<Record<string, string>>,
  blocks: readonly Block[],
): Block | undefined {
  const { spec, path, method, schemas, name: hook, grouped } = attributes
  if (spec === undefined) return undefined
  const ref = { kind: 'openapi', spec } as const
  if (name === 'openapi-operation') {
    if (path === undefined || method === undefined) return undefined
    return { object: 'block', type: name, isVoid: true, data: { ref, path, method } }
  }
  if (name === 'openapi-webhook') {
    if (hook === undefined || method === undefined) return undefined
    return { object: 'block', type: name, isVoid: true, data: { ref, name: hook, method } }
  }
  const [title] = blocks
  const text = title?.type === 'paragraph' ? plainText(title.nodes) : ''
  return {
    object: 'block',
    type: name,
    isVoid: true,
    data: {
      ref,
      schemas: (schemas ?? '')
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
      ...(grouped !== undefined && { grouped: grouped === 'true' }),
      ...(text !== '' && { title: text }),
    },
  }
}

function readIntegration(name: string, attributes: Readonly<Record<string, string>>): Block | undefined {
  const [integration, block] = name.slice(1).split('/')
  if (!integration || !block) return undefined
  if (integration === 'mermaid' && block === 'diagram' && attributes['content'] !== undefined) {
    return codeBlock(attributes['content'], { syntax: 'mermaid' })
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
}

const untitledTab = (nodes: readonly Block[]): TabsItem => ({ object: 'block', type: 'tabs-item', nodes })
const plainStep = (nodes: readonly Block[]): StepperStep => ({ object: 'block', type: 'stepper-step', nodes })
const plainColumn = (nodes: readonly Block[]): Column => ({ object: 'block', type: 'column', nodes })
const plainUpdate = (nodes: readonly Block[]): Update => ({
  object: 'block',
  type: 'update',
  data: { date: '' },
  nodes,
})

/** The items of a container. What stands between them goes into the item before it, or into one of its own. */
function items<Item extends TabsItem | StepperStep | Column | Update>(
  blocks: readonly Block[],
  type: Item['type'],
  make: (nodes: readonly Block[]) => Item,
): Item[] {
  const found: { item: Item | undefined; nodes: Block[] }[] = []
  for (const block of blocks) {
    const last = found.at(-1)
    if (block.type === type) found.push({ item: block as Item, nodes: [] })
    else if (last) last.nodes.push(block)
    else found.push({ item: undefined, nodes: [block] })
  }
  return found.map(({ item, nodes }) => {
    if (!item) return make(nodes)
    return nodes.length === 0 ? item : { ...item, nodes: [...item.nodes, ...nodes] }
  })
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

function readColumn(attributes: Readonly<Record<string, string>>): NonNullable<Column['data']> {
  const width = readLength(attributes['width'])
  const alignment = attributes['valign'] ?? attributes['verticalAlignment']
  return {
    ...(width !== undefined && { width: typeof width === 'number' ? { unit: 'px', value: width } : width }),
    ...((alignment === 'top' || alignment === 'middle' || alignment === 'bottom') && { verticalAlignment: alignment }),
  }
}

function caption(
  blocks: readonly Block[],
  attributes: Readonly<Record<string, string>>,
): { fragments?: readonly Fragment[] } {
  const written = attributes['caption'] ? [literal(attributes['caption'])] : []
  const nodes = blocks.length > 0 ? blocks : written
  return nodes.length === 0 ? {} : { fragments: [{ object: 'fragment', type: 'caption', nodes }] }
}

function pick<Key extends string>(
  attributes: Readonly<Record<string, string>>,
  ...keys: Key[]
): { [K in Key]?: string } {
  return Object.fromEntries(keys.flatMap((key) => (attributes[key] ? [[key, attributes[key]]] : []))) as {
    [K in Key]?: string
  }
}
