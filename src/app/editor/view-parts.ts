import type { Node } from 'prosemirror-model'
import type { EditorView, NodeView } from 'prosemirror-view'
import { type FirstIconName, iconSources } from '../ui/icons.ts'

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

const knownIcons = new Map<FirstIconName, HTMLTemplateElement>()

/** Creates an icon. A page may have hundreds of hints, and copying nodes is faster than parsing markup. */
export function createIcon(name: FirstIconName): globalThis.Node {
  const known = knownIcons.get(name) ?? (create('template') as HTMLTemplateElement)
  if (!knownIcons.has(name)) {
    // The sources are files of a package, not input.
    known.innerHTML = `<svg viewBox="0 0 24 24" class="editor-icon" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">${iconSources[name]}</svg>`
    knownIcons.set(name, known)
  }
  return known.content.cloneNode(true)
}

/** Creates a button with its name or an icon. */
export function createButton(className: string, label: string, onClick: () => void, icon?: FirstIconName): HTMLElement {
  const button = create('button', className, {
    type: 'button',
    contenteditable: 'false',
    ...(icon && { 'aria-label': label, title: label }),
  })
  button.append(icon ? createIcon(icon) : label)
  button.addEventListener('click', onClick)
  return button
}

/** Returns a function that is called with the position of a block, unless the block was removed. */
export const withPosition = (getPosition: GetPosition, run: (position: number) => void) => (): void => {
  const position = getPosition()
  if (position !== undefined) run(position)
}

/** Callbacks for dragging a handle. */
interface Drag {
  /** Called with the distance from the start, in pixels in the direction of the text. */
  move: (distance: number) => void
  end: () => void
}

/** Makes a handle draggable; `start` returns undefined if there is nothing to change. */
export function makeDraggable(handle: HTMLElement, start: () => Drag | undefined): void {
  handle.addEventListener('pointerdown', (event) => {
    const drag = start()
    if (!drag) return
    event.preventDefault()
    const direction = getComputedStyle(handle).direction === 'rtl' ? -1 : 1
    const stop = new AbortController()
    const end = () => {
      stop.abort()
      drag.end()
    }
    handle.setPointerCapture(event.pointerId)
    const { signal } = stop
    handle.addEventListener('pointermove', ({ clientX }) => drag.move(direction * (clientX - event.clientX)), {
      signal,
    })
    handle.addEventListener('pointerup', end, { signal })
    handle.addEventListener('pointercancel', end, { signal })
  })
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

const createInput = (name: string, label: string): HTMLElement =>
  create('input', `editor-field editor-field-${name}`, {
    type: 'text',
    'aria-label': label,
    placeholder: label,
    spellcheck: 'false',
  })

const knownInputs = new Map<string, HTMLElement>()

/** Creates a field for a part of the data of a block, outside of the text. */
export function createField(
  name: string,
  label: string,
  view: EditorView,
  getPosition: GetPosition,
  { isRequired = false } = {},
): { element: HTMLInputElement; show: (node: Node) => void } {
  const known = knownInputs.get(name) ?? createInput(name, label)
  knownInputs.set(name, known)
  const element = known.cloneNode() as HTMLInputElement
  let shown = ''
  element.addEventListener('change', () => {
    const value = element.value.trim()
    if (isRequired && value === '') element.value = shown
    else setData(view, getPosition, { [name]: value })
  })
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    // Otherwise the editor would handle the key together with the focus.
    event.preventDefault()
    view.focus()
  })
  const show = (node: Node) => {
    const value = dataOf(node)[name]
    shown = typeof value === 'string' ? value : ''
    // Browsers create the inner elements of a field when its value is set.
    if (element.value !== shown && document.activeElement !== element) element.value = shown
  }
  return { element, show }
}

/** Whether an event happened in a control, which handles it itself. */
export const isField = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.closest('input, select, button') !== null

/** Whether the editor ignores a change of an element that is not part of the content. */
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
