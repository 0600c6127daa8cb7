import type { NodeViewConstructor } from 'prosemirror-view'
import { paragraph } from '../../content/document/build.ts'
import type { InlineElement } from '../../content/document/nodes.ts'
import { plainText } from '../../content/document/text.ts'
import { inlineTitle } from './forms/inline-types.ts'
import { makeInert } from './rendered-blocks.ts'
import type { ViewOptions } from './view-options.ts'
import { create, withPosition } from './view-parts.ts'

/** Shows an inline element that is not edited in place as it is published; a click or the Enter key opens its form. */
export const createInlineView =
  ({ renderer, onOpenForm }: ViewOptions): NodeViewConstructor =>
  (node, _view, getPosition) => {
    const inline = node.attrs['json'] as InlineElement
    const title = inlineTitle(inline)
    const dom = create('span', 'protected-inline', { contenteditable: 'false', title: title ?? inline.type })
    dom.textContent = nameInline(inline)
    const view = { dom, ignoreMutation: () => true }
    if (title === undefined) return view
    dom.classList.add('protected-inline-form')
    const open = withPosition(getPosition, (position) => onOpenForm({ kind: 'inline', position, inline }))
    dom.addEventListener('click', (event) => {
      event.preventDefault()
      open()
    })
    renderer.render(paragraph([inline]), (element) => {
      // An icon with an unknown name is not shown on pages.
      if (element.childNodes.length === 0) return
      makeInert(element)
      dom.classList.add('is-rendered')
      dom.replaceChildren(...element.childNodes)
    })
    return view
  }

/** Returns a text that is shown instead of an element, or until it is rendered. */
function nameInline(element: InlineElement): string {
  const data = ('data' in element ? element.data : {}) as Readonly<Record<string, unknown>>
  // HTML is an expression of an empty text for clients that do not know it.
  const name = data['html'] ?? data['expression'] ?? data['icon'] ?? data['alt'] ?? plainText([element])
  return typeof name === 'string' && name !== '' ? name : element.type
}
