import { type RootContent, parseMdast } from './mdast.ts'
import { escapeLineStarts, encodeEdgeSpaces } from './escape.ts'
import { mayHaveForeignSpans } from './foreign-spans.ts'
import type { InlineContext } from './inline-context.ts'
import { parseInlines } from './parse-inlines.ts'

/** Maximum total length of the compared texts; comparing longer ones would take as long as parsing a page. */
const maxLength = 20_000

/** Whether two texts of a block are parsed as the same inlines, both in a paragraph and in a heading or cell. */
export function parseToSameInlines(one: string, other: string): boolean {
  if (one.length + other.length > maxLength || mayHaveForeignSpans(one)) return false
  return (
    parseToSameParagraph(one, other) &&
    (!one.includes('\n') || parseToSameParagraph(withBreakTags(one), withBreakTags(other)))
  )
}

const withBreakTags = (text: string) => text.replace(/\\\n/g, '<br>')

/** Whether two paragraphs are parsed as the same inlines; they are parsed in one pass, with a divider that neither can change. */
function parseToSameParagraph(one: string, other: string): boolean {
  const [first, second] = [paragraph(one), paragraph(other)]
  const source = `${first}\n\n<!-- -->\n\n${second}`
  const nodes = parseMdast(source).children
  const divider = nodes.findIndex((node) => node.type === 'html' && node.value === '<!-- -->')
  if (divider !== 1 || nodes.length !== 3) return false
  const context = contextOf(source)
  return serializeNode(nodes[0] as RootContent, context) === serializeNode(nodes[2] as RootContent, context)
}

const paragraph = (text: string) => encodeEdgeSpaces(escapeLineStarts(text))

function serializeNode(node: RootContent, context: InlineContext): string {
  if (node.type === 'paragraph') return JSON.stringify(parseInlines(node.children, context))
  return 'value' in node ? `${node.type} ${node.value}` : node.type
}

/** Returns a context in which destinations and footnotes are identified by their source: the same in both texts. */
function contextOf(source: string): InlineContext {
  return {
    source,
    references: { resolve: (url) => ({ kind: 'url', url }), print: () => '' },
    findFootnote: (label) => ({ object: 'fragment', fragment: label, type: 'annotation-body', nodes: [] }),
    findDefinition: () => undefined,
  }
}
