import { useEffect, useState } from 'preact/hooks'

/** Returns the height in pixels of the part of the window that is hidden at the bottom, for example by the on-screen keyboard. */
export function useViewportBottom(): number {
  const [bottom, setBottom] = useState(0)
  useEffect(() => {
    const viewport = window.visualViewport
    const update = () => {
      if (viewport) setBottom(Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop))
    }
    update()
    viewport?.addEventListener('resize', update)
    viewport?.addEventListener('scroll', update)
    return () => {
      viewport?.removeEventListener('resize', update)
      viewport?.removeEventListener('scroll', update)
    }
  }, [])
  return bottom
}
