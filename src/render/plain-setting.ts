import { markup, nothing } from './html.ts'
import type { Setting } from './setting.ts'
import type { Texts } from './texts.ts'

/** Returns settings that render documents without lookups and scripts. */
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
