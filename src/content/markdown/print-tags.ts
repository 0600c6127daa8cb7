import { leaf, paragraph } from '../document/build.ts'
import type { Block, Fragment, OpenApiOperation } from '../document/nodes.ts'
import { escapeText, linkDestination } from './escape.ts'
import { escapeAttribute, escapeHtml } from './html.ts'
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
  /** What it shows to readers who do not know the tag; it is not read back. */
  link?: { text: string; destination: string }
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
      return { name: 'update', attributes: { date, tags: tags?.map(({ tag }) => tag).join(',') }, blocks: block.nodes }
    }
    case 'if': {
      // Tags end with their line.
      const expression = block.data.expression.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? ' ' : blanks))
      return { name: 'if', attributes: { expression }, argument: expression, blocks: block.nodes }
    }
    case 'file': {
      const src = references.write(block.data.ref)
      const link = { text: src, destination: src }
      return { name: 'file', attributes: { src }, blocks: captionOf(block.fragments), link, mayStandAlone: true }
    }
    case 'embed': {
      const { url, fullWidth } = block.data
      const link = { text: url, destination: url }
      const blocks = captionOf(block.fragments)
      return { name: 'embed', attributes: { url, fullWidth }, blocks, link, mayStandAlone: true }
    }
    case 'content-ref': {
      const url = references.write(block.data.ref)
      return { name: 'content-ref', attributes: { url }, blocks: [], link: linkTo(url) }
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
      const link = isAddress(src) ? { text: src, destination: src } : linkTo(src)
      return { name: 'openapi', attributes: { src, path, method, expanded, fullWidth }, blocks: [], link }
    }
    case 'openapi-operation': {
      const { ref, path, method } = block.data
      return { name: block.type, attributes: { spec: ref.spec, path, method }, blocks: [], link: linkToSpec(ref) }
    }
    case 'openapi-webhook': {
      const { ref, name, method } = block.data
      return { name: block.type, attributes: { spec: ref.spec, name, method }, blocks: [], link: linkToSpec(ref) }
    }
    case 'openapi-schemas': {
      const { ref, schemas, grouped, title } = block.data
      const attributes = { spec: ref.spec, schemas: schemas.join(','), grouped }
      return { name: block.type, attributes, blocks: title ? [says(title)] : [] }
    }
  }
}

const says = (text: string) => paragraph([{ object: 'text', leaves: [leaf(text)] }])

const isAddress = (destination: string) => /^[a-z][a-z0-9+.-]*:/i.test(destination)

/** A link by the name of a file. */
function linkTo(destination: string): NonNullable<BlockTag['link']> {
  return { text: destination.replace(/\/$/, '').split('/').at(-1) || destination, destination }
}

const linkToSpec = ({ spec }: OpenApiOperation['data']['ref']) => ({
  text: `OpenAPI ${spec}`,
  destination: `/openapi/${spec}`,
})

export const captionOf = (fragments: readonly Fragment[] | undefined) => (fragments ?? []).flatMap(({ nodes }) => nodes)

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
export function printTag(tag: BlockTag, inner: string): string {
  const { name, blocks, mayStandAlone } = tag
  const opening = printTagOpening(tag)
  if (!blocks || (mayStandAlone && inner === '')) return opening
  const shown = inner === '' && tag.link ? printLink(tag.link) : inner
  return [opening, ...(shown === '' ? [] : [shown]), `{% end${name} %}`].join('\n')
}

export function printTagOpening({ name, attributes, argument }: BlockTag): string {
  const written =
    argument ??
    writtenAttributes(attributes)
      .map(([key, value]) => `${key}="${value.replace(/[\\"]/g, '\\$&')}"`)
      .join(' ')
  return `{% ${written === '' ? name : `${name} ${written}`} %}`
}

function printLink({ text, destination }: NonNullable<BlockTag['link']>): string {
  // The names of most files need no backslashes, and exporters write none.
  const label = /^[\w .:/+-]*$/.test(text) ? text : escapeText(text).replace(/\s+/g, ' ')
  return `[${label}](${linkDestination(destination)})`
}

/** A tag in HTML. */
export function printHtmlTag({ name, attributes, link }: BlockTag, inner: string): string {
  const written = writtenAttributes(attributes).map(([key, value]) => ` data-${key}="${escapeAttribute(value)}"`)
  const shown = link ? `<a href="${escapeAttribute(link.destination)}">${escapeHtml(link.text)}</a>` : ''
  return `<div data-gb-custom-block data-tag="${escapeAttribute(name)}"${written.join('')}>${shown}${inner}</div>`
}
