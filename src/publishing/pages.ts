import type { Lineage } from '../content/revision/lineages.ts'
import type { Variables } from '../content/revision/objects.ts'
import { pathOfSegments } from './addresses.ts'
import type { SiteItem, Structure } from './structure.ts'
import type { Viewpoint } from './visibility.ts'

/** Whether somebody who sees its space sees a page: its condition holds for them, and those of all pages above it. */
export function seesPage(viewpoint: Viewpoint, lineage: Lineage, spaceVariables: Variables): boolean {
  return lineage.every(({ page }) => viewpoint.see([page], { space: spaceVariables, page: page.variables }).isVisible)
}

/** Where a section, a site space or a page of it is found; `base` is where the site begins, ending with a slash. */
export function publishedUrlOf<Item extends SiteItem>(
  base: string,
  structure: Structure<Item>,
  item: Item,
  pagePath = '',
): string {
  return base + pathOnSite(structure, item, pagePath)
}

/** The part of that address below the site; a page path is empty for the page that the site space itself shows. */
export function pathOnSite<Item extends SiteItem>(structure: Structure<Item>, item: Item, pagePath = ''): string {
  return pathOfSegments(structure.segmentsOf(item)) + pagePath.split('/').map(encodeURIComponent).join('/')
}
