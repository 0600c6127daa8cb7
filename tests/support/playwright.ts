import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** Storage without values, which costs nothing. */
class NoStorage {
  getStore(): undefined {
    return undefined
  }
  run<Result>(_: unknown, work: () => Result): Result {
    return work()
  }
}

/**
 * Playwright, without its context for calls that are part of other calls, which only shortens error messages. Once a process uses
 * `AsyncLocalStorage`, every promise takes longer in Node.js 20: tests need an eighth more processor time, also those without a browser.
 */
function loadPlaywright(): typeof import('playwright-core') {
  const hooks = load('node:async_hooks') as { AsyncLocalStorage: unknown }
  const { AsyncLocalStorage } = hooks
  hooks.AsyncLocalStorage = NoStorage
  try {
    return load('playwright-core') as typeof import('playwright-core')
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage
  }
}

export const { chromium } = loadPlaywright()
