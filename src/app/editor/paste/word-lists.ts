/** Whether a paragraph of Word is an item of a list. */
const isItem = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.tagName === 'P' && element.dataset['list'] !== undefined

const levelOf = (item: HTMLElement): number => Number(/level(\d+)/.exec(item.dataset['list'] ?? '')?.[1] ?? 1)

/** Converts list items that Word writes as paragraphs to lists. */
export function convertWordLists(body: HTMLElement): void {
  for (const first of body.querySelectorAll('p[data-list]')) {
    if (!isItem(first) || !first.isConnected) continue
    const items: [HTMLElement, ...HTMLElement[]] = [first]
    for (let next = first.nextElementSibling; isItem(next); next = next.nextElementSibling) items.push(next)
    first.before(toList(items))
    for (const item of items) item.remove()
  }
}

/** Marks numbered items before their markers are removed. */
export function markNumberedItems(body: HTMLElement, markers: string): void {
  for (const marker of body.querySelectorAll(markers)) {
    const item = marker.closest('p')
    if (item && /^[\s(]*[\da-z]{1,4}[.)]/i.test(marker.textContent)) item.dataset['numbered'] = 'true'
  }
}

/** Converts items to a list; items of a deeper level are moved into the item before them. */
function toList([first, ...others]: readonly [HTMLElement, ...HTMLElement[]]): HTMLElement {
  const items = [first, ...others]
  const [level, { ownerDocument }] = [levelOf(first), first]
  const list = ownerDocument.createElement(first.dataset['numbered'] === 'true' ? 'ol' : 'ul')
  for (let at = 0; at < items.length;) {
    const end = items.findIndex((item, index) => index > at && levelOf(item) <= level)
    const [own, child, ...rest] = items.slice(at, end === -1 ? items.length : end)
    const item = ownerDocument.createElement('li')
    const paragraph = ownerDocument.createElement('p')
    paragraph.append(...(own?.childNodes ?? []))
    item.append(paragraph, ...(child ? [toList([child, ...rest])] : []))
    list.append(item)
    at = end === -1 ? items.length : end
  }
  return list
}
