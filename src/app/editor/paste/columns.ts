/** Confluence layouts, including those of its new editor, and the columns in them. */
export const layouts = '.columnLayout, [data-layout-section]'
const columns = ':scope > .cell, :scope > [data-layout-column]'

/** Elements that cannot contain columns. */
const enclosing = 'td, th, li, blockquote, aside, .pasted-column'

/** Converts Confluence layouts with several columns to columns. The contents of other layouts remain where they are. */
export function convertColumns(body: HTMLElement): void {
  for (const layout of body.querySelectorAll<HTMLElement>(layouts)) {
    const found = layout.querySelectorAll<HTMLElement>(columns)
    if (found.length < 2 || found.length < layout.children.length || layout.closest(enclosing)) continue
    const container = layout.ownerDocument.createElement('div')
    container.className = 'pasted-columns'
    const widths = Array.from(found, readWidth)
    for (const [index, { childNodes }] of found.entries()) {
      const column = layout.ownerDocument.createElement('div')
      column.className = 'pasted-column'
      if (new Set(widths).size > 1 && !widths.includes(undefined)) column.dataset['width'] = String(widths[index])
      column.append(...childNodes)
      container.append(column)
    }
    layout.replaceWith(container)
  }
}

/** Returns the width of a column in percent; undefined if it has none. */
function readWidth({ dataset }: HTMLElement): number | undefined {
  const width = Number(dataset['columnWidth'])
  return width > 0 && width < 100 ? Math.round(width) : undefined
}
