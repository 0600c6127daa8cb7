import { useEffect } from 'preact/hooks'

/** Time without a keystroke after which a search starts, in milliseconds. */
const delay = 200

/** Calls a function when a typed value has not changed for a moment. */
export function useDelayed(value: string, apply: (value: string) => void): void {
  useEffect(() => {
    const timer = setTimeout(() => apply(value), delay)
    return () => clearTimeout(timer)
  }, [value])
}
