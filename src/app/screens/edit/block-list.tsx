import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.ts'
import { toolTexts as texts } from './edit-texts.ts'

/** An open list of blocks. */
export interface OpenBlockList {
  blocks: readonly { title: string; icon?: IconName; emoji?: string; detail?: string }[]
  selected: number
  /** Position in the window. */
  left: number
  top: number
  bottom: number
}

/** Size of the list and its distance from the line, in pixels. */
const maxHeight = 280
const width = 264
const gap = 4

interface BlockListProps {
  open: OpenBlockList | undefined
  label?: string
  onChoose: (index: number) => void
}

/** Shows the items that can be inserted at the cursor. The focus remains in the editor. */
export function BlockList({ open, label = texts.blocks, onChoose }: BlockListProps) {
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
      <ul ref={list} id={id} role="listbox" aria-label={label} tabIndex={-1}>
        {open.blocks.map(({ title, icon, emoji, detail }, index) => (
          <li
            key={title + index}
            role="option"
            aria-selected={index === open.selected}
            class="menu-item"
            onMouseDown={(event) => {
              event.preventDefault()
              onChoose(index)
            }}
          >
            {icon && <Icon name={icon} />}
            {emoji && (
              <span class="slash-emoji" aria-hidden="true">
                {emoji}
              </span>
            )}
            <span>{title}</span>
            {detail && <small class="slash-detail">{detail}</small>}
          </li>
        ))}
      </ul>
      {open.blocks.length === 0 && <p class="quiet">{texts.noBlocks}</p>}
    </div>
  )
}
