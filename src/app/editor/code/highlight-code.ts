import type { Block } from '../../../content/document/nodes.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { toCodeLines } from '../plain-text.ts'
import { renderBlocks } from '../rendered-blocks.ts'
import type { CodeToken, HighlightCode } from './code-colors.ts'

/** Returns a function that highlights code on the server, as on published pages. */
export const createHighlighter =
  (place: PagePlace): HighlightCode =>
  async (codes) => {
    const blocks = codes.map(({ text, syntax }): Block => ({
      object: 'block',
      type: 'code',
      data: { syntax },
      nodes: toCodeLines(text),
    }))
    let tokens: (CodeToken[] | undefined)[] = []
    await renderBlocks(place, blocks, (elements) => {
      tokens = codes.map(({ text }, index) => readTokens(elements[index]?.querySelector('code'), text))
    })
    return tokens
  }

/** Returns the tokens of highlighted code; undefined if it shows another text. */
function readTokens(code: Element | null | undefined, text: string): CodeToken[] | undefined {
  if (!code || code.textContent.replace(/\n$/, '') !== text) return undefined
  const tokens: CodeToken[] = []
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  let from = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const to = from + (node.nodeValue?.length ?? 0)
    const className = node.parentElement?.className ?? ''
    if (node.parentElement?.tagName === 'SPAN' && className !== 'line') tokens.push({ from, to, className })
    from = to
  }
  return tokens
}
