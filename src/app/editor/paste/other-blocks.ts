/** Creates an element in the document of another one. */
const create = ({ ownerDocument }: Element, tag: string, className = ''): HTMLElement => {
  const element = ownerDocument.createElement(tag)
  element.className = className
  return element
}

/** Elements that separate lines of text. */
const lines = 'p, li, td, th, h1, h2, h3, h4, h5, h6, blockquote, figcaption, dd, dt'

/**
 * Keeps images beside text in their line; others become blocks with their caption. Images without a web address are removed with
 * the caption, except those with one of the given addresses.
 */
export function convertImages(body: HTMLElement, others: ReadonlySet<string>): void {
  for (const image of body.querySelectorAll('img')) {
    const line = image.closest(lines)
    const address = image.getAttribute('src') ?? ''
    if (!/^https?:/i.test(address) && !others.has(address)) {
      image.closest('figure')?.querySelector('figcaption')?.remove()
      image.remove()
    } else if (line && line.textContent.trim() !== '' && !line.matches('td, th')) image.dataset['inline'] = ''
    else wrapImage(image)
  }
}

function wrapImage(image: HTMLImageElement): void {
  const around = image.closest('figure')
  const figure = create(image, 'figure', 'pasted-image')
  const caption = around?.querySelector('figcaption') ?? create(image, 'figcaption')
  const place = around ?? image.closest('a') ?? image
  place.before(figure)
  figure.append(image, caption)
  if (place !== image && place.textContent.trim() === '' && !place.querySelector('img')) place.remove()
}

/** Expands of Confluence, including those in tables and those of pages that were published with its old editor. */
const expands = '[data-node-type="expand"], [data-node-type="nestedExpand"], .expand-container'

/** Converts toggles of Notion and expands of Confluence to expandables. */
export function convertToggles(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul.toggle')) list.replaceWith(...list.querySelectorAll(':scope > li > *'))
  for (const expand of body.querySelectorAll<HTMLElement>(expands)) {
    const details = create(expand, 'details')
    const summary = create(expand, 'summary')
    const control = expand.querySelector(':scope > .expand-control')
    control?.remove()
    summary.textContent = expand.dataset['title'] ?? control?.textContent.trim() ?? ''
    details.append(summary, ...expand.childNodes)
    expand.replaceWith(details)
  }
  for (const details of body.querySelectorAll('details')) {
    const title = create(details, 'div', 'expandable-title')
    const content = create(details, 'div', 'expandable-body')
    const summary = details.querySelector(':scope > summary')
    title.append(...(summary?.childNodes ?? []))
    summary?.remove()
    content.append(...details.childNodes)
    const expandable = create(details, 'div', 'expandable')
    expandable.append(title, content)
    details.replaceWith(expandable)
  }
}

/** Joins lists with one item, which pages that were exported from Notion contain. */
export function joinLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll('.bulleted-list, .numbered-list, .to-do-list')) {
    const before = list.previousElementSibling
    if (before?.className !== list.className || before.tagName !== list.tagName) continue
    before.append(...list.childNodes)
    list.remove()
  }
}

/** A task that is written as text. */
const writtenTask = /^\s*\[([ xX]?)\]\s+/

/** Adds a checkbox at the start of tasks, because those of Google Docs, Notion, Confluence and GitHub do not start with one. */
export function convertTasks(body: HTMLElement): void {
  for (const list of body.querySelectorAll('[data-task-list-local-id]')) {
    const items = [...list.querySelectorAll<HTMLElement>('[data-task-local-id]')].map((task) => {
      const item = create(task, 'li')
      item.append(...task.childNodes)
      addBox(item, task.dataset['taskState'] === 'DONE')
      return item
    })
    const converted = create(list, 'ul')
    converted.append(...items)
    list.replaceWith(converted)
  }
  for (const item of body.querySelectorAll('li[role="checkbox"], li:has(> .checkbox)')) {
    const mark = item.querySelector(':scope > .checkbox')
    mark?.remove()
    addBox(item, item.getAttribute('aria-checked') === 'true' || mark?.classList.contains('checkbox-on') === true)
  }
  for (const item of body.querySelectorAll('.inline-task-list > li')) addBox(item, item.classList.contains('checked'))
  for (const box of body.querySelectorAll('li > p:first-child > input[type=checkbox]:first-child'))
    box.closest('li')?.prepend(box)
  for (const list of body.querySelectorAll('ul')) convertWrittenTasks([...list.children])
}

function convertWrittenTasks(items: readonly Element[]): void {
  if (!items.every((item) => item.tagName === 'LI' && writtenTask.test(item.textContent))) return
  for (const item of items) {
    const walker = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT)
    let text = walker.nextNode() as Text | null
    while (text && text.data.trim() === '') text = walker.nextNode() as Text | null
    const [written, state = ''] = writtenTask.exec(text?.data ?? '') ?? []
    if (!text || written === undefined) continue
    text.data = text.data.slice(written.length)
    addBox(item, state.trim() !== '')
  }
}

function addBox(item: Element, isDone: boolean): void {
  const box = create(item, 'input') as HTMLInputElement
  box.type = 'checkbox'
  box.toggleAttribute('checked', isDone)
  item.prepend(box)
}
