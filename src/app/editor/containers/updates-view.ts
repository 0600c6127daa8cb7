import type { Node } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import type { TagRef } from '../../../content/document/nodes.ts'
import { language } from '../../texts.ts'
import { nodeType } from '../schema.ts'
import {
  type GetPosition,
  create,
  createButton,
  createField,
  dataOf,
  setData,
  withFields,
  withPosition,
} from '../view-parts.ts'
import { containerTexts as texts } from './container-texts.ts'

/** A field for a part of the data of a block. */
interface Field {
  element: HTMLElement
  show: (node: Node) => void
}

/** Styles of `Intl.DateTimeFormat` for each date format. */
const dateStyles = { full: 'long', short: 'medium', numeric: 'short' } as const

const pad = (number: number): string => String(number).padStart(2, '0')

/** Creates an update with the date of today. */
export function createUpdate(content: Node | readonly Node[]): Node {
  const today = new Date()
  const date = `${today.getFullYear()}-${pad(today.getMonth() + 1)}-${pad(today.getDate())}`
  return nodeType('update').create({ data: { date } }, content)
}

/** Creates a field for the date format of updates. */
function createFormat(view: EditorView, getPosition: GetPosition): Field {
  const element = create('select', 'editor-field', { 'aria-label': texts.dateFormat }) as HTMLSelectElement
  for (const [value, dateStyle] of Object.entries(dateStyles)) {
    const option = create('option', undefined, { value })
    option.textContent = new Date().toLocaleDateString(language.value, { dateStyle })
    element.append(option)
  }
  element.addEventListener('change', () => setData(view, getPosition, { format: element.value }))
  return { element, show: (node) => (element.value = (dataOf(node)['format'] as string | undefined) ?? 'full') }
}

/** Shows a list of updates with a button for a new one. */
export const updatesView: NodeViewConstructor = (node, view, getPosition) => {
  const dom = create('div', 'updates')
  const head = create('div', 'updates-head', { contenteditable: 'false' })
  const contentDOM = create('div')
  const add = withPosition(getPosition, (position) => {
    const update = createUpdate(nodeType('paragraph').create())
    const tr = view.state.tr.insert(position + 1, update)
    view.dispatch(tr.setSelection(TextSelection.create(tr.doc, position + 3)).scrollIntoView())
    view.focus()
  })
  const format = createFormat(view, getPosition)
  head.append(createButton('ui-button ui-button-secondary', texts.addUpdate, add), format.element)
  dom.append(head, contentDOM)
  return withFields(node, { dom, contentDOM }, [format.show])
}

/** Creates a field for the tags of an update; tags that are not changed keep their references. */
function createTags(view: EditorView, getPosition: GetPosition): Field {
  const element = create('input', 'editor-field', {
    type: 'text',
    'aria-label': texts.updateTags,
    title: texts.updateTags,
    placeholder: texts.tags,
    spellcheck: 'false',
  }) as HTMLInputElement
  let tags: readonly TagRef[] = []
  element.addEventListener('change', () => {
    const names = new Set(element.value.split(',').flatMap((name) => name.trim() || []))
    const next = [...names].map((tag) => tags.find((one) => one.tag === tag) ?? { kind: 'tag', tag })
    // Empty values are removed.
    setData(view, getPosition, { tags: next.length === 0 ? '' : next })
  })
  const show = (node: Node) => {
    tags = (dataOf(node)['tags'] as readonly TagRef[] | undefined) ?? []
    if (document.activeElement !== element) element.value = tags.map(({ tag }) => tag).join(', ')
  }
  return { element, show }
}

/** Returns the day of a date, which may include a time; undefined if the text is not a date. */
const dayOf = (date: unknown): string | undefined =>
  typeof date === 'string' ? /^(\d{4}-\d\d-\d\d)(?:T00:00:00(?:\.0+)?Z)?$|^$/.exec(date)?.[1] : ''

/** Creates a field for the date of an update. Values that are not dates are edited as text. */
function createDate(view: EditorView, getPosition: GetPosition): Field {
  const { element, show } = createField('date', texts.date, view, getPosition, { isRequired: true })
  return {
    element,
    show(node) {
      const day = dayOf(dataOf(node)['date'])
      const isUsed = document.activeElement === element
      // A date field cannot have a value with a time.
      if (!isUsed) element.type = 'text'
      show(node)
      if (day === undefined || isUsed) return
      element.value = day
      element.type = 'date'
    },
  }
}

/** Shows an update with fields for its date and tags. */
export const updateView: NodeViewConstructor = (node, view, getPosition) => {
  const dom = create('article', 'update')
  const when = create('div', 'when', { contenteditable: 'false' })
  const contentDOM = create('div')
  const date = createDate(view, getPosition)
  const tags = createTags(view, getPosition)
  const remove = withPosition(getPosition, (position) => {
    const { parent } = view.state.doc.resolve(position)
    const size = view.state.doc.nodeAt(position)?.nodeSize ?? 0
    // A list of updates has at least one.
    const isOnly = parent.childCount === 1
    view.dispatch(view.state.tr.delete(isOnly ? position - 1 : position, position + size + (isOnly ? 1 : 0)))
    view.focus()
  })
  when.append(date.element, tags.element, createButton('editor-tab-button', texts.deleteUpdate, remove, 'trash'))
  dom.append(when, contentDOM)
  return withFields(node, { dom, contentDOM }, [date.show, tags.show])
}
