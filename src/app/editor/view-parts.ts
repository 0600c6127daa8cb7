import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'

export type GetPosition = () => number | undefined

/** Creates an element with attributes. */
export function create(
  tag: string,
  className?: string,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElement {
  const element = document.createElement(tag)
  if (className !== undefined) element.className = className
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

/** Changes fields of the data of the block at a position; empty texts are removed. */
export function setData(view: EditorView, getPosition: GetPosition, data: Readonly<Record<string, unknown>>): void {
  const position = getPosition()
  const node = position === undefined ? null : view.state.doc.nodeAt(position)
  if (position === undefined || !node) return
  const kept = Object.entries({ ...(node.attrs['data'] as object | null), ...data }).filter(([, value]) => value !== '')
  view.dispatch(view.state.tr.setNodeAttribute(position, 'data', Object.fromEntries(kept)))
}

export const dataOf = (node: Node): Readonly<Record<string, unknown>> =>
  (node.attrs['data'] ?? {}) as Record<string, unknown>

/** Creates a field for a part of the data of a block, outside of the text. */
export function createField(
  name: string,
  label: string,
  view: EditorView,
  getPosition: GetPosition,
  { isRequired = false } = {},
): { element: HTMLInputElement; show: (node: Node) => void } {
  const element = create('input', `editor-field editor-field-${name}`, {
    type: 'text',
    'aria-label': label,
    placeholder: label,
    spellcheck: 'false',
  }) as HTMLInputElement
  let shown = ''
  element.addEventListener('change', () => {
    const value = element.value.trim()
    if (isRequired && value === '') element.value = shown
    else setData(view, getPosition, { [name]: value })
  })
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    // The editor would get the key together with the focus.
    event.preventDefault()
    view.focus()
  })
  const show = (node: Node) => {
    const value = dataOf(node)[name]
    shown = typeof value === 'string' ? value : ''
    if (document.activeElement !== element) element.value = shown
  }
  return { element, show }
}

export const isField = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.closest('input, button') !== null

export const isOutside = (content: HTMLElement) => (mutation: { type: string; target: globalThis.Node }) =>
  mutation.type !== 'selection' && !content.contains(mutation.target)

/** Completes a view of a block with fields, which are updated with the block. */
export function withFields(
  node: Node,
  { dom, contentDOM }: { dom: HTMLElement; contentDOM: HTMLElement },
  shows: readonly ((node: Node) => void)[],
): NodeView {
  for (const show of shows) show(node)
  return {
    dom,
    contentDOM,
    stopEvent: isField,
    ignoreMutation: isOutside(contentDOM),
    update(next) {
      if (next.type !== node.type) return false
      for (const show of shows) show(next)
      return true
    },
  }
}
