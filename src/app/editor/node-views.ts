import type { Node } from 'prosemirror-model'
import type { NodeViewConstructor } from 'prosemirror-view'
import type { Block, HintStyle, InlineElement, InlineNode } from '../../content/document/nodes.ts'
import { iconSources, type IconName } from '../ui/icons.ts'
import { createCodeView } from './code/code-view.ts'
import { conditionView } from './containers/condition-view.ts'
import { tabView, tabsView } from './containers/tabs-view.ts'
import { editorTexts as texts } from './editor-texts.ts'
import { formTitle } from './forms/block-types.ts'
import { formTexts } from './forms/form-texts.ts'
import { inlineTitle } from './forms/inline-types.ts'
import { createImageView, imagesView } from './image-view.ts'
import { createTableViews } from './table/table-views.ts'
import { create, dataOf, isField, setData, withFields } from './view-parts.ts'
import type { ViewOptions } from './view-options.ts'

const taskView: NodeViewConstructor = (node, view, getPosition) => {
  const dom = create('li')
  const box = create('input', undefined, {
    type: 'checkbox',
    contenteditable: 'false',
    'aria-label': texts.done,
  }) as HTMLInputElement
  const contentDOM = create('div')
  dom.append(box, contentDOM)
  box.addEventListener('change', () => setData(view, getPosition, { checked: box.checked }))
  const show = (next: Node) => (box.checked = dataOf(next)['checked'] === true)
  return withFields(node, { dom, contentDOM }, [show])
}

const hintIcons: Readonly<Record<HintStyle, IconName>> = {
  info: 'info',
  success: 'circle-check',
  warning: 'warning',
  danger: 'circle-x',
}
const hintStyles = Object.keys(hintIcons) as HintStyle[]

const knownIcons = new Map<IconName, HTMLTemplateElement>()

/** Creates an icon. A page may have hundreds of hints, and parsing markup takes longer than copying nodes. */
function createIcon(name: IconName): globalThis.Node {
  const known = knownIcons.get(name) ?? (create('template') as HTMLTemplateElement)
  if (!knownIcons.has(name)) {
    // The sources are files of a package, not input.
    known.innerHTML = `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">${iconSources[name]}</svg>`
    knownIcons.set(name, known)
  }
  return known.content.cloneNode(true)
}

const styleOf = (node: Node): HintStyle => (dataOf(node)['style'] as HintStyle | undefined) ?? 'info'

const hintView: NodeViewConstructor = (node, view, getPosition) => {
  const dom = create('aside')
  const button = create('button', 'hint-icon', {
    type: 'button',
    contenteditable: 'false',
    'aria-label': texts.hintStyle,
    title: texts.hintStyle,
  })
  const contentDOM = create('div')
  dom.append(button, contentDOM)
  let shown = node
  button.addEventListener('click', () => {
    const next = hintStyles[(hintStyles.indexOf(styleOf(shown)) + 1) % hintStyles.length]
    setData(view, getPosition, { style: next })
  })
  const show = (next: Node) => {
    shown = next
    dom.className = `hint hint-${styleOf(next)}`
    button.replaceChildren(createIcon(hintIcons[styleOf(next)]))
  }
  return withFields(node, { dom, contentDOM }, [show])
}

function createAction(label: string, onClick: () => void): HTMLElement {
  const button = create('button', 'ui-button ui-button-secondary', { type: 'button' })
  button.textContent = label
  button.addEventListener('click', onClick)
  return button
}

const createProtectedBlockView =
  ({ renderer, onEditSource, onOpenForm }: ViewOptions): NodeViewConstructor =>
  (node, _view, getPosition) => {
    const block = node.attrs['json'] as Block
    const dom = create('div', 'protected-block', { contenteditable: 'false' })
    const name = create('div', 'editor-block-name')
    name.textContent = block.type
    const buttons = create('div', 'editor-source')
    const openBlock = () => {
      const position = getPosition()
      if (position !== undefined) onOpenForm({ kind: 'block', position, block })
    }
    if (formTitle(block) !== undefined) buttons.append(createAction(formTexts.edit, openBlock))
    buttons.append(createAction(texts.editSource, () => onEditSource(node)))
    const content = create('div', 'editor-rendered')
    content.append(name)
    // Links would leave the editor.
    content.addEventListener('click', (event) => event.preventDefault())
    dom.append(content, buttons)
    renderer.render(block, (element) => content.replaceChildren(element))
    return { dom, stopEvent: isField, ignoreMutation: () => true }
  }

/** Shows an inline element that is not edited in place as text; a double click or the Enter key opens its form. */
const createProtectedInlineView =
  ({ onOpenForm }: ViewOptions): NodeViewConstructor =>
  (node, _view, getPosition) => {
    const inline = node.attrs['json'] as InlineElement
    const title = inlineTitle(inline)
    const dom = create('span', 'protected-inline', { contenteditable: 'false', title: title ?? inline.type })
    dom.textContent = nameInline(inline)
    if (title !== undefined) {
      dom.classList.add('protected-inline-form')
      dom.addEventListener('dblclick', () => {
        const position = getPosition()
        if (position !== undefined) onOpenForm({ kind: 'inline', position, inline })
      })
    }
    return { dom, ignoreMutation: () => true }
  }

function nameInline(element: InlineElement): string {
  const data = ('data' in element ? element.data : {}) as Readonly<Record<string, unknown>>
  const name = data['formula'] ?? data['expression'] ?? data['label'] ?? data['html'] ?? data['icon'] ?? data['alt']
  if (typeof name === 'string' && name !== '') return name
  return 'nodes' in element ? element.nodes.map(textOfInline).join('') || element.type : element.type
}

const textOfInline = (node: InlineNode): string =>
  node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : ''

export const createNodeViews = (options: ViewOptions): Record<string, NodeViewConstructor> => ({
  code_block: createCodeView,
  hint: hintView,
  image: createImageView(options),
  images: imagesView,
  task_item: taskView,
  protected_block: createProtectedBlockView(options),
  protected_inline: createProtectedInlineView(options),
  if: conditionView,
  tabs: tabsView,
  tabs_item: tabView,
  ...createTableViews(options),
})
