import { setBlockType } from 'prosemirror-commands'
import { type Command, type EditorState, TextSelection } from 'prosemirror-state'
import { nodeType, schema } from '../schema.ts'

/** The selected lines of a block of code. */
interface SelectedLines {
  /** Positions where the lines start. */
  starts: readonly number[]
  /** Returns the text of the block from a position on. */
  textFrom: (position: number) => string
  /** One level of indentation. */
  unit: string
}

/** Returns the lines of code that the selection touches; undefined outside of code. */
function readLines({ selection: { $from, $to } }: EditorState): SelectedLines | undefined {
  if ($from.parent.type.spec.code !== true || !$from.sameParent($to)) return undefined
  const text = $from.parent.textContent
  const start = $from.start()
  const first = text.slice(0, $from.parentOffset).lastIndexOf('\n') + 1
  const selected = text.slice(first, $to.parentOffset)
  const starts = [...selected.matchAll(/\n/g)].map(({ index }) => start + first + index + 1)
  return {
    starts: [start + first, ...starts],
    textFrom: (position) => text.slice(position - start),
    unit: /^\t/m.test(text) ? '\t' : '  ',
  }
}

/** Indents the selected lines, or inserts an indentation at the cursor. */
export const indentCode: Command = (state, dispatch) => {
  const lines = readLines(state)
  if (!lines) return false
  const { tr, selection } = state
  if (selection.empty) tr.insertText(lines.unit)
  else for (const position of lines.starts.toReversed()) tr.insertText(lines.unit, position)
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Removes one level of indentation from the selected lines. */
export const outdentCode: Command = (state, dispatch) => {
  const lines = readLines(state)
  if (!lines) return false
  const { tr } = state
  for (const position of lines.starts.toReversed()) {
    const indentation = /^(?:\t| {1,2})/.exec(lines.textFrom(position))?.[0].length ?? 0
    if (indentation > 0) tr.delete(position, position + indentation)
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Starts a line of code with the indentation of the current one. */
export const startCodeLine: Command = (state, dispatch) => {
  const lines = readLines(state)
  const [start] = lines?.starts ?? []
  if (!lines || start === undefined) return false
  const indentation = /^[ \t]*/.exec(lines.textFrom(start).slice(0, state.selection.from - start))?.[0] ?? ''
  dispatch?.(state.tr.insertText(`\n${indentation}`).scrollIntoView())
  return true
}

/** Turns a paragraph with the opening of fenced code into code. */
export const openFence: Command = ({ selection: { $from, empty }, tr }, dispatch) => {
  const { parent } = $from
  const fence = /^```([\w+#.-]*)$/.exec(parent.textContent)
  const type = nodeType('code_block')
  if (!empty || !fence || parent.type.name !== 'paragraph' || $from.parentOffset !== fence[0].length) return false
  const index = $from.index(-1)
  if (!$from.node(-1).canReplaceWith(index, index + 1, type)) return false
  const data = fence[1] ? { syntax: fence[1] } : null
  dispatch?.(
    tr.delete($from.start(), $from.end()).setBlockType($from.start(), undefined, type, { data }).scrollIntoView(),
  )
  return true
}

/** Turns the selected text into code; the lines of several paragraphs are one block. */
export const setCode: Command = (state, dispatch, view) => {
  const { $from, $to } = state.selection
  const range = $from.blockRange($to)
  const blocks = range?.parent.children.slice(range.startIndex, range.endIndex) ?? []
  if (!range || blocks.length < 2 || !blocks.every(({ isTextblock }) => isTextblock))
    return setBlockType(nodeType('code_block'))(state, dispatch, view)
  const lines = blocks.map((block) => block.textBetween(0, block.content.size, '\n', '\n')).join('\n')
  const code = nodeType('code_block').create(null, lines === '' ? [] : [schema.text(lines)])
  const tr = state.tr.replaceWith(range.start, range.end, code)
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, range.start + 1 + lines.length)).scrollIntoView())
  return true
}
