import { hasPrivacyControl, sendEvents } from './visit.ts'

/** Sends a page view when the page is left or hidden, so that there are no requests while it is read. */
export function startPageViews(): void {
  if (hasPrivacyControl()) return
  let isSent = false
  const sendView = () => {
    if (document.visibilityState === 'visible' || isSent) return
    isSent = true
    sendEvents({ type: 'page_view' })
  }
  document.addEventListener('visibilitychange', sendView)
  // Pages restored from the back/forward cache count as viewed again.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) isSent = false
  })
}
