import type { Block } from '../../../content/document/nodes.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import { ApiError } from '../../api.ts'
import { toCodeLines } from '../plain-text.ts'
import { renderBlocks } from '../rendered-blocks.ts'
import type { CodeToken, HighlightCode } from './code-colors.ts'

/** The server highlights code in the background; the reply is requested again after these times, in milliseconds. */
const retryDelays = [300, 1000, 3000]

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
    for (const delay of [...retryDelays, undefined]) {
      try {
        const { elements, complete } = await renderBlocks(place, blocks)
        if (complete || delay === undefined)
          return codes.map(({ text }, index) => readTokens(elements[index]?.querySelector('code'), text))
      } catch (error) {
        // Code without colors can be edited, too.
        if (error instanceof ApiError) return []
        throw error
      }
      await new Promise((resolve) => void setTimeout(resolve, delay))
    }
    return []
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
