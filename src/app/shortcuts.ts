import { useEffect } from 'preact/hooks'

/** A key of the app: `key` as in keyboard events, with `mod` for Ctrl or Cmd. */
export interface Shortcut {
  /** For example `e`, `?`, `mod+k`, `g h` (one key after the other). */
  keys: string
  title: string
  run: () => void
}

const active = new Set<readonly Shortcut[]>()
let firstKey: { key: string; at: number } | undefined

/** Maximum time in milliseconds between two keys of a sequence. */
const sequenceTime = 1000

/** Makes shortcuts available while a component is mounted. Those of the last mounted component have precedence. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    active.add(shortcuts)
    return () => void active.delete(shortcuts)
  })
}

/** Returns all shortcuts that are available now. */
export const listShortcuts = (): Shortcut[] => [...active].flat()

/** Handles the keys of shortcuts. */
export function startShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const isModified = event.ctrlKey || event.metaKey
    // The target of an event inside a shadow root is its host, so the path contains the focused element.
    const [target = null] = event.composedPath()
    if (event.defaultPrevented || event.altKey || event.isComposing || (!isModified && isTyping(target))) return
    const key = isModified ? `mod+${event.key.toLowerCase()}` : event.key
    const sequence = firstKey && Date.now() - firstKey.at < sequenceTime ? `${firstKey.key} ${key}` : key
    const shortcuts = listShortcuts().toReversed()
    const found = shortcuts.find(({ keys }) => keys === sequence) ?? shortcuts.find(({ keys }) => keys === key)
    firstKey = found ? undefined : { key, at: Date.now() }
    if (!found || (document.querySelector('dialog[open]') && !isModified)) return
    event.preventDefault()
    found.run()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName))
