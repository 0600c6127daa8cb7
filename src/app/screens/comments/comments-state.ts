import { type Signal, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'

/** A block about which a comment is written. */
export interface TargetBlock {
  key: string
  /** Text of the block. */
  preview: string
}

/** State that a page and the comments beside it share. */
export interface CommentsState {
  /** Element of the content; undefined until it is rendered. */
  root: Signal<HTMLElement | undefined>
  /** Key of the block that is highlighted in the page and in the comments. */
  highlighted: Signal<string | undefined>
  /** Block of the comment that is being written. */
  target: Signal<TargetBlock | undefined>
  /** Key of the block whose comments are to be shown; they get the focus. */
  shown: Signal<string | undefined>
  /** Whether the panel is open; undefined until the user opens or closes it. */
  isOpen: Signal<boolean | undefined>
}

const storageKey = 'octavo.comments'

/** Whether the panel is a sheet above the page instead of a column beside it. */
const isSheet = (): boolean => matchMedia('(max-width: 64rem)').matches

function readIsOpen(): boolean | undefined {
  if (isSheet()) return false
  const stored = localStorage.getItem(storageKey)
  return stored === null ? undefined : stored === 'open'
}

/** Opens or closes the panel and remembers it in this browser. */
export function setPanelOpen(state: CommentsState, isOpen: boolean): void {
  state.isOpen.value = isOpen
  if (!isSheet()) localStorage.setItem(storageKey, isOpen ? 'open' : 'closed')
}

/** Returns the state that a page shares with its comments; each page has a separate one. */
export const useCommentsState = (pageId?: string): CommentsState =>
  useMemo(
    () => ({
      root: signal(undefined),
      highlighted: signal(undefined),
      target: signal(undefined),
      shown: signal(undefined),
      isOpen: signal(readIsOpen()),
    }),
    [pageId],
  )

/** Starts a comment about a block and opens the panel for it. */
export function startComment(state: CommentsState, element: HTMLElement): void {
  startCommentOn(state, element.dataset['block'] ?? '', element.textContent ?? '')
}

/** Starts a comment about the block with a key and a text. */
export function startCommentOn(state: CommentsState, key: string, text: string): void {
  state.target.value = { key, preview: shorten(text.replace(/\s+/g, ' ').trim()) }
  state.isOpen.value = true
}

/** Maximum length of the preview of a block in characters. */
const maxPreviewLength = 120

const shorten = (text: string): string =>
  text.length <= maxPreviewLength ? text : `${text.slice(0, maxPreviewLength - 1)}…`
