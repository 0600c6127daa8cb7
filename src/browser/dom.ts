/** Returns all matching elements in the document or in an element. */
export const findElements = <Found extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found[] => [...within.querySelectorAll<Found>(selector)]

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers know what they look for, as with querySelector
export const findElement = <Found extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found | null => within.querySelector<Found>(selector)

/** Calls `handler` when a matching element is clicked, including elements that are added later. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers know what they look for, as with querySelector
export function onClick<Found extends HTMLElement = HTMLElement>(
  selector: string,
  handler: (element: Found, event: MouseEvent) => void,
): void {
  document.addEventListener('click', (event) => {
    const found = event.target instanceof Element ? event.target.closest<Found>(selector) : null
    if (found) handler(found, event)
  })
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const status = findElement('[data-status]')
  if (status) status.textContent = text
}

/** Stores a value; ignores errors, because storage may be blocked. */
export function writeStorage(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {}
}

export function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Returns the element for a hash, which may be malformed. */
export function findByHash(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)))
  } catch {
    return null
  }
}

/** Returns the base path of the site. */
export const getBasePath = (): string => document.body.dataset['base'] ?? '/'

/** Adds a style sheet to the page, and waits until it is loaded or failed to load. */
export function loadStyles(href: string): Promise<void> {
  if (findElement(`link[href="${href}"]`)) return Promise.resolve()
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  document.head.append(link)
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => resolve())
  })
}

export type Attributes = Readonly<Record<string, string>>

/** Creates an element with attributes and children. Strings are inserted as text, never as markup. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

export const fillPlaceholder = (text: string, value: string): string => text.replace('{0}', () => value)
