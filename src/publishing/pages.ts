import type { PageObject, Variables } from '../content/revision/objects.ts'
import { pathOfSegments } from './addresses.ts'
import type { SiteItem, Structure } from './structure.ts'
import type { ConditionVariables, Viewpoint } from './visibility.ts'

/** Whether somebody who sees its space sees a page: its condition holds for them, and those of all pages above it. */
export function seesPages(
  viewpoint: Viewpoint,
  fromTheTop: readonly Pick<PageObject, 'condition' | 'variables'>[],
  spaceVariables: Variables,
): boolean {
  return fromTheTop.every((page) => viewpoint.see([page], variablesOf(page, spaceVariables)).isVisible)
}

/** What conditions of pages can read that have no variables of their own, by the variables of their space. */
const inSpace = new WeakMap<Variables, ConditionVariables>()

/** The same for all pages without variables of their own, so that a condition is evaluated once for all of them. */
function variablesOf({ variables }: Pick<PageObject, 'variables'>, space: Variables): ConditionVariables {
  if (variables !== undefined) return { space, page: variables }
  let shared = inSpace.get(space)
  if (!shared) inSpace.set(space, (shared = { space, page: undefined }))
  return shared
}

/** The address of a section, a site space or a page of it, below that of the site; the path of a page is empty for the one that the site space itself shows. */
export function pathOnSite<Item extends SiteItem>(structure: Structure<Item>, item: Item, pagePath = ''): string {
  return pathOfSegments(structure.segmentsOf(item)) + pagePath.split('/').map(encodeURIComponent).join('/')
}
