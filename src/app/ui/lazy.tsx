import type { ComponentType, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadModule } from '../load-module.ts'
import { showError } from './toasts.tsx'

interface LazyOptions {
  /** Whether the module is loaded after the screen, which can be used without it. */
  isDeferred?: boolean
}

/** Time in milliseconds after which a module is loaded that the user has not needed yet. */
const idleDelay = 1000
const interactions = ['pointermove', 'pointerdown', 'keydown', 'focusin']

/** Calls a function at the first interaction of the user, or some time later when the browser is idle. */
export function runWhenUsed(run: () => void): void {
  const stop = new AbortController()
  const start = () => {
    if (stop.signal.aborted) return
    stop.abort()
    run()
  }
  for (const name of interactions)
    window.addEventListener(name, start, { capture: true, passive: true, signal: stop.signal })
  setTimeout(() => ('requestIdleCallback' in window ? requestIdleCallback(start) : start()), idleDelay)
}

/** Returns a component whose module is loaded when it is shown for the first time: `lazy(async () => (await import('./a.tsx')).A)`. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isDeferred = false }: LazyOptions = {},
): (props: Props) => VNode<Props> | null {
  let Loaded: ComponentType<Props> | undefined
  return function Lazy(props) {
    const [, setLoaded] = useState(Loaded !== undefined)
    useEffect(() => {
      const start = () =>
        void loadModule(load).then((component) => {
          Loaded = component
          setLoaded(true)
        }, showError)
      if (Loaded) return
      if (isDeferred) runWhenUsed(start)
      else start()
    }, [])
    return Loaded ? <Loaded {...props} /> : null
  }
}
