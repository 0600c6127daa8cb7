import type { ComponentType, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadModule } from '../load-module.ts'
import { showError } from './toasts.tsx'

interface LazyOptions {
  /** Whether the module is loaded only when the browser is idle, because the screen is usable without it. */
  isDeferred?: boolean
}

/** Time in milliseconds after which a module is loaded by browsers that do not report when they are idle. */
const idleDelay = 200

const runWhenIdle = (run: () => void): void =>
  void ('requestIdleCallback' in window ? requestIdleCallback(run) : setTimeout(run, idleDelay))

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
      if (isDeferred) runWhenIdle(start)
      else start()
    }, [])
    return Loaded ? <Loaded {...props} /> : null
  }
}
