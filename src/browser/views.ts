import { isPrivate, tell } from './visit.ts'

/** Sends a page view when the page is left or hidden, so that there are no requests while it is read. */
export function startViews(): void {
  if (isPrivate()) return
  let isTold = false
  const leave = () => {
    if (document.visibilityState === 'visible' || isTold) return
    isTold = true
    tell({ type: 'page_view' })
  }
  document.addEventListener('visibilitychange', leave)
  // Pages restored from the back/forward cache count as viewed again.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) isTold = false
  })
}
