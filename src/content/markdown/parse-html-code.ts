import { leaf } from '../document/build.ts'
import type { Block, Code, CodeData, InlineNode } from '../document/nodes.ts'
import { joinTexts } from '../document/text.ts'
import { type HtmlElement, type HtmlNode, isNonBlankText } from './html.ts'
import type { HtmlContext } from './inline-context.ts'
import { readInteger, toOptionalData } from './make-blocks.ts'
import { parseHtmlInlines } from './parse-inlines.ts'

/** Parses code in HTML, which can contain highlighted lines, annotations and expressions. */
export function readPre(pre: HtmlElement, source: string, context: HtmlContext): Block | undefined {
  const only = pre.children.filter((node) => node.type === 'element' || isNonBlankText(node))
  const [first] = only
  const code = only.length === 1 && first?.type === 'element' && first.name === 'code' ? first : pre
  const syntax = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(
    `${code.attributes['class'] ?? ''} ${pre.attributes['class'] ?? ''}`,
  )?.[1]
  const { attributes } = pre
  const collapsedLineCount = readInteger(attributes['data-collapsed-line-count'], 0, 999_999)
  const data: CodeData = {
    ...(syntax !== undefined && { syntax }),
    ...(attributes['data-title'] !== undefined && { title: attributes['data-title'] }),
    ...((attributes['data-overflow'] === 'wrap' || attributes['data-overflow'] === 'scroll') && {
      overflow: attributes['data-overflow'],
    }),
    ...(attributes['data-line-numbers'] !== undefined && { lineNumbers: true }),
    ...(attributes['data-full-width'] === 'true' && { fullWidth: true }),
    ...(attributes['data-expandable'] === 'true' && { expandable: true }),
    ...(collapsedLineCount !== undefined && { collapsedLineCount }),
  }
  return {
    object: 'block',
    type: 'code',
    ...toOptionalData(data),
    nodes: readCodeLines(code.children, source, context, code === pre),
  }
}

function readCodeLines(
  nodes: readonly HtmlNode[],
  source: string,
  context: HtmlContext,
  isPre: boolean,
): Code['nodes'] {
  const lines: { nodes: InlineNode[]; highlighted: boolean }[] = [{ nodes: [], highlighted: false }]
  const current = () => lines[lines.length - 1] as (typeof lines)[number]
  const addText = (text: string, highlighted: boolean) => {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push({ nodes: [], highlighted: false })
      if (part !== '') current().nodes.push({ leaves: [leaf(part)], object: 'text' })
      if (highlighted && part !== '') current().highlighted = true
    })
  }
  const add = (children: readonly HtmlNode[], highlighted: boolean): void => {
    for (const node of children) {
      if (node.type === 'text') addText(node.value, highlighted)
      else if (node.type === 'element' && node.name === 'br') addText('\n', highlighted)
      else if (node.type === 'element' && node.name === 'strong') add(node.children, true)
      else {
        for (const inline of parseHtmlInlines([node], source, context)) current().nodes.push(inline)
        if (highlighted) current().highlighted = true
      }
    }
  }
  add(nodes, false)
  // HTML ignores a line break directly after the opening tag of `<pre>`.
  if (lines.length > 1 && lines[0]?.nodes.length === 0 && source[nodes[0]?.start ?? 0] === '\n' && isPre) lines.shift()
  if (lines.length > 1 && current().nodes.length === 0) lines.pop()
  return lines.map(({ nodes: inlines, highlighted }) => ({
    object: 'block',
    type: 'code-line',
    ...(highlighted && { data: { highlighted } }),
    nodes: joinTexts(inlines),
  }))
}
