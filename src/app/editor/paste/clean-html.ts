import { convertColumns, layouts } from './columns.ts'
import { dropLargeImages, takeDataUrls } from './data-images.ts'
import { limitLines } from './limit-lines.ts'
import { convertImages, convertTasks, convertToggles, joinLists } from './other-blocks.ts'
import { convertTableHeads, keepBoldCells, wrapBoldCells } from './table-heads.ts'
import { convertWordLists, markNumberedItems } from './word-lists.ts'

export { takeImages } from './data-images.ts'
export { embedPasted } from './embed-url.ts'
export { pasteMarkdown } from './paste-markdown.ts'
export { pasteProgram } from './program.ts'
export { pasteTable } from '../table/paste-table.ts'

/** Markers of list items, which Word writes into the text. */
const wordMarkers = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]'

/** Elements without content, and elements that programs add to copied content. */
const dropped = [
  'style, script, meta, link, title, template, iframe, object, embed, svg, canvas, video, audio, noscript, button, select',
  wordMarkers,
  // Links beside headings, names of languages and buttons for copying.
  'a.anchor, a.heading-anchor, .markdown-alert-title, .zeroclipboard-container, .confluence-information-macro-icon',
  '.code-block-header, .codeHeader, .Apple-interchange-newline, [hidden]',
].join()

/**
 * Maximum number of elements; more would block the browser for seconds and are pasted as text. A document has at most 10,000
 * blocks.
 */
const maxElements = 10_000
/** Maximum depth, and maximum number of enclosing lists and quotes. More deeply nested content is pasted as text. */
const maxDepth = 40
const maxContainers = 10
const containers = `ul, ol, blockquote, aside, table, ${layouts}`

const hintStyles: Readonly<Record<string, readonly string[]>> = {
  info: ['markdown-alert-note', 'markdown-alert-important', 'confluence-information-macro-information', 'note'],
  success: ['markdown-alert-tip', 'confluence-information-macro-tip', 'success', 'tip'],
  warning: ['markdown-alert-warning', 'confluence-information-macro-note', 'warning'],
  danger: ['markdown-alert-caution', 'confluence-information-macro-warning', 'error'],
}

/**
 * Converts HTML from other programs to HTML that the editor can read: Google Docs, Word, Notion, Confluence and GitHub write lists,
 * code and notes with their own classes. The parsed document runs no scripts and loads nothing.
 */
export function cleanHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(dropLargeImages(html), 'text/html')
  if (body.querySelectorAll('*').length > maxElements) return toParagraphs(body)
  markNumberedItems(body, wordMarkers)
  keepBoldCells(body)
  for (const element of body.querySelectorAll(dropped)) element.remove()
  flatten(body)
  keepTextStyles(body)
  moveSpaces(body)
  convertWordLists(body)
  joinLists(body)
  convertTasks(body)
  convertToggles(body)
  convertNotes(body)
  convertColumns(body)
  convertCode(body)
  convertTableHeads(body)
  wrapBoldCells(body)
  convertImages(body, takeDataUrls(body))
  dropEmptyLines(body)
  return body.innerHTML
}

function toParagraphs(body: HTMLElement): string {
  for (const element of body.querySelectorAll('style, script, template')) element.remove()
  for (const element of body.querySelectorAll('p, div, li, tr, br, h1, h2, h3, h4, h5, h6')) element.append('\n')
  const container = body.ownerDocument.createElement('div')
  for (const line of limitLines(body.textContent).split('\n')) {
    const paragraph = body.ownerDocument.createElement('p')
    paragraph.textContent = line
    container.append(paragraph)
  }
  return container.innerHTML
}

/** Replaces elements below the maximum depth with their text. */
function flatten(body: HTMLElement): void {
  let level = [...body.children].map((element) => ({ element, around: 0 }))
  for (let depth = 1; level.length > 0; depth++) {
    level = level.flatMap(({ element, around }) => {
      const nested = around + (element.matches(containers) ? 1 : 0)
      if (depth <= maxDepth && nested <= maxContainers)
        return [...element.children].map((child) => ({ element: child, around: nested }))
      element.replaceWith(element.textContent)
      return []
    })
  }
}

