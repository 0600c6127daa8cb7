import { isPrivate, tell } from './visit.ts'

/** Tells that a page was looked at, once it is left or hidden: nothing is asked for while it is read. */
export function startViews(): void {
  if (isPrivate()) return
  let isTold = false
  const leave = () => {
    if (document.visibilityState === 'visible' || isTold) return
    isTold = true
    tell({ type: 'page_view' })
  }
  document.addEventListener('visibilitychange', leave)
  // Pages that come back from the cache of the browser are looked at again.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) isTold = false
  })
}
