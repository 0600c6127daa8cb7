import { base, one } from './dom.ts'

/** What happened, and what there is to say about it. */
export type VisitEvent = { type: string } & Record<string, unknown>

/** Whether a visitor asks all sites not to follow them. */
export const isPrivate = (): boolean =>
  (navigator as Navigator & { globalPrivacyControl?: boolean }).globalPrivacyControl === true

/** Ids are made up when something is told, kept only if the site wants it and the visitor does not mind, and never cookies. */
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

/** Tells the site what happened on the page that is read; nothing is told of previews. */
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
