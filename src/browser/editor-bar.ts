// The bar for editors on published pages of the server's own host. Only browsers that opened the web app load this script.
import { createElement, findElement } from './dom.ts'

const storageKey = 'octavo-editor'
/** Height of the frame in pixels while it shows the bar, and while it shows the list of change requests too. */
const heights: Record<string, number> = { closed: innerWidth < 500 ? 108 : 72, open: 320 }

const page = findElement('[data-page]')
const base = /(?:^|; )octavo-editor=([^;]*)/.exec(document.cookie)?.[1]
const isHidden = () => {
  try {
    return sessionStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}
// Previews and pages in frames have no bar.
if (page && base && top === self && !findElement('.preview-banner') && !isHidden())
  showBar(page, decodeURIComponent(base))

function showBar({ dataset }: HTMLElement, server: string): void {
  const theme = document.documentElement.dataset['theme'] ?? ''
  const parameters = new URLSearchParams({
    path: location.pathname,
    'site-space': dataset['siteSpace'] ?? '',
    space: dataset['space'] ?? '',
    page: dataset['page'] ?? '',
    theme,
  })
  const frame = createElement('iframe', {
    src: `${server}editor-bar?${parameters}`,
    title: 'Editor',
    hidden: '',
    // Browsers make a frame opaque if its color scheme differs from that of its element.
    style: `position:fixed;inset:auto 0 0;z-index:30;width:min(36rem,100%);margin-inline:auto;border:0;color-scheme:${theme === 'light' || theme === 'dark' ? theme : 'light dark'}`,
  })
  // The frame is shown when it reports that there is something to show; its content cannot be read by this page.
  addEventListener('message', ({ source, data }: MessageEvent<{ editorBar?: string } | null>) => {
    const state = data?.editorBar
    if (source !== frame.contentWindow || state === undefined) return
    const height = heights[state]
    frame.hidden = height === undefined
    if (height !== undefined) frame.style.height = `${height}px`
    else sessionStorage.setItem(storageKey, 'hidden')
  })
  document.body.append(frame)
}
