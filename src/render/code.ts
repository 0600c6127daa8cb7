import type { Code, CodeLine, InlineNode } from '../content/document/nodes.ts'
import { plainText } from '../content/document/text.ts'
import { type Html, attributes, markup } from './html.ts'
import { type Inlines, classes } from './inlines.ts'
import type { Setting } from './setting.ts'

const collapsedLines = 10

/** The text of a code as it is copied. */
const codeText = ({ nodes }: Pick<Code, 'nodes'>): string => nodes.map(lineText).join('\n')

const lineText = ({ nodes }: CodeLine): string => plainText(nodes)

/** Code with everything around it: title, numbers, highlighted lines, a button that copies. */
export function renderCode(code: Code, setting: Setting, inlines: Inlines): Html {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = code.data ?? {}
  const coloured = setting.highlighted(codeText(code), syntax)
  const lines = code.nodes.map((line, index) => renderLine(line, coloured?.[index], inlines))
  const isLong = expandable === true && lines.length > (collapsedLineCount ?? collapsedLines)
  const look = classes(
    'code',
    lineNumbers && 'with-numbers',
    overflow === 'wrap' && 'wrapped',
    fullWidth && 'full-width',
  )
  const pre = markup`<pre tabindex="0" ${attributes({ 'data-syntax': syntax })}><code>${lines}</code></pre>`
  return markup`<figure${attributes({ class: look, 'data-code': true })}>${title !== undefined && markup`<figcaption>${title}</figcaption>`}${copyButton(setting)}${isLong ? folded(pre, collapsedLineCount ?? collapsedLines, setting) : pre}</figure>`
}

function renderLine({ data, nodes }: CodeLine, coloured: Html | undefined, inlines: Inlines): Html {
  // A line with something in it is shown as it is written: colours know nothing of notes.
  const content = coloured && nodes.every(isText) ? coloured : inlines.render(nodes)
  return markup`<span${attributes({ class: classes('line', data?.highlighted && 'highlighted') })}>${content}</span>\n`
}

const isText = (node: InlineNode): boolean => node.object === 'text'

const copyButton = ({ texts }: Setting): Html =>
  markup`<button type="button" class="copy" data-copy hidden>${texts.copy}</button>`

/** Long code of which only the beginning is shown, also without a script. */
function folded(pre: Html, count: number, setting: Setting): Html {
  const { texts } = setting
  const id = setting.newId('code')
  return markup`<input type="checkbox" class="unfold" id="${id}"><div class="fold" style="--lines:${count}">${pre}</div><label for="${id}"><span class="more">${texts.showMore}</span><span class="less">${texts.showLess}</span></label>`
}
