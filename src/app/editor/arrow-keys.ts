import { Plugin } from 'prosemirror-state'
import type { crossBorder } from './cross-borders.ts'

/** Handles arrow keys at the borders of blocks in Firefox. No other property of a browser shows where its arrow keys move the cursor. */
export function fixArrowKeys(): Plugin {
  let cross: typeof crossBorder | undefined
  if (CSS.supports('-moz-appearance', 'none'))
    void import('./cross-borders.ts').then(
      (loaded) => (cross = loaded.crossBorder),
      // Without the module, the browser moves the cursor.
      () => undefined,
    )
  return new Plugin({ props: { handleKeyDown: (view, event) => cross?.(view, event) } })
}
