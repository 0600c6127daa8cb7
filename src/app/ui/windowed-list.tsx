import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

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
  class?: string
  role?: 'list' | 'tree'
  label?: string
}

/** Rows are rendered beyond the visible ones, so that fast scrolling shows no gaps. */
const overscan = 12
/** Lists up to this length are rendered completely, so that the search of the browser finds all rows. */
const minWindowedLength = 200

/** Shows rows of equal height and renders only those in view if there are many. It scrolls with the nearest scrolling element. */
export function WindowedList<Item>({
  items,
  rowHeight,
  keyOf,
  renderRow,
  onEnd,
  shownIndex,
  class: className,
  role = 'list',
  label,
}: WindowedListProps<Item>) {
  const list = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ from: 0, to: minWindowedLength })
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
  const from = isWindowed ? range.from : 0
  const to = isWindowed ? Math.min(range.to, items.length) : items.length
  return (
    <div
      ref={list}
      class={className}
      role={role}
      aria-label={label}
      style={{ height: `${items.length * rowHeight}px`, position: 'relative' }}
    >
      {items.slice(from, to).map((item, offset) => {
        const index = from + offset
        return (
          <div
            key={keyOf(item)}
            class="windowed-row"
            role={role === 'list' ? 'listitem' : 'none'}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {renderRow(item, index)}
          </div>
        )
      })}
    </div>
  )
}

function findScroller(element: Element): Element | Window {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent
  }
  return window
}
