import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  deleteSelection,
  exitCode,
  joinBackward,
  joinForward,
  lift,
  liftEmptyBlock,
  selectNodeBackward,
  selectNodeForward,
  setBlockType,
  splitBlock,
  toggleMark,
} from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import type { NodeType, ResolvedPos } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import { type Command, type EditorState, TextSelection } from 'prosemirror-state'
import { indentCode, openFence, outdentCode, startCodeLine } from './code/code-keys.ts'
import { backspaceInContainer, deleteInContainer, enterBody, leaveContainer } from './container-keys.ts'
import { addPart } from './containers/parts.ts'
import { deleteAcrossCommand } from './delete-across.ts'
import { pageEdgeKeys } from './page-edges.ts'
import { nodeType, schema } from './schema.ts'
import { moveByRow } from './table/row-keys.ts'
import {
  currentCell,
  deleteCells,
  focusMenu,
  focusTableMenu,
  insertRowBelow,
  leaveHeader,
  moveRowDown,
  moveRowUp,
  nextCellCommand,
  previousCellCommand,
} from './table/table-commands.ts'

const itemTypes: ReadonlySet<NodeType> = new Set([nodeType('list_item'), nodeType('task_item')])

/** Returns the type of the innermost list item that contains a position. */
export function itemTypeAt($pos: ResolvedPos): NodeType | undefined {
  for (let depth = $pos.depth; depth > 0; depth--) {
    const { type } = $pos.node(depth)
    if (itemTypes.has(type)) return type
  }
  return undefined
}

/** Returns a command that acts on the items of the list at the cursor, if they have one of two types. */
const inList =
  (create: (type: NodeType) => Command): Command =>
  (state, dispatch, view) => {
    const type = itemTypeAt(state.selection.$from)
    return type !== undefined && create(type)(state, dispatch, view)
  }

/** Splits an item; a new task is open. */
const splitItem = inList((type) =>
  splitListItem(type, { key: null, data: type.spec.attrs?.['data']?.default as unknown }),
)
export const indentItem = inList(sinkListItem)
export const outdentItem = inList(liftListItem)

/** Moves from the caption of an image to a paragraph after it. */
const leaveCaption: Command = (state, dispatch) => {
  const { $from } = state.selection
  if ($from.parent.type.name !== 'image') return false
  const after = $from.after($from.depth - 1)
  const tr = state.tr.insert(after, nodeType('paragraph').create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView())
  return true
}

/** Moves an empty paragraph out of a quote, hint or item, but not out of a step, which would be split. */
const liftEmpty: Command = (state, dispatch) =>
  state.selection.$from.node(-1)?.type.name !== 'stepper_step' && liftEmptyBlock(state, dispatch)

/**
 * Splits a block. A heading that is split at its end continues with a paragraph; other new blocks do not repeat the data of the
 * first.
 */
export const enter: Command = chainCommands(
  deleteAcrossCommand,
  leaveHeader,
  enterBody,
  leaveCaption,
  startCodeLine,
  openFence,
  splitItem,
  createParagraphNear,
  leaveContainer,
  liftEmpty,
  splitBlock,
)

const isAtStart = ({ selection }: EditorState): boolean => selection.empty && selection.$from.parentOffset === 0

/** Turns a heading or code into a paragraph if the cursor is at its start. */
const resetBlock: Command = (state, dispatch) => {
  const { name } = state.selection.$from.parent.type
  if (!isAtStart(state) || !(name.startsWith('heading') || name === 'code_block')) return false
  return setBlockType(nodeType('paragraph'), { key: state.selection.$from.parent.attrs['key'] as unknown })(
    state,
    dispatch,
  )
}

/** Moves the first text of an item, quote or hint out of the block. */
const liftAtStart: Command = (state, dispatch, view) => {
  if (!isAtStart(state)) return false
  const { $from } = state.selection
  if ($from.depth < 2 || $from.index($from.depth - 1) > 0) return false
  const { type } = $from.node($from.depth - 1)
  if (itemTypes.has(type)) return outdentItem(state, dispatch, view)
  return ['blockquote', 'hint'].includes(type.name) && lift(state, dispatch)
}

export const backspace: Command = chainCommands(
  deleteCells,
  deleteAcrossCommand,
  deleteSelection,
  resetBlock,
  liftAtStart,
  ...backspaceInContainer,
  joinBackward,
  selectNodeBackward,
)

