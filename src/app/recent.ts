import { signal } from '@preact/signals'

/** A page that was seen in this browser. */
export interface RecentPage {
  /** ID of the space. */
  space: string
  /** ID of the page. */
  page: string
  title: string
  spaceTitle: string
  /** Time at which it was seen last. */
  at: string
}

const storageKey = 'octavo.recent'
/** Maximum number of remembered pages. */
const maxPages = 20

/** The pages that were seen in this browser, newest first. */
export const recentPages = signal<readonly RecentPage[]>(readRecentPages())

function readRecentPages(): readonly RecentPage[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? (stored as RecentPage[]).slice(0, maxPages) : []
  } catch {
    return []
  }
}

/** Remembers that a page was seen. */
export function rememberPage(seen: Omit<RecentPage, 'at'>): void {
  const others = readRecentPages().filter(({ space, page }) => space !== seen.space || page !== seen.page)
  recentPages.value = [{ ...seen, at: new Date().toISOString() }, ...others].slice(0, maxPages)
  localStorage.setItem(storageKey, JSON.stringify(recentPages.value))
}
