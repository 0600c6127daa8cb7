import { escapeMarkdown, printLinkDestination } from './escape.ts'
import { escapeAttribute, escapeHtml } from './html.ts'
import type { PrintedTag, TagAttributes } from './tag-blocks.ts'

function stringifyAttributes(attributes: TagAttributes): [name: string, value: string][] {
  return Object.entries(attributes).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === false ? [] : [[name, String(value)]],
  )
}

/** Prints a tag in Markdown; `inner` is its content. */
export function printMarkdownTag(tag: PrintedTag, inner: string): string {
  const { name, blocks, omitsClosingIfEmpty } = tag
  const opening = printTagOpening(tag)
  if (!blocks || (omitsClosingIfEmpty && inner === '')) return opening
  const shown = inner === '' && tag.link ? printLink(tag.link) : inner
  return [opening, ...(shown === '' ? [] : [shown]), `{% end${name} %}`].join('\n')
}

export function printTagOpening({ name, attributes, argument }: PrintedTag): string {
  const written =
    argument ??
    stringifyAttributes(attributes)
      .map(([key, value]) => `${key}="${value.replace(/[\\"]/g, '\\$&')}"`)
      .join(' ')
  return `{% ${written === '' ? name : `${name} ${written}`} %}`
}

function printLink({ text, destination }: NonNullable<PrintedTag['link']>): string {
  // Most file names need no backslashes, and exporters do not write any.
  const label = /^[\w .:/+-]*$/.test(text) ? text : escapeMarkdown(text).replace(/\s+/g, ' ')
  return `[${label}](${printLinkDestination(destination)})`
}

/** Prints a tag as HTML. */
export function printHtmlTag({ name, attributes, link }: PrintedTag, inner: string): string {
  const written = stringifyAttributes(attributes).map(([key, value]) => ` data-${key}="${escapeAttribute(value)}"`)
  const shown = link ? `<a href="${escapeAttribute(link.destination)}">${escapeHtml(link.text)}</a>` : ''
  return `<div data-gb-custom-block data-tag="${escapeAttribute(name)}"${written.join('')}>${shown}${inner}</div>`
}
