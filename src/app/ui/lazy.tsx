import type { ComponentType, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadModule } from '../load-module.ts'
import { showError } from './toasts.tsx'

/** Returns a component whose module is loaded when it is shown for the first time: `lazy(async () => (await import('./a.tsx')).A)`. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => VNode<Props> | null {
  let Loaded: ComponentType<Props> | undefined
  return function Lazy(props) {
    const [, setLoaded] = useState(Loaded !== undefined)
    useEffect(() => {
      if (Loaded) return
      loadModule(load).then((component) => {
        Loaded = component
        setLoaded(true)
      }, showError)
    }, [])
    return Loaded ? <Loaded {...props} /> : null
  }
}
