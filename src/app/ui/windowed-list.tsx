import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface WindowedListProps<Item> {
  items: readonly Item[]
  /** Height of each row in pixels. */
  rowHeight: number
  /** Unique key of an item. */
  keyOf: (item: Item) => string
  renderRow: (item: Item, index: number) => ComponentChildren
  /** Called when the end of the list comes into view. */
  onEnd?: (() => void) | undefined
  /** Index of a row that is scrolled into view when it changes. */
  shownIndex?: number | undefined
  /** Index of a row that is always rendered, for example because the Tab key reaches it. */
  keptIndex?: number | undefined
  class?: string
  role?: 'list' | 'tree'
  label?: string
}

/** Number of rows that are rendered beyond the visible ones, so that fast scrolling shows no gaps. */
const overscan = 12
/** Maximum length of lists that are rendered completely, so that the search of the browser finds all rows. */
const minWindowedLength = 200

/**
 * Shows rows of equal height. If there are many, only those in view and the one with the focus are rendered. It scrolls with the
 * nearest scrolling element. Arrow keys, Home and End move the focus between the rows of a list.
 */
export function WindowedList<Item>({
  items,
  rowHeight,
  keyOf,
  renderRow,
  onEnd,
  shownIndex,
  keptIndex = -1,
  class: className,
  role = 'list',
  label,
}: WindowedListProps<Item>) {
  const list = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ from: 0, to: minWindowedLength })
  const [focusedKey, setFocusedKey] = useState<string | undefined>(undefined)
  const isWindowed = items.length > minWindowedLength
  useEffect(() => {
    const element = list.current
    if (!element) return undefined
    const scroller = findScroller(element)
    const update = () => {
      const view =
        scroller === window ? { top: 0, bottom: window.innerHeight } : (scroller as Element).getBoundingClientRect()
      const { top } = element.getBoundingClientRect()
      const from = Math.max(0, Math.floor((view.top - top) / rowHeight) - overscan)
      const to = Math.ceil((view.bottom - top) / rowHeight) + overscan
      setRange((old) => (old.from === from && old.to === to ? old : { from, to }))
      if (to >= items.length) onEnd?.()
    }
    update()
    scroller.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', update)
    return () => {
      scroller.removeEventListener('scroll', update)
      window.removeEventListener('resize', update)
    }
  }, [items.length, rowHeight, onEnd])
  useEffect(() => {
    const element = list.current
    if (shownIndex === undefined || shownIndex < 0 || !element) return
    const scroller = findScroller(element)
    const view =
      scroller === window ? { top: 0, bottom: window.innerHeight } : (scroller as Element).getBoundingClientRect()
    const top = element.getBoundingClientRect().top + shownIndex * rowHeight
    if (top >= view.top && top + rowHeight <= view.bottom) return
    const middle = (view.top + view.bottom) / 2
    scroller.scrollBy({ top: top - middle, behavior: 'instant' })
  }, [shownIndex])
  const [revealed, setRevealed] = useState(-1)
  useLayoutEffect(() => {
    const item = items[revealed]
    if (!item) return
    list.current?.querySelector<HTMLElement>(toFirstControl(keyOf(item)))?.focus()
    setRevealed(-1)
  }, [revealed])
  const handleKey = (event: KeyboardEvent) => {
    const key = findKey(event.target)
    // Other controls of a row handle their keys themselves.
    if (key === undefined || event.target !== list.current?.querySelector(toFirstControl(key))) return
    const target = findTarget(
      event,
      items.findIndex((item) => keyOf(item) === key),
      items.length,
    )
    if (target === undefined) return
    event.preventDefault()
    setRevealed(target)
  }
  const from = isWindowed ? range.from : 0
  const to = isWindowed ? Math.min(range.to, items.length) : items.length
  const focusedIndex =
    isWindowed && focusedKey !== undefined ? items.findIndex((item) => keyOf(item) === focusedKey) : -1
  return (
    <div
      ref={list}
      class={className}
      role={role}
      aria-label={label}
      style={{ height: `${items.length * rowHeight}px`, position: 'relative' }}
      onFocusIn={({ target }) => setFocusedKey(findKey(target))}
      onFocusOut={() => setFocusedKey(undefined)}
      onKeyDown={role === 'list' ? handleKey : undefined}
    >
      {listIndexes(from, to, [keptIndex, focusedIndex, revealed]).map((index) => {
        const item = items[index] as Item
        return (
          <div
            key={keyOf(item)}
            class="windowed-row"
            data-key={keyOf(item)}
            role={role === 'list' ? 'listitem' : 'none'}
            // Screen readers cannot count the rows that are not rendered.
            {...(role === 'list' && isWindowed && { 'aria-posinset': index + 1, 'aria-setsize': items.length })}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {renderRow(item, index)}
          </div>
        )
      })}
    </div>
  )
}

/** Returns the indexes of the rendered rows in order: a range, and single rows outside of it. */
function listIndexes(from: number, to: number, others: readonly number[]): number[] {
  const indexes = Array.from({ length: to - from }, (_, offset) => from + offset)
  const outside = new Set(others.filter((index) => index >= 0 && (index < from || index >= to)))
  return outside.size === 0 ? indexes : [...indexes, ...outside].toSorted((one, other) => one - other)
}

/** Selects the first link or button of a row. */
const toFirstControl = (key: string): string => `[data-key="${CSS.escape(key)}"] :is(a[href], button)`

/** Returns the index of the row to which a key moves the focus. */
function findTarget(event: KeyboardEvent, index: number, length: number): number | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  const targets: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: length - 1 }
  const target = targets[event.key]
  return target !== undefined && target >= 0 && target < length ? target : undefined
}

/** Returns the key of the row that contains an element. */
const findKey = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('.windowed-row')?.dataset['key'] : undefined

function findScroller(element: Element): Element | Window {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent
  }
  return window
}
