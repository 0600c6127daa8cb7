import type { PageObject, Variables } from '../content/revision/objects.ts'
import { pathOfSegments } from './addresses.ts'
import type { SiteItem, Structure } from './structure.ts'
import type { ConditionVariables, Viewpoint } from './visibility.ts'

/** Whether a visitor who can see the space sees a page: its condition and those of all its ancestors must be true. */
export function seesPages(
  viewpoint: Viewpoint,
  fromTheTop: readonly Pick<PageObject, 'condition' | 'variables'>[],
  spaceVariables: Variables,
): boolean {
  return fromTheTop.every((page) => viewpoint.see([page], variablesOf(page, spaceVariables)).isVisible)
}

/** Condition variables of pages without variables of their own, by the variables of their space. */
const inSpace = new WeakMap<Variables, ConditionVariables>()

/**
 * Returns the condition variables of a page: one shared object for pages without variables, so that a condition is evaluated once
 * for them.
 */
function variablesOf({ variables }: Pick<PageObject, 'variables'>, space: Variables): ConditionVariables {
  if (variables !== undefined) return { space, page: variables }
  let shared = inSpace.get(space)
  if (!shared) inSpace.set(space, (shared = { space, page: undefined }))
  return shared
}

/**
 * Returns the path of a section, a site space or a page relative to the URL of the site; `pagePath` is empty for the home page of
 * a site space.
 */
export function pathOnSite<Item extends SiteItem>(structure: Structure<Item>, item: Item, pagePath = ''): string {
  return pathOfSegments(structure.segmentsOf(item)) + pagePath.split('/').map(encodeURIComponent).join('/')
}
