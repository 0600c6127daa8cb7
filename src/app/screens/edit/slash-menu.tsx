import { type Signal, signal } from '@preact/signals'
import type { EditorView, KeyBinding } from '@codemirror/view'
import { BlockList, type OpenBlockList } from './block-list.tsx'
import { type BlockKind, type PickerKind, listBlocks } from './blocks.ts'
import { insertBlock } from './text-commands.ts'

interface SlashState extends OpenBlockList {
  from: number
  to: number
  blocks: readonly BlockKind[]
}

/** The list of blocks that opens after a slash at the start of a line. */
export interface SlashMenuModel {
  state: Signal<SlashState | undefined>
  /** Opens, filters or closes the list according to the line of the cursor. */
  update: (view: EditorView) => void
  choose: (view: EditorView, index?: number) => boolean
  keys: readonly KeyBinding[]
}

/** Creates the list; `openPicker` is called for blocks that are chosen from a list of the space. */
export function createSlashMenu(openPicker: (kind: PickerKind) => void): SlashMenuModel {
  const state = signal<SlashState | undefined>(undefined)
  /** Start of the line in which the list was closed with Escape. */
  let closedAt: number | undefined
  const move = (by: number) => () => {
    const open = state.value
    if (!open || open.blocks.length === 0) return false
    state.value = { ...open, selected: (open.selected + by + open.blocks.length) % open.blocks.length }
    return true
  }
  const choose = (view: EditorView, index?: number): boolean => {
    const open = state.value
    const block = open?.blocks[index ?? open.selected]
    if (!open || !block) return false
    state.value = undefined
    insertBlock(view, block.text, { from: open.from, to: open.to })
    if (block.picker) openPicker(block.picker)
    return true
  }
  const update = (view: EditorView) => {
    const { head, empty } = view.state.selection.main
    const line = view.state.doc.lineAt(head)
    const query = /^\/(\S*)$/.exec(line.text)?.[1]
    const isOpen = query !== undefined && empty && head === line.to && view.hasFocus
    if (!isOpen) closedAt = undefined
    if (!isOpen || closedAt === line.from) {
      state.value = undefined
      return
    }
    const blocks = listBlocks().filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
    view.requestMeasure({
      read: () => view.coordsAtPos(line.from),
      write: (at) => {
        if (at)
          state.value = {
            from: line.from,
            to: line.to,
            blocks,
            selected: 0,
            left: at.left,
            top: at.top,
            bottom: at.bottom,
          }
      },
    })
  }
  return {
    state,
    update,
    choose,
    keys: [
      { key: 'ArrowDown', run: move(1) },
      { key: 'ArrowUp', run: move(-1) },
      { key: 'Enter', run: (view) => choose(view) },
      {
        key: 'Escape',
        run: () => {
          closedAt = state.value?.from
          const wasOpen = state.value !== undefined
          state.value = undefined
          return wasOpen
        },
      },
    ],
  }
}

/** Shows the list of blocks at the cursor of the Markdown. */
export function SlashMenu({ model, getView }: { model: SlashMenuModel; getView: () => EditorView | undefined }) {
  const choose = (index: number) => {
    const view = getView()
    if (view) model.choose(view, index)
  }
  return <BlockList open={model.state.value} onChoose={choose} />
}
