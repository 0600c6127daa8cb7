/** Creates a promise with a function that resolves it. */
export function makeGate(): { passed: Promise<void>; open: () => void } {
  let settle: (() => void) | undefined
  const passed = new Promise<void>((resolve) => (settle = resolve))
  return { passed, open: () => settle?.() }
}
