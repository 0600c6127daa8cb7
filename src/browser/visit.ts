import { getBasePath, findElement } from './dom.ts'

/** Event of a visit with its properties. */
export type VisitEvent = { type: string } & Record<string, unknown>

/** Whether the visitor has enabled Global Privacy Control. */
export const hasPrivacyControl = (): boolean =>
  (navigator as Navigator & { globalPrivacyControl?: boolean }).globalPrivacyControl === true

/**
 * Returns a random id from storage, creating it when the first event is sent; only if the site enables it and the visitor has not
 * opted out. Never a cookie.
 */
function getOrCreateId(storage: () => Storage, name: string): string | undefined {
  if (hasPrivacyControl() || navigator.doNotTrack === '1' || !findElement('[data-remembers]')) return undefined
  try {
    const store = storage()
    const id =
      store.getItem(name) ??
      Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
    store.setItem(name, id)
    return id
  } catch {
    return undefined
  }
}

/** Sends events of the current page to the site; previews send none. */
export function sendEvents(...events: VisitEvent[]): void {
  const page = findElement('[data-page]')
  if (!page || findElement('.preview-banner')) return
  const { siteSection, siteSpace, space, revision, page: id } = page.dataset
  const payload = {
    visitor: getOrCreateId(() => localStorage, 'visitor'),
    session: getOrCreateId(() => sessionStorage, 'session'),
    referrer: document.referrer,
    place: { url: location.href.split('#')[0], siteSection, siteSpace, space, revision, page: id },
    events,
  }
  navigator.sendBeacon(`${getBasePath()}~events`, JSON.stringify(payload))
}
