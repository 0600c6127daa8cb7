import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { appHref, toAppPath } from './base-path.ts'
import { leavePosition, startScrollPositions } from './scroll-position.ts'

/** Component of a screen; it gets the parameters of its address. */
export type Screen = ComponentType<{ params: Readonly<Record<string, string>> }>

/** Addresses of a screen, and the module that contains it. `{name}` matches one segment of the path. */
export interface ScreenRoute {
  paths: readonly string[]
  load: () => Promise<{ default: Screen }>
}

/** Address of the current screen, without the part that all screens share. */
export interface Address {
  path: string
  query: URLSearchParams
  hash: string
}

const readAddress = (): Address => ({
  path: toAppPath(new URL(location.href)) ?? '/',
  query: new URLSearchParams(location.search),
  hash: location.hash.slice(1),
})

export const address = signal<Address>(readAddress())

/** Functions that return a reason for staying on the screen; the user is then asked. */
const guards = new Set<() => string | undefined>()

/** Opens a screen: `navigate('/spaces/1')`. The path may have a query and a fragment. */
export function navigate(path: string, { replace = false }: { replace?: boolean } = {}): void {
  if (!mayLeave()) return
  if (replace) history.replaceState(null, '', appHref(path))
  else {
    leavePosition()
    history.pushState(null, '', appHref(path))
  }
  address.value = readAddress()
}

/** Sets one value of the query without adding an entry to the history. */
export function setQuery(name: string, value: string | undefined): void {
  const url = new URL(location.href)
  if (value === undefined) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  history.replaceState(history.state, '', url)
  address.value = readAddress()
}

/** Asks the user before leaving the screen while `guard` returns a reason. Returns a function that removes the guard. */
export function guardLeaving(guard: () => string | undefined): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

function mayLeave(): boolean {
  const reason = Array.from(guards, (guard) => guard()).find((one) => one !== undefined)
  return reason === undefined || window.confirm(reason)
}

/** Handles links to screens and the buttons of the browser. */
export function startRouter(): void {
  window.addEventListener('popstate', () => (address.value = readAddress()))
  startScrollPositions()
  window.addEventListener('beforeunload', (event) => {
    if (Array.from(guards, (guard) => guard()).some((reason) => reason !== undefined)) event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !isPlainClick || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    // Links in pages may have invalid URLs.
    if (!URL.canParse(link.href)) return
    const url = new URL(link.href)
    const path = toAppPath(url)
    // The address of an invite is a page of the server.
    if (path === undefined || path.startsWith('/join/')) return
    // The browser scrolls to anchors of the same page itself.
    if (url.hash && url.pathname === location.pathname && url.search === location.search) return
    event.preventDefault()
    navigate(path + url.search + url.hash)
  })
}

/** Returns the route of a path with the values of its parameters. */
export function findRoute<Route extends Pick<ScreenRoute, 'paths'>>(
  routes: readonly Route[],
  path: string,
): { route: Route; params: Record<string, string> } | undefined {
  const segments = path.split('/')
  for (const route of routes) {
    for (const pattern of route.paths) {
      const params = matchPath(pattern.split('/'), segments)
      if (params) return { route, params }
    }
  }
  return undefined
}

function matchPath(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] as string
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== segment : segment === '') return undefined
    if (name !== undefined) params[name] = decodeSegment(segment)
  }
  return params
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
