import type { ContentRef, FileRef } from '../../src/content/document/nodes.ts'
import { markup } from '../../src/render/html.ts'
import type { LinkTarget, RenderContext, ResolvedFile } from '../../src/render/render-context.ts'
import { english } from '../../src/render/texts/english.ts'

const isWebAddress = (url: string) => /^https?:\/\//i.test(url)

function resolveLink(ref: ContentRef): LinkTarget | undefined {
  if (ref.kind === 'url') {
    return isWebAddress(ref.url) ? { href: ref.url, title: ref.url, isExternal: true } : undefined
  }
  if (ref.kind === 'user') return { href: undefined, title: `Person ${ref.user}`, isExternal: false }
  if (ref.kind !== 'page' || ref.page === 'absent') return undefined
  return { href: `/${encodeURIComponent(ref.page)}`, title: `Page ${ref.page}`, isExternal: false }
}

function resolveFile(ref: FileRef): ResolvedFile | undefined {
  if (ref.kind === 'url') return isWebAddress(ref.url) ? { url: ref.url, name: ref.url } : undefined
  return ref.file === 'absent' ? undefined : { url: `/files/${encodeURIComponent(ref.file)}`, name: ref.file }
}

/** Returns default rendering settings for documents. Every target exists except those called `absent`. */
export function createRenderContext(more: Partial<RenderContext> = {}): RenderContext {
  let count = 0
  return {
    texts: english,
    resolveLink,
    resolveFile,
    findTag: () => undefined,
    highlighted: () => undefined,
    renderMath: (formula) => markup`<span>${formula}</span>`,
    icon: () => markup`<svg aria-hidden="true"></svg>`,
    formatDate: (day) => day,
    formatNumber: (value) => value.toLocaleString('en'),
    searchHrefFor: (query) => `/~search?q=${encodeURIComponent(query)}`,
    listAssistantLinks: (question) => [
      { name: 'Oracle', href: `https://oracle.example/?q=${encodeURIComponent(question)}` },
    ],
    mermaidScript: () => '/mermaid.js',
    externalLinkTarget: 'self',
    newId: (prefix) => `${prefix}~${++count}`,
    ...more,
  }
}