export const deleteForward: Command = chainCommands(
  deleteCells,
  deleteAcrossCommand,
  deleteSelection,
  ...deleteInContainer,
  joinForward,
  selectNodeForward,
)

export const insertBreak: Command = chainCommands(leaveHeader, exitCode, (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent) return false
  dispatch?.(state.tr.replaceSelectionWith(nodeType('hard_break').create()).scrollIntoView())
  return true
})

/** Keeps the focus in the editor when Tab is pressed in a list. */
const keepFocusInList: Command = ({ selection }) => itemTypeAt(selection.$from) !== undefined

const mark = (name: string): Command => toggleMark(schema.marks[name] as (typeof schema.marks)[string])

export const markCommands = {
  bold: mark('bold'),
  italic: mark('italic'),
  strikethrough: mark('strikethrough'),
  keyboard: mark('keyboard'),
  superscript: mark('superscript'),
  subscript: mark('subscript'),
  code: mark('code'),
} satisfies Partial<Record<string, Command>>

/** Returns a command whose code is loaded on first use. */
const loadedCommand =
  (load: () => Promise<Command>, isUsed: (state: EditorState) => boolean): Command =>
  (state, _dispatch, view) => {
    if (!isUsed(state)) return false
    if (view) void load().then((command) => command(view.state, view.dispatch))
    return true
  }

const isInCell = (state: EditorState): boolean => currentCell(state) !== undefined

/** Tag of underlined text, in the form in which the API returns HTML. */
const underlineTag = { object: 'inline', type: 'expression', isVoid: true, data: { expression: "''", html: '<u>' } }

/** Merges the selected cells, or splits the cell with the cursor. */
const mergeOrSplitCells = loadedCommand(async () => (await import('./table/merge-cells.ts')).mergeOrSplit, isInCell)

/** Moves the column with the cursor. */
const moveColumn = (by: -1 | 1): Command =>
  loadedCommand(async () => (await import('./table/change-columns.ts')).moveColumnCommand(by), isInCell)

/** Moves the block with the cursor. */
const moveBlock = (by: -1 | 1): Command =>
  loadedCommand(
    async () => (await import('./blocks/block-places.ts')).moveBlockCommand(by),
    (state) => !isInCell(state),
  )

/** Moves the focus to the menu of the block with the cursor. */
const focusBlockMenu: Command = (state, dispatch, view) => {
  // The menu may be that of the block under the pointer.
  dispatch?.(state.tr)
  focusMenu(view, '.block-menu button, .block-bar button')
  return true
}

/** Keys that delete, including those of macOS and combinations with Ctrl and Shift. */
const deletingKeys = Object.fromEntries(
  Object.entries(baseKeymap).flatMap(([key, command]) => {
    if (command === baseKeymap['Backspace']) return [[key, backspace]]
    return command === baseKeymap['Delete'] ? [[key, deleteForward]] : []
  }),
)

/** Commands by key, as in other editors. */
export const editorKeys: Readonly<Record<string, Command>> = {
  ...deletingKeys,
  ...pageEdgeKeys,
  ArrowUp: chainCommands(moveByRow(-1), pageEdgeKeys.ArrowUp),
  ArrowDown: chainCommands(moveByRow(1), pageEdgeKeys.ArrowDown),
  Enter: enter,
  'Shift-Enter': insertBreak,
  'Mod-Enter': chainCommands(exitCode, insertRowBelow, addPart),
  Tab: chainCommands(indentCode, indentItem, nextCellCommand, keepFocusInList),
  'Shift-Tab': chainCommands(outdentCode, outdentItem, previousCellCommand, keepFocusInList),
  'Alt-Shift-ArrowUp': chainCommands(moveRowUp, moveBlock(-1)),
  'Alt-Shift-ArrowDown': chainCommands(moveRowDown, moveBlock(1)),
  'Alt-Shift-ArrowLeft': moveColumn(-1),
  'Alt-Shift-ArrowRight': moveColumn(1),
  'Alt-F10': chainCommands(focusTableMenu, focusBlockMenu),
  'Mod-Alt-m': mergeOrSplitCells,
  'Mod-b': markCommands.bold,
  'Mod-i': markCommands.italic,
  'Mod-u': toggleMark(schema.marks.html, { data: underlineTag }),
  'Mod-e': markCommands.code,
  'Mod-Shift-x': markCommands.strikethrough,
  'Mod-z': undo,
  'Mod-y': redo,
  'Mod-Shift-z': redo,
}
