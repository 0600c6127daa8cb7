import type { Mark } from 'prosemirror-model'
import { type EditorState, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { ContentRef } from '../../content/document/nodes.ts'
import { isSafeUrl, newLinkId } from './inline-schema.ts'
import { schema } from './schema.ts'

const linkType = schema.marks['link']

/** A link at the cursor with the text that it contains. */
interface FoundLink {
  from: number
  to: number
  mark: Mark
}

/** Returns the link that contains the cursor, or the start of the selection. */
export function findLink({ selection: { $from, empty } }: EditorState): FoundLink | undefined {
  const { parent } = $from
  const index = $from.index()
  const before = empty && $from.textOffset === 0 ? parent.maybeChild(index - 1) : null
  const mark = [parent.maybeChild(index), before].flatMap((node) => (node && linkType.isInSet(node.marks)) ?? []).at(0)
  if (!mark) return undefined
  const isInLink = (at: number) => linkType.isInSet(parent.maybeChild(at)?.marks ?? [])?.eq(mark) === true
  let [first, last] = [isInLink(index) ? index : index - 1, isInLink(index) ? index : index - 1]
  while (first > 0 && isInLink(first - 1)) first--
  while (isInLink(last + 1)) last++
  const sizes = parent.children.map(({ nodeSize }) => nodeSize)
  const sum = (count: number) => sizes.slice(0, count).reduce((total, size) => total + size, $from.start())
  return { from: sum(first), to: sum(last + 1), mark }
}

/** Returns the range whose link is changed: the selection, or the link that contains the cursor. */
function findRange(state: EditorState): { from: number; to: number } {
  const { selection } = state
  return (selection.empty ? findLink(state) : undefined) ?? selection
}

export const createLink = (ref: ContentRef): Mark => linkType.create({ id: newLinkId(), data: { ref } })

/** Links the selected text or changes the link at the cursor; otherwise inserts the title of the page or the address. */
export function insertLink(view: EditorView, destination: string, title: string, pageId: string | undefined): void {
  const { from, to } = findRange(view.state)
  const link = createLink(toRef(destination, pageId))
  const { tr } = view.state
  const text = schema.text(title || destination, [...view.state.selection.$from.marks(), link])
  view.dispatch((from === to ? tr.replaceSelectionWith(text, false) : tr.addMark(from, to, link)).scrollIntoView())
  view.focus()
}

/** Links the selected text to a pasted URL, or inserts the URL as a link; returns whether the text is a URL. */
export function pasteUrl(view: EditorView, pasted: string): boolean {
  const url = pasted.trim()
  const { selection, tr } = view.state
  const { $from, $to, from, to, empty } = selection
  if (/\s/.test(url) || !isSafeUrl(url) || !(selection instanceof TextSelection) || !$from.sameParent($to)) return false
  const isCode = $from.marks().some(({ type }) => type.name === 'code')
  if (isCode || !$from.parent.type.allowsMarkType(linkType)) return false
  const link = createLink({ kind: 'url', url })
  view.dispatch(
    (empty ? tr.replaceSelectionWith(schema.text(url, [link]), false) : tr.addMark(from, to, link)).scrollIntoView(),
  )
  return true
}

/** Returns the reference for the destination of a link, as the dialog returns it. */
export function toRef(destination: string, pageId: string | undefined): ContentRef {
  if (pageId !== undefined) {
    const anchor = destination.split('#')[1]
    return anchor === undefined ? { kind: 'page', page: pageId } : { kind: 'anchor', anchor, page: pageId }
  }
  return destination.startsWith('#')
    ? { kind: 'anchor', anchor: destination.slice(1) }
    : { kind: 'url', url: destination }
}

/** Returns the address of a link for a form; empty if it has none, or points to a page. */
export function toAddress({ attrs }: Mark): string {
  const { ref } = attrs['data'] as { ref: ContentRef }
  if (ref.kind === 'url') return ref.url
  return ref.kind === 'anchor' && ref.page === undefined ? `#${ref.anchor}` : ''
}

/** Whether the selection contains a link. */
export function hasLink({ state }: EditorView): boolean {
  const { from, to } = state.selection
  return state.doc.rangeHasMark(from, to, linkType)
}

export function removeLink(view: EditorView): void {
  const { from, to } = findRange(view.state)
  view.dispatch(view.state.tr.removeMark(from, to, linkType))
  view.focus()
}
