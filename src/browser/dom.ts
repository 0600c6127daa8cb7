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
