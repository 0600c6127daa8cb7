import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { joinClasses } from '../../../ui/classes.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { customizeTexts as texts } from './setting-texts.ts'

interface PreviewFrameProps {
  /** Address of the preview, with a trailing slash. */
  base: string
  /** Path of the site that is shown first, and again whenever this value changes. */
  path: string
  /** Mode of the site at the first visit. */
  defaultMode: 'light' | 'dark'
}

interface ShownFrame {
  id: number
  base: string
  src: string
}

let lastFrameId = 0

/**
 * Shows a preview of the site. A changed preview is loaded in a second frame behind the visible one and replaces it when it is
 * complete, at the same page and position. The frame has the origin of the app: it contains only scripts of this server, like the
 * pages of the app.
 */
export function PreviewFrame({ base, path, defaultMode }: PreviewFrameProps) {
  const [width, setWidth] = useState<'desktop' | 'phone'>(() =>
    matchMedia('(max-width: 48rem)').matches ? 'phone' : 'desktop',
  )
  const [mode, setMode] = useState(defaultMode)
  const [shown, setShown] = useState<ShownFrame>()
  const [next, setNext] = useState<ShownFrame>()
  const [page, setPage] = useState(path)
  const area = useRef<HTMLDivElement>(null)
  const style = useScale(area, width === 'desktop')
  const elements = useRef(new Map<number, HTMLIFrameElement>())
  const open = (to: string) => setNext({ id: ++lastFrameId, base, src: base + to })
  useEffect(() => open(page), [base])
  useEffect(() => {
    if (path !== page) open(path)
  }, [path])
  useEffect(() => setMode(defaultMode), [defaultMode])
  useEffect(() => {
    for (const element of elements.current.values()) applyMode(element, mode)
  }, [mode])

  function finish(frame: ShownFrame, element: HTMLIFrameElement): void {
    applyMode(element, mode)
    keepLinksInside(element, frame.base)
    const address = element.contentWindow?.location
    const opened = address?.pathname.startsWith(frame.base) ? address.pathname.slice(frame.base.length) : ''
    if (frame.id === next?.id) {
      const before = shown && elements.current.get(shown.id)?.contentWindow
      if (before && opened === page) element.contentWindow?.scrollTo({ top: before.scrollY, behavior: 'instant' })
      setShown(frame)
      setNext(undefined)
    }
    setPage(opened)
  }
  return (
    <div class="site-preview">
      <div class="site-preview-bar">
        <span class="site-preview-address">/{page}</span>
        <Button
          kind="quiet"
          icon="device-desktop"
          label={texts.desktop}
          aria-pressed={width === 'desktop'}
          onClick={() => setWidth('desktop')}
        />
        <Button
          kind="quiet"
          icon="device-mobile"
          label={texts.phone}
          aria-pressed={width === 'phone'}
          onClick={() => setWidth('phone')}
        />
        <Button
          kind="quiet"
          icon="sun"
          label={texts.light}
          aria-pressed={mode === 'light'}
          onClick={() => setMode('light')}
        />
        <Button
          kind="quiet"
          icon="moon"
          label={texts.dark}
          aria-pressed={mode === 'dark'}
          onClick={() => setMode('dark')}
        />
        <span class="site-preview-state" role="status">
          {next && <Icon name="loader" size={14} />}
        </span>
      </div>
      <div ref={area} class={joinClasses('site-preview-page', width === 'phone' && 'is-phone')}>
        {[shown, next].map(
          (frame) =>
            frame && (
              <iframe
                key={frame.id}
                title={texts.preview}
                src={frame.src}
                class={frame.id === shown?.id ? undefined : 'is-loading'}
                aria-hidden={frame.id !== shown?.id}
                style={style}
                ref={(element) => {
                  if (element) elements.current.set(frame.id, element)
                  else elements.current.delete(frame.id)
                }}
                onLoad={(event) => finish(frame, event.currentTarget)}
              />
            ),
        )}
      </div>
    </div>
  )
}

/** Width of a desktop in pixels; the frame is scaled down if there is less space. */
const desktopWidth = 1280

/** Returns the style of a frame that shows a desktop within the size of an element. */
function useScale(area: RefObject<HTMLDivElement | null>, isDesktop: boolean): Record<string, string> {
  const [room, setRoom] = useState(desktopWidth)
  useEffect(() => {
    if (!area.current) return undefined
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? desktopWidth))
    observer.observe(area.current)
    return () => observer.disconnect()
  }, [])
  const scale = room / desktopWidth
  if (!isDesktop || scale >= 1) return {}
  return { width: `${desktopWidth}px`, height: `${100 / scale}%`, transform: `scale(${scale})` }
}

function applyMode({ contentDocument }: HTMLIFrameElement, mode: 'light' | 'dark'): void {
  if (contentDocument) contentDocument.documentElement.dataset['theme'] = mode
}

/** Opens links to other addresses in a new tab, because the frame may only show the preview. */
function keepLinksInside({ contentDocument }: HTMLIFrameElement, base: string): void {
  contentDocument?.addEventListener(
    'click',
    (event) => {
      const target = event.target as Element | null
      const link = target?.closest?.('a')
      if (!link || (link.origin === location.origin && link.pathname.startsWith(base))) return
      event.preventDefault()
      if (/^(?:https?|mailto|tel):$/.test(link.protocol)) window.open(link.href, '_blank', 'noopener')
    },
    { capture: true },
  )
}
