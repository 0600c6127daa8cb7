import type { Block } from '../content/document/nodes.ts'
import { tabs } from './build-blocks.ts'
import {
  type ReadChildBlocks,
  type WebElement,
  ancestorsOf,
  descendants,
  findElements,
  findOutermost,
  hasRole,
  nodeText,
} from './html-tree.ts'

/** Maximum number of tab lists: the lookup of their panels takes longer the more there are. */
const maxTabLists = 500
/** Maximum number of ancestors of a tab list that are searched for its panels. */
const maxLevels = 5

/** Tabs of a page with the ARIA roles `tablist`, `tab` and `tabpanel`. */
export class TabSets {
  readonly #sets = new Map<WebElement, { title: string; panel: WebElement }[]>()
  readonly #panels = new Set<WebElement>()

  constructor(content: WebElement) {
    const panelsByContainer = new Map<WebElement, readonly WebElement[]>()
    for (const list of Array.from(descendants(content)).filter(hasRole('tablist')).slice(0, maxTabLists)) {
      const container = ancestorsOf(list, maxLevels).find(({ panelCount }) => panelCount > 0)
      const titles = findElements(list, hasRole('tab'))
      if (!container) continue
      const panels = panelsByContainer.get(container) ?? findOutermost(container, hasRole('tabpanel'))
      panelsByContainer.set(container, panels)
      const unassigned = panels.filter((panel) => !this.#panels.has(panel))
      if (unassigned.length === 0 || titles.length === 0) continue
      const byId = new Map(unassigned.map((panel) => [panel.attributes['id'], panel]))
      const set = titles.flatMap((tab, index) => {
        const { 'aria-controls': controls, href } = tab.attributes
        const panel = byId.get(controls ?? href?.replace(/^#/, '') ?? '#') ?? unassigned[index]
        return panel && !this.#panels.has(panel) ? [{ title: nodeText(tab), panel }] : []
      })
      for (const { panel } of set) this.#panels.add(panel)
      this.#sets.set(list, set)
    }
  }

  /** Reads tabs at the position of their tab list; panels are omitted at their own positions. */
  read(element: WebElement, read: ReadChildBlocks): Block[] | undefined {
    const set = this.#sets.get(element)
    if (set) return [tabs(set.map(({ title, panel }) => ({ title, nodes: read(panel.children) })))]
    return this.#panels.has(element) ? [] : undefined
  }
}
