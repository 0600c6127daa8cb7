import type { Conflict } from '../../../../contract/change-request.ts'

/** Properties of a block, inline element or text that are needed to show it as text in a conflict. */
export interface DocumentNode {
  object: string
  type?: string
  key?: string
  data?: Readonly<Record<string, unknown>>
  nodes?: readonly DocumentNode[]
  leaves?: readonly { text: string; marks?: readonly { type: string }[] }[]
}

export const isBlock = (value: unknown): value is DocumentNode =>
  typeof value === 'object' && value !== null && (value as DocumentNode).object === 'block'

/** Returns the text of a node without its formatting. */
export const textOfNode = ({ leaves, nodes, type }: DocumentNode): string =>
  leaves
    ? leaves.map(({ text }) => text).join('')
    : (nodes ?? []).map(textOfNode).join(type === 'code' || nodes?.[0]?.object === 'block' ? '\n' : '')

const marks: Readonly<Record<string, string>> = { bold: '**', italic: '_', strikethrough: '~~' }
const headings: Readonly<Record<string, string>> = { 'heading-1': '## ', 'heading-2': '### ', 'heading-3': '#### ' }

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#|~{}]/g, '\\$&')

/** Returns the Markdown of a paragraph, heading or code block; undefined if some of its content would be lost. */
export function toMarkdown(block: DocumentNode): string | undefined {
  if (block.type === 'code') {
    const syntax = block.data?.['syntax']
    return `\`\`\`${typeof syntax === 'string' ? syntax : ''}\n${textOfNode(block)}\n\`\`\``
  }
  const start = block.type === 'paragraph' ? '' : headings[block.type ?? '']
  const text = inlineMarkdown(block.nodes ?? [])
  return start === undefined || text === undefined ? undefined : start + text
}

function inlineMarkdown(nodes: readonly DocumentNode[]): string | undefined {
  let markdown = ''
  for (const node of nodes) {
    const part = node.leaves ? leavesMarkdown(node.leaves) : linkMarkdown(node)
    if (part === undefined) return undefined
    markdown += part
  }
  return markdown
}

/** Only links to addresses have a form that does not depend on the page. */
function linkMarkdown({ type, data, nodes }: DocumentNode): string | undefined {
  const ref = data?.['ref'] as { kind?: string; url?: string } | undefined
  if (type !== 'link' || ref?.kind !== 'url') return undefined
  const text = inlineMarkdown(nodes ?? [])
  return text === undefined ? undefined : `[${text}](<${ref.url ?? ''}>)`
}

function leavesMarkdown(leaves: NonNullable<DocumentNode['leaves']>): string | undefined {
  let markdown = ''
  for (const { text, marks: types = [] } of leaves) {
    let part = types.some(({ type }) => type === 'code') ? `\`${text}\`` : escapeMarkdown(text)
    for (const { type } of types) {
      if (type === 'code') continue
      const mark = marks[type]
      if (mark === undefined) return undefined
      part = mark + part + mark
    }
    markdown += part
  }
  return markdown
}

/** Returns the initial text of the editor of a conflict: Markdown of a block, or the value of a field. */
export function readEditableText({ type, ours, field }: Conflict): string | undefined {
  if (type === 'block') return isBlock(ours) ? toMarkdown(ours) : undefined
  const isText = typeof ours === 'string' && field !== 'document'
  return isText && (type === 'field' || type === 'value') ? ours : undefined
}
