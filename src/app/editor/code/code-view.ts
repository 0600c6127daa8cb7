import type { Node } from 'prosemirror-model'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { editorTexts as texts } from '../editor-texts.ts'
import { type GetPosition, create, createField, dataOf, setData, withFields } from '../view-parts.ts'

const languageListId = 'editor-languages'

/** Adds the names of languages to the page, for the language fields of all code blocks. */
function addLanguageList(): void {
  if (document.getElementById(languageListId)) return
  const list = create('datalist', undefined, { id: languageListId })
  document.body.append(list)
  void import('./languages.ts').then(
    ({ codeLanguages }) => list.append(...codeLanguages.map((value) => create('option', undefined, { value }))),
    // Without the list, users type the names of languages.
    () => undefined,
  )
}

/** Creates a toggle button for a field of the data of a block. On phones there is only space for its symbol. */
function createSwitch(
  label: string,
  symbol: string,
  view: EditorView,
  getPosition: GetPosition,
  { isOn, toData }: { isOn: (node: Node) => boolean; toData: (isOn: boolean) => Readonly<Record<string, unknown>> },
): { element: HTMLElement; show: (node: Node) => void } {
  const element = create('button', 'editor-switch', { type: 'button', 'aria-label': label, 'data-symbol': symbol })
  element.textContent = label
  const show = (node: Node) => element.setAttribute('aria-pressed', String(isOn(node)))
  element.addEventListener('click', () =>
    setData(view, getPosition, toData(element.getAttribute('aria-pressed') !== 'true')),
  )
  return { element, show }
}

const hasNumbers = (node: Node): boolean => dataOf(node)['lineNumbers'] === true
const isWrapped = (node: Node): boolean => dataOf(node)['overflow'] === 'wrap'

/** Shows code with fields for its language and title, and switches for line numbers and line breaks. */
export const createCodeView: NodeViewConstructor = (node, view, getPosition) => {
  addLanguageList()
  const dom = create('figure', 'code editor-code')
  const fields = create('div', 'editor-fields', { contenteditable: 'false' })
  const syntax = createField('syntax', texts.language, view, getPosition)
  syntax.element.setAttribute('list', languageListId)
  const title = createField('title', texts.title, view, getPosition)
  const numbers = createSwitch(texts.lineNumbers, '123', view, getPosition, {
    isOn: hasNumbers,
    toData: (isOn) => ({ lineNumbers: isOn || '' }),
  })
  const wrap = createSwitch(texts.wrapLines, '↵', view, getPosition, {
    isOn: isWrapped,
    toData: (isOn) => ({ overflow: isOn ? 'wrap' : '' }),
  })
  const numberRows = create('div', 'editor-line-numbers', { contenteditable: 'false', 'aria-hidden': 'true' })
  const contentDOM = create('code')
  const pre = create('pre', undefined, { spellcheck: 'false' })
  const lines = create('div', 'editor-lines')
  pre.append(contentDOM)
  lines.append(numberRows, pre)
  fields.append(syntax.element, title.element, numbers.element, wrap.element)
  dom.append(fields, lines)
  const showLines = (next: Node) => {
    const copied = hasNumbers(next) ? next.textContent.split('\n') : []
    dom.classList.toggle('wrapped', isWrapped(next))
    dom.classList.toggle('with-numbers', hasNumbers(next))
    dom.style.setProperty('--digits', `${`${copied.length}`.length}`)
    while (numberRows.childElementCount < copied.length) numberRows.append(create('div'))
    ;[...numberRows.children].forEach((row, index) => {
      // A hidden copy of a line is wrapped like the line, so the next number is below all its rows.
      const copy = isWrapped(next) ? copied[index] : ''
      if (index >= copied.length) row.remove()
      else if (row.textContent !== copy) row.textContent = copy ?? ''
    })
  }
  return withFields(node, { dom, contentDOM }, [syntax.show, title.show, numbers.show, wrap.show, showLines])
}
