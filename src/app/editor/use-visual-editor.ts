import { type Signal, computed, signal } from '@preact/signals'
import { type RefObject, createRef } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../content/document/nodes.ts'
import { loadModule } from '../load-module.ts'
import { readPageText } from '../screens/edit/page-text.ts'
import { documentFormat } from '../screens/edit/document-format.ts'
import { editTexts } from '../screens/edit/edit-texts.ts'
import { type EditorInput, type EditorModel, createEditorModel } from '../screens/edit/editor-model.ts'
import { copyText } from '../ui/copy.tsx'
import { showError } from '../ui/toasts.tsx'
import { keyOfNode, showAddressedBlock } from './annotations/annotations.ts'
import { createHighlighter } from './code/highlight-code.ts'
import { createVisualView } from './create-view.ts'
import { createBodyPrinter, createComparator, parseBody, readBlocks, toNodes } from './document-text.ts'
import { createEmojiList } from './emoji-list.ts'
import { editorTexts } from './editor-texts.ts'
import { createFileNode, insertBlock, placeCursorAfter } from './files.ts'
import { followRange } from './follow-range.ts'
import { type EditorForm, filesKey, formKey, mapForm } from './forms/form-state.ts'
import { parseMarkdown, printBlocks } from './markdown.ts'
import type { Origins } from './origins.ts'
import type { SendFile } from './paste/data-images.ts'
import { readSelection } from './read-selection.ts'
import {
  type SentContent,
  createRemoteTransaction,
  hasStoredContent,
  markContentSent,
  remoteKey,
} from './remote-changes.ts'
import { BlockRenderer } from './rendered-blocks.ts'
import { createSlashList } from './slash-list.ts'
import type { SuggestionList } from './suggestion-list.ts'
import { createMentionList, createVariableList } from './suggestions/inline-lists.ts'
import { toBlock, toDocument } from './to-document.ts'

/** The state of an open visual editor. */
export interface VisualEditorModel extends EditorModel {
  /** Lists that open while typing. */
  lists: readonly { label: string | undefined; list: SuggestionList }[]
  /** Whether the search is open. */
  isFinding: Signal<boolean>
  /** Whether the dialog for a link is open. */
  isLinking: Signal<boolean>
  block: Signal<string | undefined>
  /** Counts changes of the content and the selection. */
  changes: Signal<number>
  host: RefObject<HTMLDivElement | null>
  getView: () => EditorView | undefined
  /** File input of the editor. */
  fileInput: RefObject<HTMLInputElement | null>
  /** Uploads files and inserts them at a position, or at the cursor. */
  addFiles: (files: readonly File[], position?: number) => Promise<void>
  /** The open form for a part of the page. */
  form: Signal<EditorForm | undefined>
  renderer: BlockRenderer
  /** Copies a block, the selected text, or the whole page as Markdown. */
  copyMarkdown: (node?: Node) => Promise<void>
  /** Returns the key of a block. A new block gets one when it is saved, so the page is saved first. */
  readKey: (node: Node) => Promise<string>
  /** Converts blocks to content of the editor. */
  toNodes: (blocks: readonly Block[]) => readonly Node[]
}

/** Creates the editor of a page; when it is closed, saves unsaved changes. */
export function useVisualEditor(input: EditorInput): VisualEditorModel {
  const [{ model, open }] = useState(() => createEditor(input))
  useEffect(open, [])
  return model
}

