import type { Code, CodeLine, InlineNode } from '../content/document/nodes.ts'
import { plainText } from '../content/document/text.ts'
import { codeText } from '../content/document/code-text.ts'
import { type Html, attributes, markup, trusted } from './html.ts'
import { type InlineRenderer, joinClasses } from './inlines.ts'
import type { RenderContext } from './render-context.ts'

const defaultCollapsedLineCount = 10

/** Renders a code block with its title, line numbers, highlighted lines and copy button. */
export function renderCode(code: Code, context: RenderContext, inlines: InlineRenderer): Html {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = code.data ?? {}
  if (syntax?.trim().toLowerCase() === 'mermaid') return renderDiagram(code, context)
  const lines = renderLines(code, context, inlines)
  const shown = Math.max(collapsedLineCount ?? defaultCollapsedLineCount, 1)
  const className = joinClasses(
    'code',
    lineNumbers && 'with-numbers',
    overflow === 'wrap' && 'wrapped',
    fullWidth && 'full-width',
    title !== undefined && 'titled',
  )
  // The column is as wide as the last line number.
  const digits = lineNumbers ? `--digits:${String(lines.length).length}` : undefined
  const pre = markup`<pre${attributes(scrollableAttributes(code, context))}><code>${lines}</code></pre>`
  const body = expandable === true && lines.length > shown ? renderCollapsed(pre, shown, context) : pre
  return markup`<figure${attributes({ class: className, style: digits, 'data-code': true })}>${title !== undefined && markup`<figcaption>${title}</figcaption>`}${copyButton(context)}${body}</figure>`
}

/** Makes wide code scrollable by keyboard, which requires an accessible name. */
const scrollableAttributes = ({ data }: Code, { texts }: RenderContext) => ({
  tabindex: 0,
  role: 'group',
  'aria-label': data?.title ?? texts.code,
})

/** Renders the source of a diagram; a script replaces it with the drawing. */
function renderDiagram(code: Code, context: RenderContext): Html {
  const { title, fullWidth } = code.data ?? {}
  const className = joinClasses('mermaid', fullWidth && 'full-width')
  const { diagram, zoomDiagram } = context.texts
  const enlarge = markup`<button${attributes({ type: 'button', class: 'enlarge', 'aria-label': zoomDiagram, title: zoomDiagram, hidden: true })}>${context.icon('expand')}</button>`
  return markup`<figure${attributes({ class: className, 'data-mermaid': title ?? diagram, 'data-src': context.mermaidScript() })}>${enlarge}<pre${attributes(scrollableAttributes(code, context))}><code>${codeText(code)}</code></pre>${title !== undefined && markup`<figcaption>${title}</figcaption>`}</figure>`
}

function renderLines(code: Code, context: RenderContext, inlines: InlineRenderer): readonly Html[] {
  const highlightedLines = context.highlighted(codeText(code), code.data?.syntax)
  // A line that was split has no highlighted line with the same number.
  const usableLines = highlightedLines?.length === code.nodes.length ? highlightedLines : []
  const lineChanges =
    context.changes?.lines.get(code.nodes) ?? code.nodes.map((line) => ({ kind: 'equal', line }) as const)
  let index = 0
  return lineChanges.map(({ kind, line: { data, nodes } }) => {
    // Removed lines are not part of the highlighted text.
    const highlightedLine = kind === 'removed' ? undefined : usableLines[index++]
    const content = highlightedLine
      ? renderHighlightedLine(nodes, highlightedLine, context, inlines)
      : inlines.render(nodes)
    const lineAttributes = attributes({ class: joinClasses('line', data?.highlighted && 'highlighted') })
    if (kind === 'removed') return markup`<del${lineAttributes}>${content}</del>\n`
    return kind === 'added'
      ? markup`<ins${lineAttributes}>${content}</ins>\n`
      : markup`<span${lineAttributes}>${content}</span>\n`
  })
}

function renderHighlightedLine(
  nodes: CodeLine['nodes'],
  line: Html,
  context: RenderContext,
  inlines: InlineRenderer,
): Html {
  return nodes.every(isPlain) ? line : renderHighlightedNodes(nodes, new LineSplitter(line), context, inlines)
}

const isPlain = (node: InlineNode): boolean =>
  node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0)

/** Combines the highlighting of a line with the marks and inlines in it; marks win. */
function renderHighlightedNodes(
  nodes: readonly InlineNode[],
  line: LineSplitter,
  context: RenderContext,
  inlines: InlineRenderer,
): Html {
  const renderInner = (inner: readonly InlineNode[]) => renderHighlightedNodes(inner, line, context, inlines)
  const pieces = nodes.map((node) => {
    if (node.object === 'inline' && node.type === 'annotation')
      return inlines.renderAnnotation(node, () => renderInner(node.nodes))
    if (node.object === 'inline' && node.type === 'link')
      return inlines.renderLink(context.resolveLink(node.data.ref), () => renderInner(node.nodes))
    const highlightedText = line.take(plainText([node]).length)
    return isPlain(node) ? highlightedText : inlines.render([node])
  })
  return markup`${pieces}`
}

/** Splits the HTML of a highlighted line at offsets of its visible text. Elements that span an offset are closed and reopened. */
class LineSplitter {
  readonly #parts: IterableIterator<RegExpExecArray>
  #part: string | undefined
  #openTag = ''

  constructor(line: Html) {
    this.#parts = line.text.matchAll(/<[^>]*>|&[^;]*;|[^<&]+/g)
    this.#part = this.#nextPart()
  }

  take(length: number): Html {
    let text = this.#openTag
    for (let remaining = length; this.#part !== undefined;) {
      const part = this.#part
      const isTag = part.startsWith('<')
      // An element that opens after the last character belongs to the next piece.
      if (remaining === 0 && !(isTag && part.startsWith('</'))) break
      const size = isTag ? 0 : part.startsWith('&') ? 1 : part.length
      if (size > remaining) {
        text += part.slice(0, remaining)
        this.#part = part.slice(remaining)
        break
      }
      text += part
      remaining -= size
      if (isTag) this.#openTag = part.startsWith('</') ? '' : part
      this.#part = this.#nextPart()
    }
    return trusted(this.#openTag === '' ? text : `${text}</span>`)
  }

  #nextPart(): string | undefined {
    return this.#parts.next().value?.[0]
  }
}

const copyButton = ({ texts }: RenderContext): Html =>
  markup`<button type="button" class="copy" data-copy data-scripted>${texts.copy}</button>`

/** Wraps long code that is collapsed at first; works without scripts. */
function renderCollapsed(pre: Html, count: number, context: RenderContext): Html {
  const { texts } = context
  const id = context.newId('code')
  return markup`<input type="checkbox" class="unfold" id="${id}"><div class="fold" style="--lines:${count}">${pre}</div><label for="${id}"><span class="more">${texts.showMore}</span><span class="less">${texts.showLess}</span></label>`
}
