import { markup, nothing } from './html.ts'
import type { Setting } from './setting.ts'
import type { Texts } from './texts.ts'

/** What documents are shown with where nothing is known of what they point at, and none of our scripts runs. */
export function plainSetting(texts: Texts): Setting {
  let count = 0
  return {
    texts,
    linkTo: () => undefined,
    file: () => undefined,
    tag: () => undefined,
    highlighted: () => undefined,
    math: (formula) => markup`<code>${formula}</code>`,
    icon: () => nothing,
    date: (text) => text,
    mermaidScript: () => '',
    opensExternalIn: 'self',
    newId: (prefix) => `${prefix}-${++count}`,
  }
}
