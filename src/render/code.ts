import type { Code, CodeLine, InlineNode } from '../content/document/nodes.ts'
import { plainText } from '../content/document/text.ts'
import { codeText } from './codes.ts'
import { type Html, attributes, markup, trusted } from './html.ts'
import { type Inlines, classes } from './inlines.ts'
import type { Setting } from './setting.ts'

const collapsedLines = 10

/** Renders a code block with its title, line numbers, highlighted lines and copy button. */
export function renderCode(code: Code, setting: Setting, inlines: Inlines): Html {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = code.data ?? {}
  if (syntax?.trim().toLowerCase() === 'mermaid') return renderDiagram(code, setting)
  const lines = renderLines(code, setting, inlines)
  const shown = Math.max(collapsedLineCount ?? collapsedLines, 1)
  const look = classes(
    'code',
    lineNumbers && 'with-numbers',
    overflow === 'wrap' && 'wrapped',
    fullWidth && 'full-width',
    title !== undefined && 'titled',
  )
  // The column is as wide as the last line number.
  const digits = lineNumbers ? `--digits:${String(lines.length).length}` : undefined
  const pre = markup`<pre${attributes(scrollableAttributes(code, setting))}><code>${lines}</code></pre>`
  const body = expandable === true && lines.length > shown ? collapsed(pre, shown, setting) : pre
  return markup`<figure${attributes({ class: look, style: digits, 'data-code': true })}>${title !== undefined && markup`<figcaption>${title}</figcaption>`}${copyButton(setting)}${body}</figure>`
}

/** Makes wide code scrollable by keyboard, which requires an accessible name. */
const scrollableAttributes = ({ data }: Code, { texts }: Setting) => ({
  tabindex: 0,
  role: 'group',
  'aria-label': data?.title ?? texts.code,
})

/** Renders the source of a diagram; a script replaces it with the drawing. */
function renderDiagram(code: Code, setting: Setting): Html {
  const { title, fullWidth } = code.data ?? {}
  const look = classes('mermaid', fullWidth && 'full-width')
  const { diagram, zoomDiagram } = setting.texts
  const enlarge = markup`<button${attributes({ type: 'button', class: 'enlarge', 'aria-label': zoomDiagram, title: zoomDiagram, hidden: true })}>${setting.icon('expand')}</button>`
  return markup`<figure${attributes({ class: look, 'data-mermaid': title ?? diagram, 'data-src': setting.mermaidScript() })}>${enlarge}<pre${attributes(scrollableAttributes(code, setting))}><code>${codeText(code)}</code></pre>${title !== undefined && markup`<figcaption>${title}</figcaption>`}</figure>`
}

function renderLines(code: Code, setting: Setting, inlines: Inlines): readonly Html[] {
  const coloured = setting.highlighted(codeText(code), code.data?.syntax)
  // A line that was split has no highlighted line with the same number.
  const colours = coloured?.length === code.nodes.length ? coloured : []
  const compared =
    setting.changes?.lines.get(code.nodes) ?? code.nodes.map((line) => ({ kind: 'equal', line }) as const)
  let index = 0
  return compared.map(({ kind, line: { data, nodes } }) => {
    // Removed lines are not part of the highlighted text.
    const colour = kind === 'removed' ? undefined : colours[index++]
    const content = colour ? withColours(nodes, colour, setting, inlines) : inlines.render(nodes)
    const look = attributes({ class: classes('line', data?.highlighted && 'highlighted') })
    if (kind === 'removed') return markup`<del${look}>${content}</del>\n`
    return kind === 'added' ? markup`<ins${look}>${content}</ins>\n` : markup`<span${look}>${content}</span>\n`
  })
}

function withColours(nodes: CodeLine['nodes'], line: Html, setting: Setting, inlines: Inlines): Html {
  return nodes.every(isPlain) ? line : highlightedNodes(nodes, new Cutter(line), setting, inlines)
}

const isPlain = (node: InlineNode): boolean =>
  node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0)

/** Combines the highlighting of a line with the marks and inlines in it; marks win. */
function highlightedNodes(nodes: readonly InlineNode[], line: Cutter, setting: Setting, inlines: Inlines): Html {
  const within = (inner: readonly InlineNode[]) => highlightedNodes(inner, line, setting, inlines)
  const pieces = nodes.map((node) => {
    if (node.object === 'inline' && node.type === 'annotation')
      return inlines.annotation(node, () => within(node.nodes))
    if (node.object === 'inline' && node.type === 'link')
      return inlines.link(setting.linkTo(node.data.ref), () => within(node.nodes))
    const coloured = line.take(plainText([node]).length)
    return isPlain(node) ? coloured : inlines.render([node])
  })
  return markup`${pieces}`
}

/** Splits the HTML of a highlighted line at offsets of its visible text. Elements that span an offset are closed and reopened. */
class Cutter {
  readonly #parts: IterableIterator<RegExpExecArray>
  #part: string | undefined
  #open = ''

  constructor(line: Html) {
    this.#parts = line.text.matchAll(/<[^>]*>|&[^;]*;|[^<&]+/g)
    this.#part = this.#nextPart()
  }

  take(length: number): Html {
    let text = this.#open
    for (let left = length; this.#part !== undefined;) {
      const part = this.#part
      const isTag = part.startsWith('<')
      // An element that opens after the last character belongs to the next piece.
      if (left === 0 && !(isTag && part.startsWith('</'))) break
      const size = isTag ? 0 : part.startsWith('&') ? 1 : part.length
      if (size > left) {
        text += part.slice(0, left)
        this.#part = part.slice(left)
        break
      }
      text += part
      left -= size
      if (isTag) this.#open = part.startsWith('</') ? '' : part
      this.#part = this.#nextPart()
    }
    return trusted(this.#open === '' ? text : `${text}</span>`)
  }

  #nextPart(): string | undefined {
    return this.#parts.next().value?.[0]
  }
}

const copyButton = ({ texts }: Setting): Html =>
  markup`<button type="button" class="copy" data-copy data-scripted>${texts.copy}</button>`

/** Wraps long code that is collapsed at first; works without scripts. */
function collapsed(pre: Html, count: number, setting: Setting): Html {
  const { texts } = setting
  const id = setting.newId('code')
  return markup`<input type="checkbox" class="unfold" id="${id}"><div class="fold" style="--lines:${count}">${pre}</div><label for="${id}"><span class="more">${texts.showMore}</span><span class="less">${texts.showLess}</span></label>`
}
