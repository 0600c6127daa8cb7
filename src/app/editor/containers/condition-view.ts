import type { NodeViewConstructor } from 'prosemirror-view'
import { create, createField, withFields } from '../view-parts.ts'
import { containerTexts as texts } from './container-texts.ts'

/** Shows conditional content with its expression. */
export const conditionView: NodeViewConstructor = (node, view, getPosition) => {
  const dom = create('div', 'condition')
  const line = create('div', 'condition-expression', { contenteditable: 'false' })
  const field = createField('expression', texts.condition, view, getPosition, { isRequired: true })
  const contentDOM = create('div')
  line.append(field.element)
  dom.append(line, contentDOM)
  return withFields(node, { dom, contentDOM }, [field.show])
}
