import { findElements, getBasePath, findByHash, findElement, onClick, writeStorage, readStorage } from './dom.ts'

/** Loads branches of the navigation and the rest of long lists on demand. */
function startBranches(): void {
  onClick<HTMLButtonElement>('.branch', (button) => void toggleBranch(button))
  onClick<HTMLAnchorElement>('[data-more]', (link, event) => {
    event.preventDefault()
    void showAll(link)
  })
}

async function toggleBranch(button: HTMLButtonElement): Promise<void> {
  const item = button.parentElement as HTMLElement
  const list = findElement(':scope > ul', item)
  const isOpen = button.getAttribute('aria-expanded') === 'true'
  button.setAttribute('aria-expanded', String(!isOpen))
  if (list) list.hidden = isOpen
  else item.append(...(await fetchFragment(button.dataset['branch'] ?? '')).children)
}

/** Replaces a shortened list by the complete list. */
async function showAll(link: HTMLAnchorElement): Promise<void> {
  const list = link.closest('ul')
  const fullList = findElement('ul', await fetchFragment(link.href))
  if (!list || !fullList) return
  const current = findElement<HTMLAnchorElement>(':scope > li > [aria-current]', list)
  list.replaceChildren(...fullList.children)
  if (current)
    findElements<HTMLAnchorElement>('a', list)
      .find(({ href }) => href === current.href)
      ?.setAttribute('aria-current', 'page')
}

async function fetchFragment(url: string): Promise<DocumentFragment> {
  const template = document.createElement('template')
  try {
    const reply = await fetch(url)
    if (reply.ok) template.innerHTML = await reply.text()
  } catch {}
  return template.content
}

/** Highlights the current heading in the outline. */
function startOutline(): void {
  const links = findElements<HTMLAnchorElement>('[data-outline] a')
  const headings = links.flatMap(({ hash }) => findByHash(hash) ?? [])
  if (headings.length === 0) return
  // On wide screens the outline is a column; an open popover would cover the page.
  matchMedia('(min-width: 76.01rem)').addEventListener('change', () => closeMenus())
  const update = () => {
    const line = innerHeight / 4
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= line)
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 4
    const current = isAtEnd ? headings.length - 1 : Math.max(passed.length - 1, 0)
    links.forEach((link, index) => {
      if (index === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    })
  }
  let isWaiting = false
  const updateOnce = () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      update()
    })
  }
  addEventListener('scroll', updateOnce, { passive: true })
  updateOnce()
}

/** A `<details>` element, or a popover that a button elsewhere opens. */
type Menu = HTMLElement

const isOpen = (menu: Menu): boolean => menu.matches('[open], :popover-open')

function setOpen(menu: Menu, open: boolean): void {
  if (menu instanceof HTMLDetailsElement) menu.open = open
  else menu.togglePopover(open)
}

/** Returns the menu that contains an element or that the element opens. */
const findMenu = (element: Element | null): Menu | null =>
  element instanceof HTMLButtonElement && element.popoverTargetElement?.matches('[data-menu]')
    ? (element.popoverTargetElement as Menu)
    : (element?.closest<Menu>('[data-menu]') ?? null)

function closeMenus(except?: Menu | null): void {
  for (const menu of findElements('[data-menu]')) if (menu !== except && isOpen(menu)) setOpen(menu, false)
}

/** Closes menus when something else is clicked or an entry is chosen, and moves through entries with the arrow keys. */
function startMenus(): void {
  document.addEventListener('click', ({ target }) => {
    const at = target instanceof Element ? target : null
    closeMenus(at?.closest('a') ? null : findMenu(at?.closest('button') ?? at))
  })
  document.addEventListener('keydown', (event) => {
    const menu = findMenu(document.activeElement)
    if (event.key === 'Escape') {
      if (menu && isOpen(menu)) findElement('summary', menu)?.focus()
      closeMenus()
    } else if (menu && moveInMenu(menu, event.key)) event.preventDefault()
  })
  // Browsers focus an element in a popover only with `autofocus`, which would also take the focus when the page loads.
  for (const menu of findElements('[data-menu][popover]'))
    menu.addEventListener(
      'toggle',
      () => isOpen(menu) && !menu.contains(document.activeElement) && findElement('a', menu)?.focus(),
    )
}

/** Moves the focus to another entry of a menu; returns whether the key is a navigation key. */
function moveInMenu(menu: Menu, key: string): boolean {
  const entries = findElements('a', menu)
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[key]
  // A list that is visible in a column without being open is not a menu.
  const isList = !isOpen(menu) && at >= 0
  if (next === undefined || isList || (!isOpen(menu) && !key.startsWith('A'))) return false
  setOpen(menu, true)
  entries.at(next % entries.length)?.focus()
  return true
}

/** Hides an announcement that was dismissed earlier. */
function startAnnouncement(): void {
  const announcement = findElement('[data-announcement]')
  const key = `put away ${announcement?.dataset['announcement']}`
  if (!announcement) return
  if (readStorage(key)) announcement.hidden = true
  onClick('[data-dismiss]', () => {
    announcement.hidden = true
    writeStorage(key, '1')
  })
}

/** Prefetches pages whose links are hovered or focused. */
function startPrefetching(): void {
  // Pages for signing in are never cached and refuse to be prefetched.
  if (findElement('meta[name="octavo-form"]')) return
  const prefetched = new Set<string>([location.href])
  const prefetch = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    const href = link?.href.split('#')[0] ?? ''
    const isOnSite = link?.origin === location.origin && link.pathname.startsWith(getBasePath())
    if (!link || !isOnSite || link.pathname.includes('/~') || prefetched.has(href) || link.download !== '') return
    prefetched.add(href)
    const hint = document.createElement('link')
    hint.rel = 'prefetch'
    hint.href = href
    document.head.append(hint)
  }
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  document.addEventListener('pointerover', prefetch, { passive: true })
  document.addEventListener('focusin', prefetch, { passive: true })
}

export function startNavigation(): void {
  startBranches()
  startOutline()
  startMenus()
  startAnnouncement()
  startPrefetching()
}
