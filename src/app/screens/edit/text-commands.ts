import type { EditorState } from '@codemirror/state'
import type { Command, EditorView, KeyBinding } from '@codemirror/view'

/** Puts marks around the selection, or removes them. */
export const toggleMark =
  (mark: string): Command =>
  (view) => {
    const { from, to } = view.state.selection.main
    const { doc } = view.state
    const [before, after] = [doc.sliceString(from - mark.length, from), doc.sliceString(to, to + mark.length)]
    const isMarked = from >= mark.length && before === mark && after === mark
    const changes = isMarked
      ? [
          { from: from - mark.length, to: from },
          { from: to, to: to + mark.length },
        ]
      : [
          { from, insert: mark },
          { from: to, insert: mark },
        ]
    const shift = isMarked ? -mark.length : mark.length
    view.dispatch({
      changes,
      selection: { anchor: from + shift, head: to + shift },
      userEvent: 'input',
      scrollIntoView: true,
    })
    view.focus()
    return true
  }

/** Adds a prefix to the selected lines, or removes it if all have it. */
export const toggleLinePrefix =
  (prefix: string): Command =>
  (view) => {
    const { doc, selection } = view.state
    const [first, last] = [doc.lineAt(selection.main.from).number, doc.lineAt(selection.main.to).number]
    const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index))
    const hasPrefix = lines.every(({ text }) => text.startsWith(prefix))
    const changes = lines.map(({ from }) => (hasPrefix ? { from, to: from + prefix.length } : { from, insert: prefix }))
    view.dispatch({ changes, userEvent: 'input', scrollIntoView: true })
    view.focus()
    return true
  }

/** Inserts a block between empty lines, and selects its first `{…}` or places the cursor after it. */
export function insertBlock(view: EditorView, text: string, range = currentLineIfEmpty(view.state)): void {
  const { doc } = view.state
  const [before, after] = [
    doc.sliceString(Math.max(0, range.from - 2), range.from),
    doc.sliceString(range.to, range.to + 2),
  ]
  const start = range.from === 0 || before === '\n\n' ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const end = range.to === doc.length || after === '\n\n' ? '' : after.startsWith('\n') ? '\n' : '\n\n'
  const [, lead = text, name] = /^([^]*?)\{\{(.*?)\}\}/.exec(text) ?? []
  const plain = text.replace(/\{\{(.*?)\}\}/g, '$1')
  const anchor = range.from + start.length + lead.length
  view.dispatch({
    changes: { ...range, insert: start + plain + end },
    selection: { anchor, head: anchor + (name?.length ?? 0) },
    userEvent: 'input',
    scrollIntoView: true,
  })
  view.focus()
}

/** Returns the range of the line with the cursor if the line is empty; otherwise the end of the line. */
function currentLineIfEmpty(state: EditorState): { from: number; to: number } {
  const line = state.doc.lineAt(state.selection.main.head)
  return line.text.trim() === '' ? { from: line.from, to: line.to } : { from: line.to, to: line.to }
}

/** Replaces the selection. */
export function insertText(view: EditorView, insert: string): void {
  view.dispatch(view.state.replaceSelection(insert), { userEvent: 'input', scrollIntoView: true })
  view.focus()
}

/** Continues a list or quote on a new line; an empty entry ends it. */
const continueList: Command = (view) => {
  const { doc, selection } = view.state
  const { from, to } = selection.main
  const line = doc.lineAt(from)
  const match = /^(\s*)([-*+]|(\d+)([.)])|>)(\s+)(\[[ x]\]\s+)?/.exec(line.text)
  if (!match || to > line.to || from < line.from + match[0].length) return false
  const [marker, indent = '', bullet = '', number, delimiter = '', space = ' ', task] = match
  if (line.text.slice(marker.length).trim() === '') {
    view.dispatch({ changes: { from: line.from, to: line.to }, userEvent: 'input' })
    return true
  }
  const next = number === undefined ? bullet : `${Number(number) + 1}${delimiter}`
  const insert = `\n${indent}${next}${space}${task === undefined ? '' : '[ ] '}`
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input',
    scrollIntoView: true,
  })
  return true
}

export const textKeys: readonly KeyBinding[] = [
  { key: 'Enter', run: continueList },
  { key: 'Mod-b', run: toggleMark('**') },
  { key: 'Mod-i', run: toggleMark('_') },
  { key: 'Mod-e', run: toggleMark('`') },
]
