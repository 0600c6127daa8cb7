import { type Signal, signal } from '@preact/signals'
import type { EditorView } from 'prosemirror-view'
import type { OpenBlockList } from '../screens/edit/block-list.tsx'

/** Text before the cursor that opens a list. */
interface Trigger {
  from: number
  to: number
  query: string
}

interface SuggestionSource<Item> {
  /** Returns the text that opens the list; undefined if there is none at the cursor. */
  find: (view: EditorView) => Trigger | undefined
  list: (query: string) => readonly Item[]
  /** Whether the list is also shown when nothing is found; false if absent. */
  showsEmpty?: (query: string) => boolean
  /** Returns the item that a key selects, in addition to Enter and Tab. */
  chooseByKey?: (query: string, key: string) => Item | undefined
  /** Replaces the text with the selected item. */
  insert: (view: EditorView, item: Item, trigger: Trigger) => void
}

interface OpenSuggestions<Item> extends OpenBlockList, Trigger {
  blocks: readonly (OpenBlockList['blocks'][number] & Item)[]
}

/** A list that opens at the cursor when certain text is typed. */
export interface SuggestionList<Item = unknown> {
  state: Signal<OpenSuggestions<Item> | undefined>
  /** Opens, filters or closes the list according to the text at the cursor. */
  update: (view: EditorView) => void
  choose: (view: EditorView, index?: number) => boolean
  /** Handles a key while the list is open; returns whether it did. */
  handleKey: (view: EditorView, key: string) => boolean
}

export function createSuggestionList<Item extends OpenBlockList['blocks'][number]>({
  find,
  list,
  showsEmpty,
  chooseByKey,
  insert,
}: SuggestionSource<Item>): SuggestionList<Item> {
  const state = signal<OpenSuggestions<Item> | undefined>(undefined)
  /** Start of the text in which the list was closed with Escape. */
  let closedAt: number | undefined
  const insertItem = (view: EditorView, item: Item, trigger: Trigger): true => {
    state.value = undefined
    insert(view, item, trigger)
    view.focus()
    return true
  }
  const choose = (view: EditorView, index?: number): boolean => {
    const open = state.value
    const item = open?.blocks[index ?? open.selected]
    if (!open || !item) return false
    return insertItem(view, item, open)
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
      // The text of an input method is not final.
      const trigger = view.hasFocus() && view.state.selection.empty && !view.composing ? find(view) : undefined
      if (!trigger) closedAt = undefined
      const blocks = trigger && closedAt !== trigger.from ? list(trigger.query) : []
      if (!trigger || closedAt === trigger.from || (blocks.length === 0 && !showsEmpty?.(trigger.query))) {
        if (state.value) state.value = undefined
        return
      }
      const { left, top, bottom } = view.coordsAtPos(trigger.from)
      state.value = { ...trigger, blocks, selected: 0, left, top, bottom }
    },
    handleKey(view, key) {
      if (!state.value) return false
      if (key === 'ArrowDown') return move(1)
      if (key === 'ArrowUp') return move(-1)
      if (key === 'Enter' || key === 'Tab') return choose(view)
      const item = chooseByKey?.(state.value.query, key)
      if (item) return insertItem(view, item, state.value)
      if (key !== 'Escape') return false
      closedAt = state.value.from
      state.value = undefined
      return true
    },
  }
}
