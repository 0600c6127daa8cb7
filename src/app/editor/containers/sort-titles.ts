/** Distance in pixels that the pointer must move to drag a title; otherwise it clicks. */
const minDistance = 6

/** Makes the titles in a row draggable; calls `onMove` with the former and the new index of the dragged title. */
export function makeSortable(row: HTMLElement, selector: string, onMove: (from: number, to: number) => void): void {
  row.addEventListener('pointerdown', (event) => {
    const titles = [...row.querySelectorAll<HTMLElement>(selector)]
    const from = titles.findIndex((title) => title.contains(event.target as globalThis.Node | null))
    // In a field that has the focus, the pointer selects text.
    if (from < 0 || event.button !== 0 || titles[from] === document.activeElement) return
    let to: number | undefined
    const stop = new AbortController()
    const move = ({ clientX, clientY }: PointerEvent) => {
      if (to === undefined && Math.abs(clientX - event.clientX) < minDistance) return
      row.setPointerCapture(event.pointerId)
      to = findTitle(titles, clientX, clientY) ?? to ?? from
      showTarget(titles, from, to)
    }
    const end = ({ type }: PointerEvent) => {
      stop.abort()
      showTarget(titles, -1, -1)
      if (type === 'pointerup' && to !== undefined && to !== from) onMove(from, to)
    }
    const { signal } = stop
    row.addEventListener('pointermove', move, { signal })
    row.addEventListener('pointerup', end, { signal })
    row.addEventListener('pointercancel', end, { signal })
  })
}

/** Returns the index of the title at a point of the window. */
function findTitle(titles: readonly HTMLElement[], x: number, y: number): number | undefined {
  const index = titles.findIndex((title) => {
    const { left, right, top, bottom } = title.getBoundingClientRect()
    return x >= left && x <= right && y >= top && y <= bottom
  })
  return index < 0 ? undefined : index
}

/** Marks the dragged title, and the side of another title where it will be inserted. */
function showTarget(titles: readonly HTMLElement[], from: number, to: number): void {
  titles.forEach((title, index) => {
    title.classList.toggle('is-dragged', index === from)
    title.classList.toggle('is-drop-before', index === to && to < from)
    title.classList.toggle('is-drop-after', index === to && to > from)
  })
}
