import type { EditorView } from 'prosemirror-view'

/** Whether an element is at most `margin` pixels away from the window. */
export function isNearWindow(element: globalThis.Node | null, margin: number): boolean {
  if (!(element instanceof HTMLElement)) return false
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > -margin && top < window.innerHeight + margin
}

/** Returns the positions between which blocks are at most `margin` pixels away from the window. */
export function findShownRange(view: EditorView, margin: number): { from: number; to: number } {
  const { children } = view.dom
  const end = view.state.doc.content.size
  const boundsOf = (index: number) => (children[index] as HTMLElement).getBoundingClientRect()
  const first = findFirst(children.length, (index) => boundsOf(index).bottom > -margin)
  const next = findFirst(children.length, (index) => boundsOf(index).top >= window.innerHeight + margin)
  const positionOf = (index: number, otherwise: number): number => {
    const element = children[index]
    return element ? Math.min(Math.max(view.posAtDOM(element, 0), 0), end) : otherwise
  }
  return { from: Math.max(positionOf(first, end) - 1, 0), to: positionOf(next, end) }
}

/** Returns the first index for which a condition is true; it is true for all after it. */
function findFirst(count: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return low
}
