import type { ContentRef } from '../../content/document/nodes.ts'
import { labelOf } from '../../content/revision/objects.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import type { SidebarEntry, SidebarItem } from '../../render/shell/parts.ts'
import { markOf } from './chrome.ts'
import { type NavigationEntry, walk } from './navigation.ts'
import type { Surroundings } from '../surroundings.ts'
import type { SpaceView } from '../view.ts'

/** Where a branch of the navigation is sent alone. */
export const branchHref = ({ site, item, aside }: SpaceView, pageId: string): string =>
  `${site.href(site.entered.siteBase)}~navigation/${[item.id, pageId, ...aside].map(encodeURIComponent).join('/')}`

/** The navigation as it is shown. */
export async function sidebarOf(
  { space, site }: Surroundings,
  entries: readonly NavigationEntry[],
  currentId: string,
  newIds: ReadonlySet<string>,
): Promise<SidebarEntry[]> {
  const broken = await brokenLinksAmong(space, entries)
  const listOf = (list: readonly NavigationEntry[], parentId: string): SidebarEntry[] =>
    list.map((one) => {
      if ('isGap' in one) return { kind: 'gap', href: branchHref(space, parentId) }
      const { entry, page, path, hasMore, children } = one
      const kind = entry.type === 'group' ? 'group' : entry.type === 'link' ? 'link' : 'page'
      const item: SidebarItem = {
        kind,
        title: labelOf(page),
        href: broken.has(entry.id) ? undefined : hrefOf(space, entry.id, path, page.target, kind),
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

/** The ids of links of the navigation to pages and files of the space that do not exist. */
async function brokenLinksAmong(
  { tree }: SpaceView,
  entries: readonly NavigationEntry[],
): Promise<ReadonlySet<string>> {
  const pages = new Map<string, string>()
  const files = new Map<string, string>()
  for (const { entry, page } of walk(entries)) {
    const { target } = page
    if (entry.type !== 'link' || !target || ('space' in target && target.space !== undefined)) continue
    if (target.kind === 'page' || target.kind === 'anchor') pages.set(entry.id, target.page ?? '')
    if (target.kind === 'file') files.set(entry.id, target.file)
  }
  const broken = new Set<string>()
  for (const [targets, known] of [
    [pages, tree.root.parents],
    [files, tree.root.files],
  ] as const) {
    if (targets.size === 0) continue
    const found = await findInSorted<{ id: string }>(tree.objects, known, [...targets.values()])
    for (const [id, target] of targets) if (!found.has(target)) broken.add(id)
  }
  return broken
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
