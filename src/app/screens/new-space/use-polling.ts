import { useEffect } from 'preact/hooks'

/** Time between two requests for the progress of an operation, in milliseconds. */
const interval = 1000

/** Reads data repeatedly while it changes. */
export function usePolling(isActive: boolean, reload: () => Promise<void>): void {
  useEffect(() => {
    if (!isActive) return undefined
    const timer = setInterval(() => void reload(), interval)
    return () => clearInterval(timer)
  }, [isActive])
}
