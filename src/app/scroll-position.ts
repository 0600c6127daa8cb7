/** Time in milliseconds in which a screen that is still loading is scrolled to its position. */
const maxWait = 3000

/** Stops the attempts to scroll to a position. */
let stop: () => void = () => undefined

/** Position that is stored for the current entry of the history. */
function readPosition(): number | undefined {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'scroll' in state ? Number(state.scroll) : undefined
}

const storePosition = (): void => history.replaceState({ scroll: window.scrollY }, '')

/** Restores the scroll position of each entry of the history; the browser does so before a screen has its content. */
export function startScrollPositions(): void {
  history.scrollRestoration = 'manual'
  let timer: ReturnType<typeof setTimeout> | undefined
  window.addEventListener(
    'scroll',
    () => {
      clearTimeout(timer)
      timer = setTimeout(storePosition, 100)
    },
    { passive: true },
  )
  window.addEventListener('popstate', () => {
    clearTimeout(timer)
    // The browser scrolls to anchors itself.
    const position = readPosition() ?? (location.hash === '' ? 0 : undefined)
    if (position !== undefined) scrollWhenPossible(position)
  })
  window.addEventListener('pagehide', storePosition)
  for (const event of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
    window.addEventListener(event, () => stop(), { passive: true })
  const stored = readPosition()
  if (stored !== undefined) scrollWhenPossible(stored)
}

/** Stores the position of the screen that is left, and scrolls to the start of the next one. */
export function leavePosition(): void {
  storePosition()
  stop()
  window.scrollTo({ top: 0, behavior: 'instant' })
}

/** Scrolls to a position as soon as the screen is long enough, unless the user scrolls first. */
function scrollWhenPossible(top: number): void {
  stop()
  const scroll = () => {
    window.scrollTo({ top, behavior: 'instant' })
    if (Math.abs(window.scrollY - top) <= 1) stop()
  }
  const observer = new ResizeObserver(scroll)
  const timer = setTimeout(() => stop(), maxWait)
  stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document.body)
}
