import { isExpression } from '../../content/expression/index.ts'
import { type ParseOptions, parsePage } from '../../content/markdown/parse.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import type { Block, ContentRef } from '../../content/document/nodes.ts'
import { renderBlocks } from '../document.ts'
import { type Html, markup } from '../html.ts'
import type { LinkTarget, RenderContext } from '../render-context.ts'

/** Returns a function that renders descriptions in OpenAPI documents, in which only references to URLs are resolved. */
export function createMarkdownRenderer(context: RenderContext): (markdown: string) => Html {
  const plain: RenderContext = {
    ...context,
    resolveLink,
    resolveFile: (ref) => (ref.kind === 'url' ? context.resolveFile(ref) : undefined),
    findTag: () => undefined,
    openApi: () => undefined,
    changes: undefined,
    hasAnchors: false,
  }
  return (markdown) =>
    // Most descriptions are one line of plain text, which needs no parser.
    isPlainLine(markdown)
      ? markup`<p>${markdown}</p>`
      : renderBlocks(parsePage(markdown, parseOptions).document.nodes.map(toSmallHeading), plain)
}

/** Turns headings of a description into the smallest ones, because they are below those of the operation. */
const toSmallHeading = (block: Block): Block =>
  block.type === 'heading-1' || block.type === 'heading-2' ? { ...block, type: 'heading-3' } : block

// A heading at the start of a description is not the title of a page.
const parseOptions: ParseOptions = { references: verbatimReferences, isExpression, hasTitle: false }

/** Whether a text is a line without characters that Markdown treats specially. */
const isPlainLine = (text: string): boolean => text.length < 500 && /^[A-Za-z][A-Za-z0-9 ,;/%’–—-]*\.?$/.test(text)

function resolveLink(ref: ContentRef): LinkTarget | undefined {
  if (ref.kind !== 'url' || !/^(https?:|mailto:|\/(?!\/)|#)/i.test(ref.url)) return undefined
  return { href: ref.url, title: ref.url, isExternal: /^https?:/i.test(ref.url) }
}
