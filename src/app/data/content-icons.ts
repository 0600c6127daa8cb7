import { signal } from '@preact/signals'
import { request } from '../api.ts'

/** Maximum number of names in one request. */
const maxNames = 50

/** Icons by their names, as SVG; empty for names without an icon. */
const icons = signal<ReadonlyMap<string, string>>(new Map())
const requested = new Set<string>()
let waiting: string[] = []

/** Returns an icon of content as SVG; undefined until it is loaded. Icons that are shown at the same time are read together. */
export function readContentIcon(name: string): string | undefined {
  const found = icons.value.get(name)
  if (found === undefined && !requested.has(name)) {
    requested.add(name)
    if (waiting.length === 0) setTimeout(() => void loadWaiting())
    waiting.push(name)
  }
  return found
}

/** Stores icons that were read for another reason. */
export const storeContentIcons = (found: readonly { name: string; svg: string }[]): void =>
  void (icons.value = new Map([...icons.peek(), ...found.map(({ name, svg }) => [name, svg] as const)]))

async function loadWaiting(): Promise<void> {
  const names = waiting
  waiting = []
  for (let start = 0; start < names.length; start += maxNames) {
    const part = names.slice(start, start + maxNames)
    try {
      const { icons: found } = await request('GET /icons', { query: { name: part } })
      const byName = new Map(found.map(({ name, svg }) => [name, svg]))
      storeContentIcons(part.map((name) => ({ name, svg: byName.get(name) ?? '' })))
    } catch {
      // Icons are decoration: they are requested again when they are shown the next time.
      for (const name of part) requested.delete(name)
    }
  }
}
