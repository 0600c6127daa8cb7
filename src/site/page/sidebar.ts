import type { ContentRef } from '../../content/document/nodes.ts'
import { labelOf } from '../../content/revision/objects.ts'
import type { SidebarEntry, SidebarItem } from '../../render/shell/parts.ts'
import { markOf } from './chrome.ts'
import type { NavigationEntry } from './navigation.ts'
import type { Surroundings } from '../surroundings.ts'
import type { SpaceView } from '../view.ts'

/** Where a branch of the navigation is sent alone. */
export const branchHref = ({ site, item, aside }: SpaceView, pageId: string): string =>
  `${site.href(site.entered.siteBase)}~navigation/${[item.id, pageId, ...aside].map(encodeURIComponent).join('/')}`

/** The navigation as it is shown. */
export function sidebarOf(
  { space, site }: Surroundings,
  entries: readonly NavigationEntry[],
  currentId: string,
  newIds: ReadonlySet<string>,
): SidebarEntry[] {
  const listOf = (list: readonly NavigationEntry[], parentId: string): SidebarEntry[] =>
    list.map((one) => {
      if ('isGap' in one) return { kind: 'gap', href: branchHref(space, parentId) }
      const { entry, page, path, hasMore, children } = one
      const kind = entry.type === 'group' ? 'group' : entry.type === 'link' ? 'link' : 'page'
      const item: SidebarItem = {
        kind,
        title: labelOf(page),
        href: hrefOf(space, entry.id, path, page.target, kind),
        icon: markOf(page, site.icon),
        isCurrent: entry.id === currentId,
        isNew: newIds.has(entry.id),
        branchHref: hasMore ? branchHref(space, entry.id) : undefined,
        children: listOf(children, entry.id),
      }
      return item
    })
  return listOf(entries, '-')
}

function hrefOf(
  space: SpaceView,
  id: string,
  path: readonly string[],
  target: ContentRef | undefined,
  kind: SidebarItem['kind'],
): string | undefined {
  if (kind === 'page') return space.site.href(space.addressOf(id, path))
  if (kind === 'group' || !target) return undefined
  if (target.kind === 'url') return /^(https?|mailto|tel):/i.test(target.url) ? target.url : undefined
  // What is meant is looked up only for those who follow it.
  return space.site.href(space.addressAt(path))
}
