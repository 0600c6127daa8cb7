import { leaf, paragraph } from '../document/build.ts'
import type { Block, ContentRef, Fragment } from '../document/nodes.ts'
import { escapeAttribute } from './html.ts'
import type { PrintContext } from './print-inlines.ts'

type Attributes = Record<string, string | number | boolean | undefined>

/** A block that is written as a tag: `{% name key="value" %}` in Markdown, and a `<div>` in HTML. */
export interface BlockTag {
  name: string
  attributes: Attributes
  /** What stands behind the name in place of attributes; the attributes are its form in HTML. */
  argument?: string
  /** What it encloses; undefined when it is never closed. */
  blocks?: readonly Block[]
  /** Whether it is closed only when it encloses something. */
  mayStandAlone?: boolean
}

export type TagBlock = Extract<
  Block,
  {
    type:
      | 'hint'
      | 'prompt'
      | 'tabs'
      | 'tabs-item'
      | 'stepper'
      | 'stepper-step'
      | 'columns'
      | 'column'
      | 'updates'
      | 'update'
      | 'if'
      | 'file'
      | 'embed'
      | 'content-ref'
      | 'reusable-content'
      | 'integration'
      | 'swagger'
      | 'openapi-operation'
      | 'openapi-webhook'
      | 'openapi-schemas'
  }
>

export function tagOf(block: TagBlock, { references }: PrintContext): BlockTag {
  switch (block.type) {
    case 'hint':
      return { name: 'hint', attributes: { style: block.data.style, icon: block.data.icon }, blocks: block.nodes }
    case 'prompt': {
      const { description, icon, openInAIProviders, defaultExpanded } = block.data ?? {}
      const attributes = { description, icon, openInAIProviders, defaultExpanded }
      return { name: 'prompt', attributes, blocks: block.nodes }
    }
    case 'tabs':
    case 'columns':
      return { name: block.type, attributes: { fullWidth: block.data?.fullWidth }, blocks: block.nodes }
    case 'tabs-item': {
      const { title = '', icon, slug } = block.data ?? {}
      return { name: 'tab', attributes: { title, icon, slug }, blocks: block.nodes }
    }
    case 'stepper':
      return { name: 'stepper', attributes: {}, blocks: block.nodes }
    case 'stepper-step':
      return { name: 'step', attributes: { icon: block.data?.icon }, blocks: block.nodes }
    case 'column': {
      const { width, verticalAlignment } = block.data ?? {}
      const written = typeof width === 'object' ? `${width.value}${width.unit}` : width
      return { name: 'column', attributes: { width: written, valign: verticalAlignment }, blocks: block.nodes }
    }
    case 'updates':
      return { name: 'updates', attributes: { format: block.data?.format }, blocks: block.nodes }
    case 'update': {
      const { date, tags } = block.data ?? {}
      return { name: 'update', attributes: { date, tags: tags?.join(',') }, blocks: block.nodes }
    }
    case 'if': {
      // Tags end with their line.
      const expression = block.data.expression.replace(/\s*[\r\n]+\s*/g, ' ')
      return { name: 'if', attributes: { expression }, argument: expression, blocks: block.nodes }
    }
    case 'file': {
      const src = references.write(block.data.ref)
      return { name: 'file', attributes: { src }, blocks: captionOf(block.fragments), mayStandAlone: true }
    }
    case 'embed': {
      const { url, fullWidth } = block.data
      return { name: 'embed', attributes: { url, fullWidth }, blocks: captionOf(block.fragments), mayStandAlone: true }
    }
    case 'content-ref': {
      const url = references.write(block.data.ref)
      return { name: 'content-ref', attributes: { url }, blocks: [linkTo(block.data.ref, lastPart(url))] }
    }
    case 'reusable-content': {
      const path = references.write(block.data.ref)
      return { name: 'include', attributes: { path }, argument: `"${path}"` }
    }
    case 'integration': {
      const { integration, block: name, props, url, fullWidth } = block.data
      return { name: `@${integration}/${name}`, attributes: { ...textsOf(props), url, fullWidth } }
    }
    case 'swagger': {
      const { ref, path, method, expanded, fullWidth } = block.data
      const src = references.write(ref)
      return {
        name: 'openapi',
        attributes: { src, path, method, expanded, fullWidth },
        blocks: [linkTo(ref, src)],
      }
    }
    case 'openapi-operation': {
      const { ref, path, method } = block.data
      return { name: block.type, attributes: { spec: ref.spec, path, method }, blocks: [linkToSpec(ref)] }
    }
    case 'openapi-webhook': {
      const { ref, name, method } = block.data
      return { name: block.type, attributes: { spec: ref.spec, name, method }, blocks: [linkToSpec(ref)] }
    }
    case 'openapi-schemas': {
      const { ref, schemas, grouped, title } = block.data
      const attributes = { spec: ref.spec, schemas: schemas.join(','), grouped }
      return { name: block.type, attributes, blocks: title ? [says(title)] : [] }
    }
  }
}

const says = (text: string) => paragraph([{ object: 'text', leaves: [leaf(text)] }])

function linkTo(ref: ContentRef, text: string): Block {
  const nodes = [{ object: 'text' as const, leaves: [leaf(text)] }]
  return paragraph([{ object: 'inline', type: 'link', data: { ref }, nodes }])
}

const linkToSpec = (ref: Extract<ContentRef, { kind: 'openapi' }>) =>
  linkTo({ kind: 'url', url: `/openapi/${ref.spec}` }, `OpenAPI ${ref.spec}`)

export const captionOf = (fragments: readonly Fragment[] | undefined) => (fragments ?? []).flatMap(({ nodes }) => nodes)

function lastPart(destination: string): string {
  return destination.replace(/\/$/, '').split('/').at(-1) || destination
}

/** Properties that can be written as attributes. */
function textsOf(props: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(
    Object.entries(props)
      .filter(([name]) => /^[\w-]+$/.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

function writtenAttributes(attributes: Attributes): [name: string, value: string][] {
  return Object.entries(attributes).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === false ? [] : [[name, String(value)]],
  )
}

/** A tag in Markdown; `inner` is what it encloses. */
export function printTag({ name, attributes, argument, blocks, mayStandAlone }: BlockTag, inner: string): string {
  const written =
    argument ??
    writtenAttributes(attributes)
      .map(([key, value]) => `${key}="${value.replace(/[\\"]/g, '\\$&')}"`)
      .join(' ')
  const opening = `{% ${written === '' ? name : `${name} ${written}`} %}`
  if (!blocks || (mayStandAlone && inner === '')) return opening
  return [opening, ...(inner === '' ? [] : [inner]), `{% end${name} %}`].join('\n')
}

/** A tag in HTML, where it shows at least a link to what it shows. */
export function printHtmlTag({ name, attributes, mayStandAlone }: BlockTag, inner: string): string {
  const written = writtenAttributes(attributes).map(([key, value]) => ` data-${key}="${escapeAttribute(value)}"`)
  const address = escapeAttribute(String(attributes['url'] ?? attributes['src'] ?? ''))
  const link = mayStandAlone ? `<a href="${address}">${address}</a>` : ''
  return `<div data-gb-custom-block data-tag="${escapeAttribute(name)}"${written.join('')}>${link}${inner}</div>`
}
