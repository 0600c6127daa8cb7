import { closeHistory } from 'prosemirror-history'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { runWhenUsed } from '../ui/lazy.tsx'
import { showToast } from '../ui/toasts.tsx'
import { editorTexts } from './editor-texts.ts'
import { insertBlock, placeCursorAfter } from './files.ts'
import { followRange, followStartKey } from './follow-range.ts'
import { pasteUrl } from './links.ts'
import { looksLikeMarkdown } from './markdown.ts'
import type { SendFile } from './paste/data-images.ts'
import { imageData } from './paste/image-data.ts'
import { limitLines } from './paste/limit-lines.ts'
import { readSelection } from './read-selection.ts'
import { findCell } from './table/table-model.ts'

/** Maximum length of pasted HTML and text in characters; more would block the browser. */
const maxPaste = 2 * 1024 * 1024

/** Whether HTML without the images in it, or a text, would block the browser. */
const isTooLarge = (pasted: string): boolean =>
  pasted.length > maxPaste && pasted.replace(imageData, '').length > maxPaste

/** Converts pasted HTML; undefined until it is loaded. */
let converter: typeof import('./paste/clean-html.ts') | undefined

/** Content that was last copied in this window, so that it can be pasted into another page. */
let copied: Slice | undefined

const loadConverter = (): Promise<unknown> =>
  import('./paste/clean-html.ts').then(
    (module) => (converter = module),
    () => undefined,
  )

/** Returns the text of HTML as a paragraph. */
function keepText(html: string): string {
  const paragraph = document.createElement('p')
  paragraph.textContent = new DOMParser().parseFromString(html, 'text/html').body.textContent
  return paragraph.outerHTML
}

/** Name under which the content that was last copied in any window is stored. */
const storageKey = 'octavo.copied'

/** Maximum length of stored content in characters, because the storage of browsers is small. */
const maxStored = 512 * 1024

/**
 * Stores copied content, also for other windows. HTML in the clipboard could come from any website, but other websites cannot write
 * to this storage.
 */
function keepCopied({ state: { selection } }: EditorView): void {
  if (selection.empty) return
  copied = selection.content()
  try {
    const json = JSON.stringify(copied)
    if (json.length > maxStored) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, json)
  } catch {
    // Other windows get the HTML when the storage is full.
  }
}

/** Returns the content that was last copied in another window. */
function readStored({ state: { schema } }: EditorView): Slice | undefined {
  try {
    const slice = Slice.fromJSON(schema, JSON.parse(localStorage.getItem(storageKey) ?? 'null'))
    slice.content.forEach((node) => node.check())
    return slice
  } catch {
    // Another version of the app may have stored it.
    return undefined
  }
}

/** Returns the content that was last copied from an editor, if the HTML in the clipboard is the same. */
function findCopied(view: EditorView, html: string): Slice | undefined {
  if (!html.includes('data-pm-slice')) return undefined
  const isSame = (slice: Slice | undefined) =>
    slice !== undefined && slice.size > 0 && html.includes(view.serializeForClipboard(slice).dom.innerHTML)
  return [() => copied, () => readStored(view)].map((read) => read()).find(isSame)
}

/**
 * Inserts content that was copied from this editor unchanged, because HTML would lose the data of blocks and of nodes that are not
 * edited in place. Other HTML is parsed with the rules of the schema, which drop styles and scripts, and Markdown is parsed by the
 * server.
 */
