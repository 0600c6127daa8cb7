import type { EditorView } from 'prosemirror-view'
import { listBlocksAt } from './block-places.ts'

/** Number of containers in which a block beside the pointer is searched. */
const maxSteps = 4

/** Returns the position of the innermost block at a point of the window. */
export function findBlockAt(view: EditorView, { left, top }: { left: number; top: number }): number | undefined {
  let [found, x]: [number | undefined, number] = [undefined, left]
  for (let step = 0; step < maxSteps; step++) {
    const place = view.posAtCoords({ left: x, top })
    if (!place) break
    const next = listBlocksAt(view.state.doc.resolve(place.inside < 0 ? place.pos : place.inside)).at(-1)
    if (next === undefined || (found !== undefined && next <= found)) break
    found = next
    if (view.state.doc.nodeAt(found)?.isTextblock !== false) break
    // The pointer may be beside a block of a container, for example on its way to the handle.
    const box = (view.nodeDOM(found) as HTMLElement | null)?.getBoundingClientRect()
    if (!box) break
    x = box.left + box.width / 2
  }
  return found
}
