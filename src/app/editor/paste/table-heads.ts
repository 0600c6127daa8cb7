const boldWeight = /^(?:bold(?:er)?|[6-9]\d\d)$/

/** Sets the font weight of cells that Excel makes bold with a class. */
export function keepBoldCells(body: HTMLElement): void {
  const bold = new Set<string>()
  for (const { textContent } of body.ownerDocument.querySelectorAll('style')) {
    for (const rule of textContent.split('}')) {
      const [selector = '', declarations = ''] = rule.split('{')
      const [, weight = ''] = /font-weight:\s*(\w+)/i.exec(declarations) ?? []
      if (boldWeight.test(weight)) bold.add(selector.trim())
    }
  }
  if (bold.size === 0) return
  for (const cell of body.querySelectorAll('td'))
    if ([...cell.classList].some((name) => bold.has(`.${name}`))) cell.style.fontWeight = 'bold'
}

/** Whether an element makes its text bold; undefined if it inherits the weight. */
function makesBold(element: HTMLElement): boolean | undefined {
  const { fontWeight } = element.style
  if (fontWeight !== '') return boldWeight.test(fontWeight)
  return element.matches('b, strong') || undefined
}

/** Whether all text of a cell is bold; undefined if it has no text. */
function isBold(cell: HTMLElement): boolean | undefined {
  const walker = cell.ownerDocument.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  let hasText = false
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if ((text.textContent ?? '').trim() === '') continue
    hasText = true
    let element = text.parentElement
    while (element && element !== cell && makesBold(element) === undefined) element = element.parentElement
    if (!element || makesBold(element) !== true) return false
  }
  return hasText || undefined
}

function isBoldRow({ cells }: HTMLTableRowElement): boolean {
  const found = new Set(Array.from(cells, isBold))
  return found.has(true) && !found.has(false)
}

/** Elements that a title of a column cannot contain. */
const blocks = 'ul, ol, img, table, pre, blockquote, aside, h1, h2, h3, h4, h5, h6, p + p'

const canBeTitle = (cell: HTMLTableCellElement): boolean =>
  cell.colSpan === 1 && cell.rowSpan === 1 && !cell.querySelector(blocks)

/** Wraps the text of bold cells in an element, because the editor reads only the contents of cells. */
export function wrapBoldCells(body: HTMLElement): void {
  for (const cell of body.querySelectorAll<HTMLElement>('td[style]')) {
    if (makesBold(cell) !== true) continue
    const bold = cell.ownerDocument.createElement('b')
    bold.append(...cell.childNodes)
    cell.append(bold)
  }
}

/** Converts a bold first row to header cells, because only websites have elements for them. */
export function convertTableHeads(body: HTMLElement): void {
  for (const { rows } of body.querySelectorAll('table')) {
    const [first, second] = rows
    if (!first || !second || ![...first.cells].every(canBeTitle)) continue
    const isInHead = first.parentElement?.tagName === 'THEAD'
    if (!isInHead && (!isBoldRow(first) || isBoldRow(second))) continue
    for (const cell of first.cells) {
      const title = cell.ownerDocument.createElement('th')
      title.append(...cell.childNodes)
      for (const element of title.querySelectorAll<HTMLElement>('[style]')) element.style.fontWeight = ''
      for (const element of title.querySelectorAll('b, strong')) element.replaceWith(...element.childNodes)
      cell.replaceWith(title)
    }
  }
}
