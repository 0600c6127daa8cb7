import { type Signal, signal } from '@preact/signals'
import type { EditorView, KeyBinding } from '@codemirror/view'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '../../ui/icon.tsx'
import { type BlockKind, type PickerKind, listBlocks } from './blocks.ts'
import { toolTexts as texts } from './edit-texts.ts'
import { insertBlock } from './text-commands.ts'

interface SlashState {
  from: number
  to: number
  blocks: readonly BlockKind[]
  selected: number
  /** Position in the window. */
  left: number
  top: number
  bottom: number
}

/** The list of blocks that a slash at the start of a line opens. */
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

/** Size of the list and its distance from the line, in pixels. */
const maxHeight = 280
const width = 264
const gap = 4

/** Shows the list of blocks at the cursor. */
export function SlashMenu({ model, getView }: { model: SlashMenuModel; getView: () => EditorView | undefined }) {
  const open = model.state.value
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [open?.selected])
  if (!open) return null
  const fitsBelow = open.bottom + maxHeight < window.innerHeight
  const style = {
    left: `${Math.min(open.left, window.innerWidth - width)}px`,
    ...(fitsBelow ? { top: `${open.bottom + gap}px` } : { bottom: `${window.innerHeight - open.top + gap}px` }),
  }
  return (
    <div class="slash-menu" style={style}>
      {/* The focus remains in the editor, so the selected block is announced. */}
      <p class="sr-only" role="status">
        {open.blocks[open.selected]?.title ?? texts.noBlocks}
      </p>
      <ul ref={list} id={id} role="listbox" aria-label={texts.blocks} tabIndex={-1}>
        {open.blocks.map(({ title, icon }, index) => (
          <li
            key={title + index}
            role="option"
            aria-selected={index === open.selected}
            class="menu-item"
            onMouseDown={(event) => {
              event.preventDefault()
              const view = getView()
              if (view) model.choose(view, index)
            }}
          >
            <Icon name={icon} />
            <span>{title}</span>
          </li>
        ))}
      </ul>
      {open.blocks.length === 0 && <p class="quiet">{texts.noBlocks}</p>}
    </div>
  )
}
