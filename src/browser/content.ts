import { findElements, findByHash, findElement, onClick, writeStorage, readStorage } from './dom.ts'

function chooseTabs(title: string): void {
  for (const tab of findElements<HTMLInputElement>('[data-tab]')) if (tab.dataset['tab'] === title) tab.checked = true
}

/** Selects the tabs that the reader chose on an earlier page. */
function restoreTabs(): void {
  const chosen = readStorage('tab')
  if (chosen) chooseTabs(chosen)
}

/** Selects tabs with the same title together, on this page and on later pages. */
function startTabs(): void {
  document.addEventListener('change', ({ target }) => {
    const tab = target instanceof HTMLInputElement ? target : undefined
    const title = tab?.dataset['tab']
    if (!tab || !title) return
    // Scrolls so that the chosen tab does not move when tabs above it change.
    const before = tab.parentElement?.getBoundingClientRect().top ?? 0
    chooseTabs(title)
    scrollBy(0, (tab.parentElement?.getBoundingClientRect().top ?? 0) - before)
    writeStorage('tab', title)
  })
}

const normalizeAnchor = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Finds the element for a hash that differs in spelling from its id or heading, because other tools generate other anchors. */
function findSimilarTarget(hash: string): Element | undefined {
  let anchor = hash.slice(1)
  try {
    anchor = decodeURIComponent(anchor)
  } catch {}
  const wanted = normalizeAnchor(anchor.replace(/^(?:user-content-)?(?:id-)?/, ''))
  if (wanted === '') return undefined
  const candidates = findElements<Element>('h1[id], .content [id]:not([popover])')
  const withId = candidates.find(({ id }) => normalizeAnchor(id.replace(/^id-/, '')) === wanted)
  return (
    withId ??
    candidates.find((place) => place.matches('h1, h2, h3, h4') && normalizeAnchor(place.textContent) === wanted)
  )
}

/** Scrolls to the target of the hash and opens the elements that contain it. */
export function showTarget(): void {
  const target = findByHash(location.hash)
  if (!target) {
    const similar = findSimilarTarget(location.hash)
    // This function is called again when the hash changes.
    if (similar) location.replace(`#${encodeURIComponent(similar.id)}`)
    return
  }
  for (let ancestor: HTMLElement | null = target; ancestor; ancestor = ancestor.parentElement) {
    if (ancestor instanceof HTMLDetailsElement) ancestor.open = true
    if (ancestor instanceof HTMLInputElement && ancestor.dataset['tab'] !== undefined) ancestor.checked = true
    const panel = ancestor.classList.contains('panel') ? ancestor : undefined
    const tab = panel?.previousElementSibling?.previousElementSibling
    if (tab instanceof HTMLInputElement) tab.checked = true
  }
  // The tag of an update refers to all updates with that tag.
  const shown = target.matches('.tag') ? target.closest('.updates') : target
  shown?.scrollIntoView()
}

/** Starts the search fields that filter the rows of tables. */
function startTables(): void {
  document.addEventListener('input', ({ target }) => {
    const field = target instanceof HTMLInputElement && target.dataset['find'] !== undefined ? target : undefined
    if (!field) return
    const wanted = field.value.trim().toLocaleLowerCase()
    const table = field.parentElement as HTMLElement
    let count = 0
    for (const row of findElements('tbody > tr, .card', table)) {
      row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted)
      if (!row.hidden) count++
    }
    const emptyMessage = findElement('[data-no-rows]', table)
    if (emptyMessage) emptyMessage.hidden = count > 0
  })
}

/** Loads embedded content of other sites only when a reader clicks on it. */
function startEmbeds(): void {
  onClick<HTMLAnchorElement>('[data-embed^="https:"]', (link, event) => {
    event.preventDefault()
    const frame = document.createElement('iframe')
    frame.src = link.dataset['embed'] ?? ''
    frame.title = link.dataset['title'] ?? ''
    frame.allow = 'fullscreen; encrypted-media; picture-in-picture'
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-presentation')
    frame.referrerPolicy = 'strict-origin-when-cross-origin'
    link.replaceWith(frame)
    frame.focus()
  })
}

/** Shows an image in a dialog. */
function enlarge(image: HTMLImageElement): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'zoom'
  dialog.append(Object.assign(document.createElement('img'), { src: image.src, alt: image.alt }))
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

/** Makes large images open in a dialog by pointer and by keyboard. */
function prepareZoom(root: ParentNode): void {
  const images = findElements<HTMLImageElement>('img[data-zoom]', root).filter((image) => !image.closest('a, button'))
  for (const image of images) {
    image.tabIndex = 0
    image.role = 'button'
    image.ariaLabel = [document.body.dataset['zoom'], image.alt].filter(Boolean).join(': ')
    // With an empty `alt` the image would be decorative, which a button cannot be.
    if (image.alt === '') image.removeAttribute('alt')
    image.addEventListener('click', () => enlarge(image))
    image.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      enlarge(image)
    })
  }
}

/** Filters updates by the tag in the hash; shows all of them if there is none. */
function filterUpdates(): void {
  for (const list of findElements('.updates')) {
    const links = findElements<HTMLAnchorElement>('[data-tag]', list)
    const chosen = links.find(({ hash }) => hash === location.hash) ?? links[0]
    const tag = chosen?.dataset['tag']
    for (const link of links) link.ariaCurrent = String(link === chosen)
    for (const update of findElements('.update', list))
      update.hidden = !!tag && !update.dataset['tags']?.split(',').includes(tag)
  }
}

/** Filters updates by tag in place: the URL changes, and the scroll position does not. */
function startUpdates(): void {
  onClick<HTMLAnchorElement>('[data-tag]', ({ href }, event) => {
    event.preventDefault()
    history.pushState(null, '', href)
    filterUpdates()
  })
  addEventListener('popstate', filterUpdates)
}

/** Removes the box of a cover image that could not be loaded. */
function dropCover(image: HTMLImageElement): void {
  const box = image.parentElement
  const head = box?.parentElement
  if (!box?.matches('.cover, .cover-image')) return
  image.remove()
  const other = findElement('img', box)
  // If only the light or only the dark image failed, the box is shown only in the mode of the remaining image.
  if (other) box.className += ` ${other.className}`
  else box.remove()
  if (other || !head?.matches('.on-cover')) return
  head.className = 'page-head'
  head.removeAttribute('style')
}

/** Removes the covers that failed to load before `startCovers`. */
function dropFailedCovers(root: ParentNode): void {
  for (const image of findElements<HTMLImageElement>('.cover img, .cover-image img', root))
    if (image.complete && image.naturalWidth === 0) dropCover(image)
}

function startCovers(): void {
  // These events do not bubble.
  document.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && dropCover(target), true)
}

/** Handles events of content in the document, including content that is added later. */
export function listenToContent(): void {
  startTabs()
  startTables()
  startEmbeds()
  startCovers()
  startUpdates()
  addEventListener('hashchange', showTarget)
}

/** Prepares the elements of content that was added to the document. */
export function prepareContent(root: ParentNode): void {
  restoreTabs()
  prepareZoom(root)
  dropFailedCovers(root)
  filterUpdates()
}

export function startContent(): void {
  listenToContent()
  prepareContent(document)
  if (location.hash) showTarget()
}
