import { baseKeymap } from 'prosemirror-commands'
import { gapCursor } from 'prosemirror-gapcursor'
import { history, redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import { EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import { runWhenUsed } from '../ui/lazy.tsx'
import { createAnnotations } from './annotations/annotations.ts'
import { fixArrowKeys } from './arrow-keys.ts'
import { createHiddenBlocks } from './visitor/hidden-blocks.ts'
import { clickBelow } from './click-below.ts'
import { createClipboard } from './clipboard.ts'
import { type HighlightCode, createCodeColors } from './code/code-colors.ts'
import { editorKeys } from './commands.ts'
import { keepBorders } from './delete-across.ts'
import { revealCursor } from './containers/tabs-view.ts'
import { mapFollowedRanges } from './follow-range.ts'
import type { EditorForm } from './forms/form-state.ts'
import { openSelected } from './forms/open-selected.ts'
import { markdownShortcuts } from './input-rules.ts'
import { createNodeViews } from './node-views.ts'
import { editorTexts } from './editor-texts.ts'
import { skipHiddenHeads } from './page-edges.ts'
import type { SendFile } from './paste/data-images.ts'
import { readSelection } from './read-selection.ts'
import type { BlockRenderer } from './rendered-blocks.ts'
import { skipHiddenBlocks } from './long-page.ts'
import { fixTables } from './table/fix-tables.ts'
import { typeOverCells } from './table/type-over-cells.ts'

interface VisualViewOptions {
  parent: HTMLElement
  doc: Node
  label: string
  hint: string
  renderer: BlockRenderer
  /** Called after each change of the content or the selection. */
  onUpdate: (view: EditorView, isChanged: boolean) => void
  /** Called with every transaction before the view shows it. */
  onTransaction: (tr: EditorState['tr']) => void
  onBlur: () => void
  onFiles: (files: readonly File[], position: number) => void
  sendFile: SendFile
  onOpenForm: (form: EditorForm) => void
  /** Converts pasted Markdown to content; undefined if that fails. */
  parseMarkdown: (markdown: string) => Promise<readonly Node[] | undefined>
  highlightCode: HighlightCode
  /** Opens the search. */
  onFind: () => void
  /** Opens the dialog for a link. */
  onLink: () => void
  /** Handles a key before the editor; returns whether it did. */
  onKey: (view: EditorView, key: string) => boolean
}

/** Containers whose empty paragraphs show the hint; list items and cells have no space for it. */
const hintedTypes: ReadonlySet<string> = new Set([
  'doc',
  'hint',
  'blockquote',
  'expandable_body',
  'tabs_item',
  'stepper_step',
  'column',
  'update',
  'if',
])

/** Shows a hint in an empty page, and in the empty paragraph with the cursor. */
const createHint = (hint: string): Plugin =>
  new Plugin({
    props: {
      decorations({ doc, selection }) {
        const { $from, empty } = selection
        const isEmptyPage = doc.childCount === 1 && doc.firstChild?.type.name === 'paragraph'
        const isEmptyParagraph = empty && $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0
        if (!isEmptyParagraph || !hintedTypes.has($from.node(-1).type.name))
          return isEmptyPage && doc.firstChild?.content.size === 0
            ? DecorationSet.create(doc, [hintAt(0, 2, hint)])
            : null
        return DecorationSet.create(doc, [hintAt($from.before(), $from.after(), hint)])
      },
    },
  })

const hintAt = (from: number, to: number, hint: string): Decoration =>
  Decoration.node(from, to, { class: 'editor-hint', 'data-hint': hint })

function takeFiles(event: Event, data: DataTransfer | null, position: number, { onFiles }: VisualViewOptions): boolean {
  const files = [...(data?.files ?? [])]
  // Office programs also put a picture of copied text into the clipboard.
  if (files.length === 0 || data?.types.includes('text/html') || data?.types.includes('text/plain')) return false
  event.preventDefault()
  onFiles(files, position)
  return true
}

/** Creates the editor in an element that has the styles of published content. */
export function createVisualView(options: VisualViewOptions): EditorView {
  // Inserting elements is faster while the editor is not part of the page.
  const view = new EditorView(null, {
    state: EditorState.create({
      doc: options.doc,
      plugins: [
        new Plugin({
          props: {
            handleKeyDown(current, { key }) {
              readSelection(current)
              return options.onKey(current, key)
            },
          },
        }),
        markdownShortcuts(),
        keymap({ Enter: openSelected }),
        keymap({
          'Mod-f': () => {
            options.onFind()
            return true
          },
          // Outside the editor, these keys open the search of the app.
          'Mod-k': ({ selection }) => {
            if (!selection.$from.parent.inlineContent || selection.$from.parent.type.spec.code) return false
            options.onLink()
            return true
          },
        }),
        keymap(editorKeys),
        keymap(baseKeymap),
        history(),
        gapCursor(),
        fixArrowKeys(),
        createHint(options.hint),
        fixTables(),
        skipHiddenHeads(),
        typeOverCells(),
        keepBorders(),
        revealCursor(),
        createClipboard(options.parseMarkdown, options.sendFile),
        createCodeColors(options.highlightCode),
        createAnnotations(),
        createHiddenBlocks(),
        skipHiddenBlocks(),
      ],
    }),
    attributes: {
      class: 'content editor-content',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': options.label,
    },
    nodeViews: createNodeViews(options),
    dispatchTransaction(tr) {
      // Plugins add transactions, for example to complete tables.
      const { state, transactions } = view.state.applyTransaction(tr)
      for (const one of transactions) {
        options.onTransaction(one)
        mapFollowedRanges(view, one)
      }
      view.updateState(state)
      options.onUpdate(
        view,
        transactions.some(({ docChanged }) => docChanged),
      )
    },
    handleClick: (current, _, event) => clickBelow(current, event),
    handlePaste: (current, event) => takeFiles(event, event.clipboardData, current.state.selection.head, options),
    handleDrop: (current, event) => {
      const at = current.posAtCoords({ left: event.clientX, top: event.clientY })
      if (!takeFiles(event, event.dataTransfer, at?.pos ?? current.state.selection.head, options)) return false
      current.focus()
      return true
    },
    handleDOMEvents: {
      // Browser menus and gestures on phones would undo typed text without the other changes.
      beforeinput: (current, event) => {
        const { inputType } = event
        if (inputType !== 'historyUndo' && inputType !== 'historyRedo') return false
        event.preventDefault()
        return (inputType === 'historyUndo' ? undo : redo)(current.state, current.dispatch) || true
      },
      blur: () => {
        options.onBlur()
        return false
      },
      focus: (current) => {
        options.onUpdate(current, false)
        return false
      },
    },
  })
  // As on published pages. Browsers determine the direction again for each inserted element, so it is set after inserting them.
  view.dom.dir = 'auto'
  view.dom.style.setProperty('--title-hint', JSON.stringify(editorTexts.title))
  restoreSelectionOnFocus(view)
  runWhenUsed(() => void showDropCursor(view))
  options.parent.append(view.dom)
  return view
}

/**
 * Restores the selection when a dialog returns the focus. Otherwise browsers place the cursor at the start, where the editor may
 * read it.
 */
function restoreSelectionOnFocus(view: EditorView): void {
  const focusElement = view.dom.focus.bind(view.dom)
  // The editor itself focuses the element with options.
  view.dom.focus = (options) => (options ? focusElement(options) : view.focus())
}

/** Shows where a dragged item will be dropped. */
const showDropCursor = (view: EditorView): Promise<unknown> =>
  import('prosemirror-dropcursor').then(
    ({ dropCursor }) =>
      view.isDestroyed || view.setProps({ plugins: [dropCursor({ class: 'editor-drop', color: false })] }),
    // It can be dropped without the marker.
    () => undefined,
  )
