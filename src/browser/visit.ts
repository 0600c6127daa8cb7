import { base, one } from './dom.ts'

/** Event of a visit with its properties. */
export type VisitEvent = { type: string } & Record<string, unknown>

/** Whether the visitor has enabled Global Privacy Control. */
export const isPrivate = (): boolean =>
  (navigator as Navigator & { globalPrivacyControl?: boolean }).globalPrivacyControl === true

/**
 * Returns a random id from storage, creating it when the first event is sent; only if the site enables it and the visitor has not
 * opted out. Never a cookie.
 */
function idIn(storage: () => Storage, name: string): string | undefined {
  if (isPrivate() || navigator.doNotTrack === '1' || !one('[data-remembers]')) return undefined
  try {
    const kept = storage()
    const id =
      kept.getItem(name) ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
    kept.setItem(name, id)
    return id
  } catch {
    return undefined
  }
}

/** Sends events of the current page to the site; previews send none. */
export function tell(...events: VisitEvent[]): void {
  const page = one('[data-page]')
  if (!page || one('.preview-banner')) return
  const { siteSection, siteSpace, space, revision, page: id } = page.dataset
  const told = {
    visitor: idIn(() => localStorage, 'visitor'),
    session: idIn(() => sessionStorage, 'session'),
    referrer: document.referrer,
    place: { url: location.href.split('#')[0], siteSection, siteSpace, space, revision, page: id },
    events,
  }
  navigator.sendBeacon(`${base()}~events`, JSON.stringify(told))
}