/** Keeps only styles that are marks, because reading the others of thousands of elements takes long. */
function keepTextStyles(body: HTMLElement): void {
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) {
    const { fontWeight, fontStyle, textDecorationLine, verticalAlign } = element.style
    const isListItem = /mso-list/i.test(element.getAttribute('style') ?? '')
    if (isListItem) element.dataset['list'] = element.getAttribute('style') ?? ''
    element.removeAttribute('style')
    if (fontWeight !== '') element.style.fontWeight = fontWeight
    if (fontStyle !== '') element.style.fontStyle = fontStyle
    if (/^su(?:b|per)$/.test(verticalAlign)) element.style.verticalAlign = verticalAlign
    if (textDecorationLine.includes('line-through')) element.style.textDecoration = 'line-through'
  }
}

/** Removes empty paragraphs, which Word inserts between others. */
function dropEmptyLines(body: HTMLElement): void {
  for (const line of body.querySelectorAll('p'))
    if (line.textContent.trim() === '' && !line.querySelector('img, input, br')) line.remove()
}

/** Moves spaces at the ends of marked text out of the mark, because Markdown does not allow them there. */
function moveSpaces(body: HTMLElement): void {
  for (const element of body.querySelectorAll('b, strong, i, em, s, del, strike, a, span[style]')) {
    const [first, last] = [element.firstChild, element.lastChild]
    if (first instanceof Text && /^\s+\S/.test(first.data)) {
      element.before(' ')
      first.data = first.data.trimStart()
    }
    if (last instanceof Text && /\S\s+$/.test(last.data)) {
      element.after(' ')
      last.data = last.data.trimEnd()
    }
  }
}

/** Notes and panels of Confluence, with or without a title. Panels of code are not notes. */
const notes = [
  '.markdown-alert, [data-panel-type], aside:not(.hint), figure.callout, .confluence-information-macro',
  '.panel:has(> .panelContent):not(.code, .preformatted)',
].join()

/** Returns a paragraph with the text of a title. */
function toBoldLine({ ownerDocument, textContent }: Element): HTMLElement {
  const [line, bold] = [ownerDocument.createElement('p'), ownerDocument.createElement('b')]
  bold.textContent = textContent.trim()
  line.append(bold)
  return line
}

/** Converts notes, alerts and callouts to hints. */
function convertNotes(body: HTMLElement): void {
  for (const note of body.querySelectorAll(notes)) {
    const title = note.querySelector(':scope > .title, :scope > .panelHeader')
    if (title) title.replaceWith(toBoldLine(title))
    const isOfStyle = ([, names]: readonly [string, readonly string[]]) =>
      names.some((name) => note.classList.contains(name) || note.getAttribute('data-panel-type') === name)
    const [style = 'info'] = Object.entries(hintStyles).find(isOfStyle) ?? []
    const hint = body.ownerDocument.createElement('aside')
    hint.className = `hint hint-${style}`
    const content = body.ownerDocument.createElement('div')
    content.append(...note.childNodes)
    hint.append(content)
    note.replaceWith(hint)
  }
}

/** Converts code, whose language is in a class or attribute of an element around it. */
function convertCode(body: HTMLElement): void {
  for (const pre of body.querySelectorAll('pre')) {
    const around = pre.closest('[class*="highlight-source-"], [data-language], [class*="language-"]')
    const inner = pre.querySelector('code')?.className ?? ''
    const names = `${around?.className ?? ''} ${inner} ${pre.dataset['syntaxhighlighterParams'] ?? ''}`
    const name =
      (around as HTMLElement | null)?.dataset['language'] ??
      /(?:highlight-source-|language-|brush:\s*)([\w+#-]+)/.exec(names)?.[1]
    if (name !== undefined) pre.classList.add(`language-${name.toLowerCase().replaceAll(' ', '-')}`)
  }
}
