import type { Node } from 'prosemirror-model'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import type { Block } from '../../content/document/nodes.ts'
import { editorTexts as texts } from './editor-texts.ts'
import { formTexts } from './forms/form-texts.ts'
import type { ViewOptions } from './view-options.ts'
import { type GetPosition, create, createField, dataOf, setData, withFields } from './view-parts.ts'

/** Minimum width of an image in pixels. */
const minWidth = 32

/** Creates a handle at the end of an image that changes its width. */
function createSizer(picture: HTMLElement, view: EditorView, getPosition: GetPosition): HTMLElement {
  const handle = create('span', 'editor-image-sizer', { 'aria-hidden': 'true' })
  handle.addEventListener('pointerdown', (event) => {
    const images = [...picture.querySelectorAll('img')]
    const shown = images.find((image) => image.offsetWidth > 0)
    if (!shown) return
    event.preventDefault()
    const [start, before, available] = [event.clientX, shown.offsetWidth, picture.offsetWidth]
    const direction = getComputedStyle(picture).direction === 'rtl' ? -1 : 1
    let width = before
    const move = ({ clientX }: PointerEvent) => {
      width = Math.round(Math.max(minWidth, Math.min(before + direction * (clientX - start), available)))
      for (const image of images) image.style.width = `${width}px`
    }
    const end = () => {
      handle.removeEventListener('pointermove', move)
      // The height follows from the width.
      if (width !== before) setData(view, getPosition, { width, height: '' })
    }
    handle.setPointerCapture(event.pointerId)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end, { once: true })
    handle.addEventListener('pointercancel', end, { once: true })
  })
  return handle
}

/** Shows an image with its caption, a description, and buttons for its size and settings. */
export const createImageView =
  ({ renderer, onOpenForm }: ViewOptions): NodeViewConstructor =>
  (node, view, getPosition) => {
    const dom = create('figure', 'editor-image')
    const picture = create('div', 'editor-picture', { contenteditable: 'false' })
    const alt = createField('alt', texts.alt, view, getPosition)
    const contentDOM = create('figcaption', undefined, { 'data-hint': texts.caption })
    const sizer = createSizer(picture, view, getPosition)
    const button = create('button', 'ui-button ui-button-secondary editor-source', { type: 'button' })
    button.textContent = formTexts.edit
    button.addEventListener('click', () => {
      const position = getPosition()
      if (position !== undefined) onOpenForm({ kind: 'image', position })
    })
    dom.append(picture, contentDOM, alt.element)
    let shown: unknown
    const showPicture = (next: Node) => {
      const { alt: _, ...data } = dataOf(next)
      const id = JSON.stringify(data)
      if (id === shown) return
      shown = id
      const image = { object: 'block', type: 'image', isVoid: true, data }
      const block = { object: 'block', type: 'images', nodes: [image] } as unknown as Block
      renderer.render(block, (element) =>
        picture.replaceChildren(...element.querySelectorAll('img, .missing'), sizer, button),
      )
    }
    return withFields(node, { dom, contentDOM }, [showPicture, alt.show])
  }

/** Shows a row of images with its alignment and frame. */
export const imagesView: NodeViewConstructor = (node) => {
  const { align, fullWidth, withFrame } = dataOf(node)
  const classes = [
    'images',
    typeof align === 'string' && `align-${align}`,
    fullWidth === true && 'full-width',
    withFrame === true && 'framed',
  ]
  const dom = create('div', classes.filter(Boolean).join(' '))
  return { dom, contentDOM: dom }
}
