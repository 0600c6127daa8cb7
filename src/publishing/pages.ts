import type { PageObject, Variables } from '../content/revision/objects.ts'
import { joinSegments } from './site-urls.ts'
import type { SiteItem, Structure } from './structure.ts'
import type { ConditionVariables, Viewpoint } from './visibility.ts'

/** Whether a visitor who can see the space sees a page: its condition and those of all its ancestors must be true. */
export function canSeePage(
  viewpoint: Viewpoint,
  ancestorsAndSelf: readonly Pick<PageObject, 'condition' | 'variables'>[],
  spaceVariables: Variables,
): boolean {
  return ancestorsAndSelf.every(
    (page) => viewpoint.getVisibility([page], toConditionVariables(page, spaceVariables)).isVisible,
  )
}

/** Condition variables of pages without variables of their own, by the variables of their space. */
const sharedVariables = new WeakMap<Variables, ConditionVariables>()

/**
 * Returns the condition variables of a page: one shared object for pages without variables, so that a condition is evaluated once
 * for them.
 */
function toConditionVariables({ variables }: Pick<PageObject, 'variables'>, space: Variables): ConditionVariables {
  if (variables !== undefined) return { space, page: variables }
  let shared = sharedVariables.get(space)
  if (!shared) sharedVariables.set(space, (shared = { space, page: undefined }))
  return shared
}

/**
 * Returns the path of a section, a site space or a page relative to the URL of the site; `pagePath` is empty for the home page of
 * a site space.
 */
export function pathOnSite<Item extends SiteItem>(structure: Structure<Item>, item: Item, pagePath = ''): string {
  return joinSegments(structure.segmentsOf(item)) + pagePath.split('/').map(encodeURIComponent).join('/')
}
