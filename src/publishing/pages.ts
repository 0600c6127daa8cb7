import type { PageObject, Variables } from '../content/revision/objects.ts'
import { pathOfSegments } from './addresses.ts'
import type { SiteItem, Structure } from './structure.ts'
import type { Viewpoint } from './visibility.ts'

/** Whether somebody who sees its space sees a page: its condition holds for them, and those of all pages above it. */
export function seesPages(
  viewpoint: Viewpoint,
  fromTheTop: readonly Pick<PageObject, 'condition' | 'variables'>[],
  spaceVariables: Variables,
): boolean {
  return fromTheTop.every((page) => viewpoint.see([page], { space: spaceVariables, page: page.variables }).isVisible)
}

/** The address of a section, a site space or a page of it, below that of the site; the path of a page is empty for the one that the site space itself shows. */
export function pathOnSite<Item extends SiteItem>(structure: Structure<Item>, item: Item, pagePath = ''): string {
  return pathOfSegments(structure.segmentsOf(item)) + pagePath.split('/').map(encodeURIComponent).join('/')
}