export function createClipboard(
  parse: (markdown: string) => Promise<readonly Node[] | undefined>,
  send: SendFile,
): Plugin {
  const tools = {
    send,
    closeHistory,
    findCell,
    insertBlock,
    placeCursorAfter,
    followRange,
    followStartKey,
    readSelection,
  }
  /** Whether the last keys were Ctrl+Shift+V, which paste plain text. */
  let isPlain = false
  runWhenUsed(() => void loadConverter())
  return new Plugin({
    appendTransaction: (_transactions, _before, state) => converter?.takeImages(state, tools),
    props: {
      handleKeyDown(_, { shiftKey, key }) {
        isPlain = shiftKey && key.toLowerCase() === 'v'
        return false
      },
      handleDOMEvents: { copy: keepCopied, cut: keepCopied },
      // Pasted HTML is parsed before the paste is handled.
      transformPastedText: (text, _, { state }) =>
        text.length > maxPaste ? '' : state.selection.$from.parent.type.spec.code ? text : limitLines(text),
      transformPastedHTML: (html) => (isTooLarge(html) ? '' : (converter?.cleanHtml ?? keepText)(html)),
      handlePaste(view, { clipboardData }, slice) {
        const [html, text] = [clipboardData?.getData('text/html') ?? '', clipboardData?.getData('text/plain') ?? '']
        if (isTooLarge(html) || text.length > maxPaste) {
          showToast(editorTexts.pasteTooLarge, { kind: 'error' })
          return true
        }
        const own = findCopied(view, html)
        if (own) {
          if (!pasteInTitle(view, own)) view.dispatch(view.state.tr.replaceSelection(own).scrollIntoView())
          return true
        }
        const { parent } = view.state.selection.$from
        const isAlone = parent.type.name === 'paragraph' && parent.content.size === 0
        const isCode = parent.type.spec.code === true
        if (isPlain || isCode) return false
        const program = clipboardData?.getData('vscode-editor-data') ?? ''
        if (converter?.pasteProgram(view, program, text)) return true
        if (isOnlyUrl(html, text) && pasteUrl(view, text)) {
          if (!isAlone) return true
          const url = text.trim()
          const { head } = view.state.selection
          const range = followRange(view, head - url.length, head)
          void loadConverter().then(() => converter?.embedPasted(view, url, range, tools))
          return true
        }
        if (converter?.pasteTable(view, html, text)) return true
        if (!converter && (html + program !== '' || text.includes('\t'))) {
          void loadConverter().then(() => {
            if (view.isDestroyed || converter?.pasteProgram(view, program, text)) return
            if (converter?.pasteTable(view, html, text)) return
            if (html === '') view.pasteText(text)
            else view.pasteHTML(html)
          })
          return true
        }
        if (html !== '' || !looksLikeMarkdown(text)) return pasteInTitle(view, slice)
        const range = followRange(view, view.state.selection.from, view.state.selection.to)
        void loadConverter().then(() => {
          if (converter) void converter.pasteMarkdown(view, range, parse(text), { pasteInTitle, readSelection, text })
          else {
            range.stop()
            view.pasteText(text)
          }
        })
        return true
      },
    },
  })
}

/**
 * Inserts blocks into a title that would otherwise be split: into titles of columns and captions as one text, and into the title of
 * an expandable with the blocks after the first text in its body.
 */
function pasteInTitle({ state, dispatch }: EditorView, { content }: Slice): boolean {
  const { $from, $to } = state.selection
  const { name } = $from.parent.type
  if (!$from.sameParent($to)) return false
  const { tr } = state
  if (name === 'table_header' || name === 'image') {
    const texts: Node[] = []
    content.descendants((node) => {
      if (node.inlineContent) texts.push(...(texts.length > 0 ? [state.schema.text(' ')] : []), ...node.children)
      return !node.inlineContent
    })
    if (texts.length === 0) return false
    tr.replaceWith($from.pos, $to.pos, texts)
  } else {
    const title = content.firstChild?.inlineContent ? content.firstChild : undefined
    const blocks = content.content.slice(title ? 1 : 0)
    const body = name === 'expandable_title' ? state.doc.nodeAt($from.after()) : null
    if (blocks.length === 0 || !body?.canReplace(0, 0, Fragment.from(blocks))) return false
    tr.insert($from.after() + 1, blocks).replaceWith($from.pos, $to.pos, title?.content ?? Fragment.empty)
  }
  dispatch(tr.scrollIntoView())
  return true
}

/** Maximum length of a URL that is pasted as a link. */
const maxUrl = 2000

/** Whether the clipboard contains only a URL, as text or as a link without a title. */
const isOnlyUrl = (html: string, text: string): boolean =>
  (html === '' && text.length <= maxUrl) ||
  (text.length <= maxUrl &&
    html.length <= 2 * maxUrl &&
    new DOMParser().parseFromString(html, 'text/html').body.textContent.trim() === text.trim())
