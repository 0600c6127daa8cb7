import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { Language, defineLanguageFacet, syntaxHighlighting } from '@codemirror/language'
import { ChangeSet, type Extension, Prec, Transaction } from '@codemirror/state'
import { EditorView, type KeyBinding, drawSelection, keymap, placeholder } from '@codemirror/view'
import { GFM, parser } from '@lezer/markdown'
import { codeColors, codeTheme } from './code-theme.ts'
import { diffText } from './line-diff.ts'
import { textKeys } from './text-commands.ts'

interface CodeEditorOptions {
  parent: HTMLElement
  text: string
  label: string
  hint: string
  onChange: () => void
  /** Called when the text or the cursor changes. */
  onUpdate: (view: EditorView) => void
  onBlur: () => void
  onFiles: (files: readonly File[], position: number) => void
  /** Key bindings with precedence over those of the editor. */
  keys: readonly KeyBinding[]
  extensions: Extension
}

const markdown = new Language(defineLanguageFacet(), parser.configure([GFM]), [], 'markdown')

/** Creates the Markdown editor. Its styles are in a shadow root, because the page must not contain style elements. */
export function createCodeEditor(options: CodeEditorOptions): EditorView {
  const root = options.parent.shadowRoot ?? options.parent.attachShadow({ mode: 'open' })
  const view = new EditorView({
    doc: options.text,
    parent: root,
    root,
    extensions: [
      Prec.highest(keymap.of(options.keys)),
      history(),
      drawSelection(),
      keymap.of([...textKeys, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.lineWrapping,
      markdown,
      syntaxHighlighting(codeColors),
      codeTheme,
      placeholder(options.hint),
      EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'true', autocapitalize: 'sentences' }),
      EditorView.domEventHandlers({
        blur: options.onBlur,
        paste: (event, { state }) => takeFiles(event, event.clipboardData, state.selection.main.head, options),
        drop: (event, current) =>
          takeFiles(
            event,
            event.dataTransfer,
            current.posAtCoords({ x: event.clientX, y: event.clientY }, false),
            options,
          ),
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) recordPending(update.view, update.changes, update.transactions)
        if (update.docChanged) options.onChange()
        if (update.docChanged || update.selectionSet || update.focusChanged) options.onUpdate(update.view)
      }),
      options.extensions,
    ],
  })
  return view
}

function takeFiles(event: Event, data: DataTransfer | null, position: number, { onFiles }: CodeEditorOptions): boolean {
  const files = [...(data?.files ?? [])]
  // Office programs also put a picture of copied text into the clipboard.
  if (files.length === 0 || data?.types.includes('text/plain')) return false
  event.preventDefault()
  onFiles(files, position)
  return true
}

/** Changes of the user since a text was sent to the server, by editor. */
const pending = new WeakMap<EditorView, { sent: string; changes: ChangeSet }>()

/** Starts to record the changes of the user. */
export function markSent(view: EditorView): void {
  const sent = view.state.doc.toString()
  pending.set(view, { sent, changes: ChangeSet.empty(sent.length) })
}

function recordPending(view: EditorView, changes: ChangeSet, transactions: readonly Transaction[]): void {
  const record = pending.get(view)
  if (!record || transactions.some((one) => one.annotation(Transaction.remote) === true)) return
  pending.set(view, { ...record, changes: record.changes.compose(changes) })
}

/**
 * Replaces the sent text with the text that the server stored. The cursor remains, and the change is not part of the undo history.
 */
export function applyStoredText(view: EditorView, sent: string, stored: string): void {
  const record = pending.get(view)
  const stays = ChangeSet.empty(view.state.doc.length)
  const own = record?.sent === sent ? record.changes : stays
  const base = record?.sent === sent ? sent : view.state.doc.toString()
  const changes = ChangeSet.of(diffText(base, stored), base.length).map(own)
  pending.delete(view)
  view.dispatch({ changes, annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)] })
}
