import type { Node } from 'prosemirror-model'
import { NodeSelection } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import type { Block } from '../../content/document/nodes.ts'
import { editorTexts as texts } from './editor-texts.ts'
import { formTexts } from './forms/form-texts.ts'
import type { ViewOptions } from './view-options.ts'
import {
  type GetPosition,
  create,
  createButton,
  createField,
  dataOf,
  isField,
  makeDraggable,
  setData,
  withFields,
  withPosition,
} from './view-parts.ts'

/** Minimum width of an image in pixels. */
const minWidth = 32

/** Creates a handle at the end of an image for changing its width. */
function createSizer(picture: HTMLElement, view: EditorView, getPosition: GetPosition): HTMLElement {
  const handle = create('span', 'editor-image-sizer', { 'aria-hidden': 'true' })
  makeDraggable(handle, () => {
    const images = [...picture.querySelectorAll('img')]
    const shown = images.find((image) => image.offsetWidth > 0)
    if (!shown) return undefined
    const [before, available] = [shown.offsetWidth, picture.parentElement?.offsetWidth ?? shown.offsetWidth]
    let width = before
    return {
      move(distance) {
        width = Math.round(Math.max(minWidth, Math.min(before + distance, available)))
        for (const image of images) image.style.width = `${width}px`
      },
      end() {
        // The height is computed from the width.
        if (width !== before) setData(view, getPosition, { width, height: '' })
      },
    }
  })
  return handle
}

/** Selects an image, or its row if it is the only image in it. */
function selectImage(view: EditorView, position: number): void {
  const $at = view.state.doc.resolve(position)
  const at = $at.parent.childCount === 1 ? $at.before() : position
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)))
  view.focus()
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
    const open = withPosition(getPosition, (position) => onOpenForm({ kind: 'image', position }))
    const button = createButton('ui-button ui-button-secondary editor-source', formTexts.edit, open)
    const select = withPosition(getPosition, (position) => selectImage(view, position))
    picture.addEventListener('click', (event) => {
      if (!isField(event)) select()
    })
    dom.append(picture, contentDOM, alt.element)
    let shown: unknown
    const render = renderer.createPlace()
    const showPicture = (next: Node) => {
      const { alt: _, ...data } = dataOf(next)
      const id = JSON.stringify(data)
      if (id === shown) return
      shown = id
      const image = { object: 'block', type: 'image', isVoid: true, data }
      const block = { object: 'block', type: 'images', nodes: [image] } as unknown as Block
      render(block, (element) => picture.replaceChildren(...element.querySelectorAll('img, .missing'), sizer, button))
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
