import type { Node } from 'prosemirror-model'
import type { NodeViewConstructor } from 'prosemirror-view'
import type { Block, HintStyle } from '../../content/document/nodes.ts'
import type { FirstIconName } from '../ui/icons.ts'
import { createCodeView } from './code/code-view.ts'
import { conditionView } from './containers/condition-view.ts'
import { tabView, tabsView } from './containers/tabs-view.ts'
import { updateView, updatesView } from './containers/updates-view.ts'
import { editorTexts as texts } from './editor-texts.ts'
import { formTitle } from './forms/block-types.ts'
import { formTexts } from './forms/form-texts.ts'
import { createImageView, imagesView } from './image-view.ts'
import { createInlineView } from './inline-view.ts'
import { createTableViews } from './table/table-views.ts'
import { create, createButton, createIcon, dataOf, isField, setData, withFields, withPosition } from './view-parts.ts'
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

const hintIcons: Readonly<Record<HintStyle, FirstIconName>> = {
  info: 'info',
  success: 'circle-check',
  warning: 'circle-exclamation',
  danger: 'warning',
}
const hintStyles = Object.keys(hintIcons) as HintStyle[]

const styleOf = (node: Node): HintStyle => (dataOf(node)['style'] as HintStyle | undefined) ?? 'info'

const createHintView =
  ({ renderer }: ViewOptions): NodeViewConstructor =>
  (node, view, getPosition) => {
    const dom = create('aside')
    let shown = node
    const changeStyle = () => {
      const next = hintStyles[(hintStyles.indexOf(styleOf(shown)) + 1) % hintStyles.length]
      setData(view, getPosition, { style: next })
    }
    const button = createButton('hint-icon', texts.hintStyle, changeStyle, hintIcons[styleOf(node)])
    let drawn: ReturnType<typeof dataOf> = { style: dataOf(node)['style'] }
    const render = renderer.createPlace()
    const contentDOM = create('div')
    dom.append(button, contentDOM)
    const show = (next: Node) => {
      shown = next
      const [style, data] = [styleOf(next), dataOf(next)]
      dom.className = `hint hint-${style}`
      if (drawn['style'] === data['style'] && drawn['icon'] === data['icon']) return
      drawn = data
      button.replaceChildren(createIcon(hintIcons[style]))
      // The server has the icons that authors choose.
      const block =
        data['icon'] === undefined ? undefined : ({ object: 'block', type: 'hint', data, nodes: [] } as unknown)
      render(block as Block | undefined, (element) =>
        button.replaceChildren(...(element.querySelector('.hint-icon')?.childNodes ?? [])),
      )
    }
    return withFields(node, { dom, contentDOM }, [show])
  }

const createProtectedBlockView =
  ({ renderer, onOpenForm }: ViewOptions): NodeViewConstructor =>
  (node, _view, getPosition) => {
    const block = node.attrs['json'] as Block
    const dom = create('div', 'protected-block', { contenteditable: 'false' })
    const name = create('div', 'editor-block-name')
    name.textContent = block.type
    const buttons = create('div', 'editor-source')
    const addButton = (label: string, kind: 'block' | 'source') => {
      const open = withPosition(getPosition, (position) => onOpenForm({ kind, position, block }))
      buttons.append(createButton('ui-button ui-button-secondary', label, open))
    }
    if (formTitle(block) !== undefined) addButton(formTexts.edit, 'block')
    addButton(texts.editSource, 'source')
    const content = create('div', 'editor-rendered')
    content.append(name)
    // Links would navigate away from the editor.
    content.addEventListener('click', (event) => event.preventDefault())
    dom.append(content, buttons)
    renderer.render(block, (element) => content.replaceChildren(element))
    return { dom, stopEvent: isField, ignoreMutation: () => true }
  }

export const createNodeViews = (options: ViewOptions): Record<string, NodeViewConstructor> => ({
  code_block: createCodeView,
  hint: createHintView(options),
  image: createImageView(options),
  images: imagesView,
  task_item: taskView,
  protected_block: createProtectedBlockView(options),
  protected_inline: createInlineView(options),
  if: conditionView,
  tabs: tabsView,
  tabs_item: tabView,
  updates: updatesView,
  update: updateView,
  ...createTableViews(options),
})
