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

/** Maximum number of tab lists: the lookup of their panels takes longer the more there are. */
const maxSets = 500
/** Maximum number of ancestors of a tab list that are searched for its panels. */
const maxLevels = 5

/** Tabs of a page with the ARIA roles `tablist`, `tab` and `tabpanel`. */
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

  /** Reads tabs at the position of their tab list; panels are omitted at their own positions. */
  read(element: WebElement, read: ReadBlocks): Block[] | undefined {
    const set = this.#sets.get(element)
    if (set) return [tabs(set.map(({ title, panel }) => ({ title, nodes: read(panel.children) })))]
    return this.#panels.has(element) ? [] : undefined
  }
}
