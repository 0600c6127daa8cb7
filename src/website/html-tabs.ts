import type { Block } from '../content/document/nodes.ts'
import { tabs } from './build-blocks.ts'
import {
  type ReadBlocks,
  type WebElement,
  ancestorsOf,
  descendants,
  findAll,
  findOutermost,
  hasRole,
  textOf,
} from './html-tree.ts'

/** More tabs than any page has: looking for the panels of each takes longer the more there are. */
const maxSets = 500
/** How far above the titles their panels may be found. */
const maxLevels = 5

/** The tabs of a page that say what they are, as pages for everyone do. */
export class TabSets {
  readonly #sets = new Map<WebElement, { title: string; panel: WebElement }[]>()
  readonly #panels = new Set<WebElement>()

  constructor(content: WebElement) {
    const found = new Map<WebElement, readonly WebElement[]>()
    for (const list of Array.from(descendants(content)).filter(hasRole('tablist')).slice(0, maxSets)) {
      const container = ancestorsOf(list, maxLevels).find(({ panels }) => panels > 0)
      const titles = findAll(list, hasRole('tab'))
      if (!container) continue
      const panels = found.get(container) ?? findOutermost(container, hasRole('tabpanel'))
      found.set(container, panels)
      const free = panels.filter((panel) => !this.#panels.has(panel))
      if (free.length === 0 || titles.length === 0) continue
      const byId = new Map(free.map((panel) => [panel.attributes['id'], panel]))
      const set = titles.flatMap((tab, index) => {
        const { 'aria-controls': controls, href } = tab.attributes
        const panel = byId.get(controls ?? href?.replace(/^#/, '') ?? '#') ?? free[index]
        return panel && !this.#panels.has(panel) ? [{ title: textOf(tab), panel }] : []
      })
      for (const { panel } of set) this.#panels.add(panel)
      this.#sets.set(list, set)
    }
  }

  /** The tabs in the place of their titles, and nothing in the places of their panels. */
  read(element: WebElement, read: ReadBlocks): Block[] | undefined {
    const set = this.#sets.get(element)
    if (set) return [tabs(set.map(({ title, panel }) => ({ title, nodes: read(panel.children) })))]
    return this.#panels.has(element) ? [] : undefined
  }
}
