import { type Signal, signal } from '@preact/signals'
import type { EditorView } from 'prosemirror-view'
import type { OpenBlockList } from '../screens/edit/block-list.tsx'
import { type BlockChoice, listBlockChoices } from './insertions.ts'

interface OpenSlashList extends OpenBlockList {
  blocks: readonly BlockChoice[]
  from: number
  to: number
}

/** The list of blocks that a slash in an empty paragraph opens. */
export interface SlashList {
  state: Signal<OpenSlashList | undefined>
  /** Opens, filters or closes the list according to the text at the cursor. */
  update: (view: EditorView) => void
  choose: (view: EditorView, index?: number) => boolean
  /** Handles a key while the list is open; returns whether it did. */
  handleKey: (view: EditorView, key: string) => boolean
}

export function createSlashList(): SlashList {
  const state = signal<OpenSlashList | undefined>(undefined)
  /** Start of the text in which the list was closed with Escape. */
  let closedAt: number | undefined
  const choose = (view: EditorView, index?: number): boolean => {
    const open = state.value
    const block = open?.blocks[index ?? open.selected]
    if (!open || !block) return false
    state.value = undefined
    view.dispatch(view.state.tr.delete(open.from, open.to))
    block.run(view.state, view.dispatch, view)
    view.focus()
    return true
  }
  const move = (by: number): boolean => {
    const open = state.value
    if (!open || open.blocks.length === 0) return false
    state.value = { ...open, selected: (open.selected + by + open.blocks.length) % open.blocks.length }
    return true
  }
  return {
    state,
    choose,
    update(view) {
      const { $from, empty } = view.state.selection
      const text = $from.parent.textContent
      const query = $from.parent.type.name === 'paragraph' ? /^\/(\S*)$/.exec(text)?.[1] : undefined
      const isOpen = query !== undefined && empty && $from.parentOffset === text.length && view.hasFocus()
      const from = isOpen ? $from.start() : undefined
      if (!isOpen) closedAt = undefined
      if (from === undefined || query === undefined || closedAt === from) {
        state.value = undefined
        return
      }
      const blocks = listBlockChoices().filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
      const { left, top, bottom } = view.coordsAtPos(from)
      state.value = { from, to: $from.pos, blocks, selected: 0, left, top, bottom }
    },
    handleKey(view, key) {
      if (!state.value) return false
      if (key === 'ArrowDown') return move(1)
      if (key === 'ArrowUp') return move(-1)
      if (key === 'Enter') return choose(view)
      if (key !== 'Escape') return false
      closedAt = state.value.from
      state.value = undefined
      return true
    },
  }
}
