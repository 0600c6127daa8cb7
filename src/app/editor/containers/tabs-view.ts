import type { Node, NodeType } from 'prosemirror-model'
import { Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { fillText } from '../../texts.ts'
import type { FirstIconName } from '../../ui/icons.ts'
import { type GetPosition, create, createButton, dataOf, isField, isOutside, setData } from '../view-parts.ts'
import { containerTexts as texts } from './container-texts.ts'

/** Name of the event that shows the tab with the cursor. */
const revealEvent = 'editor-reveal'

const createTool = (icon: FirstIconName, label: string, onClick: () => void): HTMLElement =>
  createButton('editor-tab-button', label, onClick, icon)

const titleOf = (tab: Node, index: number): string =>
  (dataOf(tab)['title'] as string | undefined) || fillText(texts.tab, { number: index + 1 })

/** Returns the position of a tab. */
function tabPosition(tabs: Node, at: number, index: number): number {
  return tabs.children.slice(0, index).reduce((position, { nodeSize }) => position + nodeSize, at + 1)
}

/** Moves a tab to another index. */
function moveTab(tr: Transaction, tabs: Node, at: number, from: number, to: number): Transaction {
  const start = tabPosition(tabs, at, from)
  const tab = tabs.child(from)
  tr.delete(start, start + tab.nodeSize)
  return tr.insert(tr.mapping.map(tabPosition(tabs, at, to < from ? to : to + 1)), tab)
}

/** Row of titles above tabs. The title of the visible tab is a text field. */
class TabBar {
  readonly element = create('div', 'editor-tab-bar', { contenteditable: 'false', role: 'group' })
  readonly #view: EditorView
  readonly #getPosition: GetPosition
  readonly #panels: HTMLElement
  #shown = 0
  #drawn: readonly unknown[] = []

  constructor(view: EditorView, getPosition: GetPosition, panels: HTMLElement) {
    this.#view = view
    this.#getPosition = getPosition
    this.#panels = panels
    void import('./sort-titles.ts').then(
      ({ makeSortable }) => makeSortable(this.element, '.editor-tab', (from, to) => this.#move(from, to)),
      () => undefined,
    )
  }

  /** Shows a tab and updates all titles. */
  show(index = this.#shown): void {
    const found = this.#find()
    if (!found) return
    this.#shown = Math.max(0, Math.min(index, found.tabs.childCount - 1))
    ;[...this.#panels.children].forEach((panel, at) => ((panel as HTMLElement).hidden = at !== this.#shown))
    const titles = [this.#shown, ...found.tabs.children.map(titleOf)]
    if (titles.length === this.#drawn.length && titles.every((title, at) => title === this.#drawn[at])) return
    this.#drawn = titles
    this.#draw(found.tabs)
  }

  #find(): { tabs: Node; at: number } | undefined {
    const at = this.#getPosition()
    const tabs = at === undefined ? null : this.#view.state.doc.nodeAt(at)
    return at === undefined || tabs?.type.name !== 'tabs' ? undefined : { tabs, at }
  }

  #draw(tabs: Node): void {
    const titles = tabs.children.map((tab, index) =>
      index === this.#shown ? this.#createField(tab, index) : this.#createTitle(tab, index),
    )
    const index = this.#shown
    this.element.replaceChildren(
      ...titles,
      createTool('plus', texts.addTab, () => this.#add()),
      ...(index > 0 ? [createTool('arrow-left', texts.moveTabLeft, () => this.#move(index, index - 1))] : []),
      ...(index < tabs.childCount - 1
        ? [createTool('arrow-right', texts.moveTabRight, () => this.#move(index, index + 1))]
        : []),
      ...(tabs.childCount > 1 ? [createTool('trash', texts.deleteTab, () => this.#delete())] : []),
    )
  }

  #createTitle(tab: Node, index: number): HTMLElement {
    const button = create('button', 'editor-tab', { type: 'button' })
    button.textContent = titleOf(tab, index)
    button.addEventListener('click', () => this.show(index))
    return button
  }

  #createField(tab: Node, index: number): HTMLElement {
    const field = create('input', 'editor-tab editor-tab-shown', {
      'aria-label': texts.tabTitle,
      placeholder: titleOf(tab, index),
    }) as HTMLInputElement
    field.value = (dataOf(tab)['title'] as string | undefined) ?? ''
    // For browsers without `field-sizing`.
    field.size = field.placeholder.length
    field.addEventListener('change', () => {
      const found = this.#find()
      if (found) setData(this.#view, () => tabPosition(found.tabs, found.at, index), { title: field.value.trim() })
    })
    // The first press would select text instead of dragging the title.
    field.addEventListener('mousedown', (event) => document.activeElement === field || event.preventDefault())
    field.addEventListener('click', () => document.activeElement === field || field.select())
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      const found = this.#find()
      field.blur()
      if (found) this.#placeCursor(tabPosition(found.tabs, found.at, index))
    })
    return field
  }

  #placeCursor(position: number): void {
    const { tr } = this.#view.state
    this.#view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(position + 1), 1)))
    this.#view.focus()
  }

  #add(): void {
    const found = this.#find()
    if (!found) return
    const { tabs, at } = found
    const { schema } = tabs.type
    const data = { title: fillText(texts.tab, { number: tabs.childCount + 1 }) }
    const paragraph = (schema.nodes['paragraph'] as NodeType).create()
    const tab = (schema.nodes['tabs_item'] as NodeType).create({ data }, paragraph)
    this.#shown = tabs.childCount
    this.#view.dispatch(this.#view.state.tr.insert(at + tabs.nodeSize - 1, tab))
    this.element.querySelector('input')?.select()
  }

  /** Moves a tab and shows it. */
  #move(from: number, to: number): void {
    const found = this.#find()
    // Another person may have deleted tabs in the meantime.
    if (!found || Math.max(from, to) >= found.tabs.childCount) return
    this.#shown = to
    this.#view.dispatch(moveTab(this.#view.state.tr, found.tabs, found.at, from, to))
  }

  #delete(): void {
    const found = this.#find()
    if (!found) return
    const start = tabPosition(found.tabs, found.at, this.#shown)
    this.#view.dispatch(this.#view.state.tr.delete(start, start + found.tabs.child(this.#shown).nodeSize))
  }
}

/** Shows tabs as on published pages; the titles can be edited. */
export const tabsView: NodeViewConstructor = (node, view, getPosition) => {
  const dom = create('div', `tabs editor-tabs${dataOf(node)['fullWidth'] ? ' full-width' : ''}`)
  const contentDOM = create('div', 'editor-panels')
  const bar = new TabBar(view, getPosition, contentDOM)
  dom.append(bar.element, contentDOM)
  // The panels are created after this view.
  queueMicrotask(() => bar.show())
  dom.addEventListener(revealEvent, ({ target }) => {
    const index = [...contentDOM.children].indexOf(target as Element)
    if (index >= 0) bar.show(index)
  })
  return {
    dom,
    contentDOM,
    stopEvent: (event) => isField(event) && bar.element.contains(event.target as globalThis.Node | null),
    ignoreMutation: isOutside(contentDOM),
    update(next) {
      if (next.type !== node.type) return false
      queueMicrotask(() => bar.show())
      return true
    },
  }
}

export const tabView: NodeViewConstructor = () => {
  const dom = create('div', 'panel')
  return {
    dom,
    contentDOM: dom,
    ignoreMutation: (mutation) => mutation.type === 'attributes' && mutation.target === dom,
  }
}

/** Shows the tab that contains the cursor, for example after undoing a change in another one. */
export const revealCursor = (): Plugin =>
  new Plugin({
    view: () => ({
      update(view, before) {
        const { selection } = view.state
        if (before.selection.eq(selection)) return
        const { node } = view.domAtPos(selection.head)
        const element = node instanceof Element ? node : node.parentElement
        const panel = element?.closest('.panel[hidden]')
        panel?.dispatchEvent(new CustomEvent(revealEvent, { bubbles: true }))
      },
    }),
  })