function createEditor(input: EditorInput): { model: VisualEditorModel; open: () => () => void } {
  const { organizationId, place } = input
  const origins: Origins = new WeakMap()
  const [print, compare] = [createBodyPrinter(origins), createComparator(origins)]
  const lists: VisualEditorModel['lists'] = [
    { label: undefined, list: createSlashList() },
    { label: editorTexts.emoji, list: createEmojiList() },
    { label: editorTexts.peopleAndPages, list: createMentionList(organizationId, place) },
    { label: editorTexts.variables, list: createVariableList(place) },
  ]
  const changes = signal(0)
  const form = signal<EditorForm | undefined>(undefined)
  const renderer = new BlockRenderer(place)
  const isFinding = signal(false)
  const isLinking = signal(false)
  const host = createRef<HTMLDivElement>()
  const fileInput = createRef<HTMLInputElement>()
  const doc = signal<Node | undefined>(undefined)
  const body = computed(() => (doc.value ? print(doc.value) : input.initial.body))
  let view: EditorView | undefined
  let sent: SentContent | undefined
  const model = createEditorModel(input, documentFormat, {
    body,
    markSent: () => (sent = view && markContentSent(view.state.doc)),
    applyText(_, stored) {
      if (!view) return undefined
      readSelection(view)
      const base = sent ?? markContentSent(view.state.doc)
      const next = parseBody(stored, origins)
      sent = undefined
      view.dispatch(createRemoteTransaction(view.state, base, next, compare))
      const { doc: shown } = view.state
      return hasStoredContent(shown, next, compare) ? print(shown) : undefined
    },
    setText(text) {
      if (!view) return
      sent = undefined
      const { content } = parseBody(text, origins)
      view.dispatch(view.state.tr.replaceWith(0, view.state.doc.content.size, content))
    },
  })
  const { saver, uploads } = model
  const sendFile: SendFile = async (file) => {
    const sending = await loadModule(() => import('../screens/edit/send-file.ts')).catch(showError)
    return sending?.sendFile(sending.newUploadId(), file, { organizationId, place, uploads })
  }
  const addFiles = async (files: readonly File[], at?: number) => {
    if (!view) return
    const { head } = view.state.selection
    let range = followRange(view, at ?? head)
    let cursor = followRange(view, head)
    const stop = () => {
      range.stop()
      cursor.stop()
    }
    for (const file of files) {
      const added = await sendFile(file)
      if (!view) return
      if (!added) continue
      readSelection(view)
      const { tr, selection } = view.state
      const end = insertBlock(tr, createFileNode(added), range.from)
      // If the cursor was moved while the file was uploaded, it remains there.
      if (selection.empty && selection.head === cursor.from) placeCursorAfter(tr, end)
      stop()
      view.dispatch(tr)
      range = followRange(view, end)
      cursor = followRange(view, view.state.selection.head)
    }
    stop()
  }
  const open = () => {
    if (!host.current) return () => undefined
    view = createVisualView({
      parent: host.current,
      doc: input.initial.blocks
        ? readBlocks(input.initial.blocks as readonly Block[], origins)
        : parseBody(input.initial.body, origins),
      label: editTexts.visualEditor,
      hint: editTexts.editorHint,
      renderer,
      onFiles: (files, position) => void addFiles(files, position),
      sendFile,
      onBlur: () => saver.blurred(),
      onOpenForm: (opened) => (form.value = opened),
      parseMarkdown: (markdown) =>
        parseMarkdown(place, markdown).then(
          (blocks) => toNodes(blocks, origins),
          () => undefined,
        ),
      highlightCode: createHighlighter(place),
      onFind: () => (isFinding.value = true),
      onLink: () => (isLinking.value = true),
      onKey: (current, key) => lists.some(({ list }) => list.handleKey(current, key)),
      onTransaction(tr) {
        const opened = tr.getMeta(formKey) as EditorForm | undefined
        if (tr.getMeta(filesKey) === true) fileInput.current?.click()
        if (opened) form.value = opened
        else if (tr.docChanged && form.value) form.value = mapForm(form.value, tr)
        if (tr.docChanged && tr.getMeta(remoteKey) !== true) sent?.mapping.appendMapping(tr.mapping)
      },
      onUpdate(current, isChanged) {
        view = current
        if (isChanged) {
          doc.value = current.state.doc
          saver.changed()
        }
        for (const { list } of lists) list.update(current)
        changes.value++
      },
    })
    showAddressedBlock(view)
    model.restoreMoved()
    return () => {
      saver.close()
      view?.destroy()
      view = undefined
    }
  }
  const readKey = async (node: Node) => {
    const known = keyOfNode(node)
    if (known !== undefined) return known
    await saver.flush()
    const { body: stored } = await readPageText(place, documentFormat)
    const key = findKey(stored, node)
    if (key === undefined) throw new Error(editorTexts.notStored)
    return key
  }
  const findKey = (stored: string, node: Node): string | undefined => {
    let found: string | undefined
    parseBody(stored, origins).descendants((one) => {
      if (found === undefined && one.type === node.type && compare(one) === compare(node)) found = keyOfNode(one)
      return found === undefined && !one.isTextblock
    })
    return found
  }
  const copyMarkdown = async (node?: Node) => {
    if (!view) return
    const { selection, doc: shown } = view.state
    const { nodes } = toDocument(selection.empty ? shown : shown.cut(selection.from, selection.to), origins)
    await copyText(printBlocks(place, node ? [toBlock(node, origins)] : nodes))
  }
  return {
    model: {
      ...model,
      lists,
      isFinding,
      isLinking,
      changes,
      block: signal<string | undefined>(undefined),
      form,
      renderer,
      host,
      getView: () => view,
      fileInput,
      addFiles,
      copyMarkdown,
      readKey,
      toNodes: (blocks) => toNodes(blocks, origins),
    },
    open,
  }
}
