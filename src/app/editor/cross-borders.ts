import type { ResolvedPos } from 'prosemirror-model'
import { Selection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** Blocks and parts of blocks that contain controls, scroll, or are parts of a table. */
const borderTypes: ReadonlySet<string> = new Set([
  'table',
  'table_header',
  'table_cell',
  'code_block',
  'hint',
  'task_item',
])

const isInside = ($at: ResolvedPos, sharedDepth: number): boolean => {
  for (let depth = $at.depth; depth > sharedDepth; depth--) if (borderTypes.has($at.node(depth).type.name)) return true
  return false
}

/** Whether a position is in a tab that is not open, or in hidden titles of columns. */
const isHidden = (view: EditorView, at: number): boolean =>
  Boolean(view.domAtPos(at).node.parentElement?.closest('[hidden]'))

/** Returns the start or end of the next text in a direction, if a border is between it and the cursor. */
function findAcross(view: EditorView, side: -1 | 1): ResolvedPos | undefined {
  const { doc, selection } = view.state
  const { $head } = selection
  if ($head.depth === 0) return undefined
  const found = Selection.findFrom(doc.resolve(side < 0 ? $head.before() : $head.after()), side)
  if (!(found instanceof TextSelection) || isHidden(view, found.head)) return undefined
  const shared = $head.sharedDepth(found.head)
  return isInside($head, shared) || isInside(found.$head, shared) ? found.$head : undefined
}

/** Returns the position in the adjacent line that is below or above the cursor. */
function findInLine(view: EditorView, $beside: ResolvedPos): ResolvedPos {
  const { left } = view.coordsAtPos(view.state.selection.head)
  const { top, bottom } = view.coordsAtPos($beside.pos)
  const found = view.posAtCoords({ left, top: (top + bottom) / 2 })?.pos ?? $beside.pos
  return view.state.doc.resolve(Math.min(Math.max(found, $beside.start()), $beside.end()))
}

const directions: Readonly<Record<string, 'left' | 'right' | 'up' | 'down'>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** Extends the selection by the height of the window. Firefox extends it to the end of the text, because only the window scrolls. */
function extendByPage(view: EditorView, side: -1 | 1): boolean {
  const { doc, selection, tr } = view.state
  const { left, top } = view.coordsAtPos(selection.head)
  const start = scrollY
  scrollBy({ top: side * 0.8 * innerHeight, behavior: 'instant' })
  const rest = side * 0.8 * innerHeight - (scrollY - start)
  const edge = side < 0 ? Selection.atStart(doc) : Selection.atEnd(doc)
  const at = view.posAtCoords({ left, top: top + rest })?.pos ?? edge.head
  view.dispatch(tr.setSelection(TextSelection.between(selection.$anchor, doc.resolve(at), side)).scrollIntoView())
  return true
}

/**
 * Moves the cursor or the end of the selection across the border of a block, or extends the selection by a page. Firefox skips lines that
 * begin with a control, moves from code and tables to other places, and enters a block that scrolls at its end.
 */
export function crossBorder(view: EditorView, { key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (shiftKey && /^Page(?:Up|Down)$/.test(key)) return extendByPage(view, key === 'PageUp' ? -1 : 1)
  const direction = directions[key]
  const { state } = view
  const { selection } = state
  const isVertical = direction === 'up' || direction === 'down'
  if (!direction || altKey || metaKey || (isVertical && ctrlKey)) return false
  if (!(selection instanceof TextSelection) || !(shiftKey || selection.empty)) return false
  const { $anchor, $head } = selection
  const atHead = selection.empty ? state : state.apply(state.tr.setSelection(new TextSelection($head)))
  if (!view.endOfTextblock(direction, atHead)) return false
  // In text from right to left, the left arrow key moves forward.
  const isForward =
    isVertical || $head.parent.content.size === 0 ? /down|right/.test(direction) : $head.parentOffset > 0
  const $beside = findAcross(view, isForward ? 1 : -1)
  if (!$beside) return false
  const $next = isVertical ? findInLine(view, $beside) : $beside
  view.dispatch(state.tr.setSelection(new TextSelection(shiftKey ? $anchor : $next, $next)).scrollIntoView())
  return true
}
