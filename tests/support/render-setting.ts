import type { ContentRef, FileRef } from '../../src/content/document/nodes.ts'
import { markup } from '../../src/render/html.ts'
import type { LinkTarget, Setting, ShownFile } from '../../src/render/setting.ts'
import { english } from '../../src/render/texts/english.ts'

const isWebAddress = (url: string) => /^https?:\/\//i.test(url)

function linkTo(ref: ContentRef): LinkTarget | undefined {
  if (ref.kind === 'url') {
    return isWebAddress(ref.url) ? { href: ref.url, title: ref.url, isExternal: true } : undefined
  }
  if (ref.kind === 'user') return { href: undefined, title: `Person ${ref.user}`, isExternal: false }
  if (ref.kind !== 'page' || ref.page === 'absent') return undefined
  return { href: `/${encodeURIComponent(ref.page)}`, title: `Page ${ref.page}`, isExternal: false }
}

function file(ref: FileRef): ShownFile | undefined {
  if (ref.kind === 'url') return isWebAddress(ref.url) ? { url: ref.url, name: ref.url } : undefined
  return ref.file === 'absent' ? undefined : { url: `/files/${encodeURIComponent(ref.file)}`, name: ref.file }
}

/** Returns default rendering settings for documents. Every target exists except those called `absent`. */
export function aSetting(more: Partial<Setting> = {}): Setting {
  let count = 0
  return {
    texts: english,
    linkTo,
    file,
    tag: () => undefined,
    highlighted: () => undefined,
    math: (formula) => markup`<span>${formula}</span>`,
    icon: () => markup`<svg aria-hidden="true"></svg>`,
    date: (day) => day,
    number: (value) => value.toLocaleString('en'),
    searchFor: (query) => `/~search?q=${encodeURIComponent(query)}`,
    assistants: (question) => [{ name: 'Oracle', href: `https://oracle.example/?q=${encodeURIComponent(question)}` }],
    mermaidScript: () => '/mermaid.js',
    opensExternalIn: 'self',
    newId: (prefix) => `${prefix}~${++count}`,
    ...more,
  }
}
