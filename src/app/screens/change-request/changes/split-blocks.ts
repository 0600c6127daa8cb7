/** A top-level block of rendered content. */
export interface RenderedBlock {
  /** Key of the block; the position if it has none. */
  key: string
  html: string
  isChanged: boolean
  /** Keys of the block and of all blocks in it. */
  blockKeys: readonly string[]
}

/** Splits rendered content into its top-level blocks. */
export function splitBlocks(html: string): RenderedBlock[] {
  const template = document.createElement('template')
  template.innerHTML = html
  return listBlocks(template.content).map((element, index) => {
    const keys = [element, ...element.querySelectorAll('[data-block]')].flatMap(
      (one) => (one as HTMLElement).dataset['block'] ?? [],
    )
    return {
      key: keys[0] ?? `at-${index}`,
      html: element.outerHTML,
      isChanged: isMarked(element),
      blockKeys: keys,
    }
  })
}

/** Returns the elements of blocks; those of a page that is new or deleted as a whole get the mark of the page. */
function listBlocks(content: DocumentFragment): HTMLElement[] {
  const elements = [...content.children] as HTMLElement[]
  const [only] = elements
  const isWhole = elements.length === 1 && only?.matches('.change:not([data-block])') && countBlocks(only) > 1
  if (!only || !isWhole) return elements
  const label = only.querySelector(':scope > .sr-only')
  return ([...only.children] as HTMLElement[])
    .filter((child) => child !== label)
    .map((child) => {
      const mark = only.cloneNode(false) as HTMLElement
      if (label) mark.append(label.cloneNode(true))
      mark.append(child)
      return mark
    })
}

const countBlocks = (mark: Element): number => mark.querySelectorAll(':scope > [data-block]').length

const marks = '.change, ins, del'

const isMarked = (element: Element): boolean => element.matches(marks) || element.querySelector(marks) !== null

/** Rows of a comparison: visible blocks, or a number of unchanged blocks that are folded. */
export type ComparisonRow =
  | { kind: 'block'; block: RenderedBlock }
  | { kind: 'fold'; key: string; blocks: RenderedBlock[] }

/** Unchanged blocks that are shown around changed ones. */
const context = 1
/** Fewer unchanged blocks than this are not folded. */
const minFolded = 2

/** Folds the unchanged blocks that are not beside a changed one, except for those that the user has opened. */
export function foldUnchanged(blocks: readonly RenderedBlock[], opened: ReadonlySet<string>): ComparisonRow[] {
  const isNear = (index: number): boolean =>
    blocks.slice(Math.max(0, index - context), index + context + 1).some(({ isChanged }) => isChanged)
  const rows: ComparisonRow[] = []
  let folded: RenderedBlock[] = []
  const flush = () => {
    const [first] = folded
    if (first && folded.length >= minFolded && !opened.has(first.key))
      rows.push({ kind: 'fold', key: first.key, blocks: folded })
    else rows.push(...folded.map((block) => ({ kind: 'block' as const, block })))
    folded = []
  }
  for (const [index, block] of blocks.entries()) {
    if (!isNear(index)) {
      folded.push(block)
      continue
    }
    flush()
    rows.push({ kind: 'block', block })
  }
  flush()
  return rows
}

/** Returns the HTML of a block before or after the change: without list items and rows that exist only on the other side. */
export function toSide(html: string, side: 'before' | 'after'): string {
  const template = document.createElement('template')
  template.innerHTML = html
  const other = side === 'before' ? 'ins, .change-added' : 'del, .change-removed'
  for (const item of template.content.querySelectorAll('li, tr')) {
    const copy = item.cloneNode(true) as Element
    for (const mark of copy.querySelectorAll(other)) mark.remove()
    const isEmptied =
      item.querySelector(other) !== null && copy.textContent?.trim() === '' && !copy.querySelector('img')
    if (isEmptied) item.remove()
  }
  if (side === 'before') removeIds(template.content)
  return template.innerHTML
}

const idAttributes = ['id', 'name', 'for', 'aria-controls', 'aria-labelledby']

/** Removes IDs from a copy of a block, so that each occurs once in the page. */
function removeIds(content: DocumentFragment): void {
  for (const element of content.querySelectorAll(idAttributes.map((name) => `[${name}]`).join())) {
    for (const name of idAttributes) element.removeAttribute(name)
  }
}
