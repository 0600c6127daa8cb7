import type { EditorView } from 'prosemirror-view'

/** Inserts lines that were copied from Visual Studio Code as code; its HTML has no structure. */
export function pasteProgram(view: EditorView, source: string, text: string): boolean {
  if (source === '' || !text.includes('\n')) return false
  const syntax = /"mode":"([\w+#-]{1,40})"/.exec(source)?.[1]
  const { schema, tr } = view.state
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '')
  const attrs = { data: syntax === undefined || syntax === 'plaintext' ? null : { syntax } }
  const code = schema.node('code_block', attrs, lines === '' ? [] : [schema.text(lines)])
  view.dispatch(tr.replaceSelectionWith(code).scrollIntoView())
  return true
}
