import { markup, nothing } from './html.ts'
import type { RenderContext } from './render-context.ts'
import type { Texts } from './texts.ts'

/** Returns settings that render documents without lookups and scripts. */
export function createPlainContext(texts: Texts): RenderContext {
  let count = 0
  return {
    texts,
    resolveLink: () => undefined,
    resolveFile: () => undefined,
    findTag: () => undefined,
    highlighted: () => undefined,
    renderMath: (formula) => markup`<code>${formula}</code>`,
    icon: () => nothing,
    formatDate: (text) => text,
    mermaidScript: () => '',
    externalLinkTarget: 'self',
    newId: (prefix) => `${prefix}-${++count}`,
  }
}
