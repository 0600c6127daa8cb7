import type { ContentRef } from '../../content/document/nodes.ts'
import { type PageObject, navigationTitleOf } from '../../content/revision/objects.ts'
import type { Html } from '../../render/html.ts'
import { renderMethodBadge } from '../../render/openapi/operation.ts'
import type { SidebarEntry, SidebarItem } from '../../render/shell/parts.ts'
import { renderEmojiOrIcon } from './site-shell.ts'
import { type NavigationEntry, walkNavigation } from './navigation.ts'
import { ResolvedReferences } from '../../resources/rendered/references.ts'
import type { PageFrame } from '../page-frame.ts'
import type { SpaceView } from '../view.ts'

/** Returns the URL of a branch of the navigation. */
export const branchHref = ({ site, item, previewPath }: SpaceView, pageId: string): string =>
  `${site.href(site.session.siteBase)}~navigation/${[item.id, pageId, ...previewPath].map(encodeURIComponent).join('/')}`

/** Returns the entries of the sidebar. */
export async function createSidebar(
  { space, site }: PageFrame,
  entries: readonly NavigationEntry[],
  currentId: string,
  newIds: ReadonlySet<string>,
): Promise<SidebarEntry[]> {
  const hrefs = await resolveLinkHrefs(space, entries)
  const createEntries = (list: readonly NavigationEntry[], parentId: string): SidebarEntry[] =>
    list.map((one) => {
      if ('isGap' in one) return { kind: 'gap', href: branchHref(space, parentId) }
      const { entry, page, path, hasMore, children } = one
      const kind = entry.type === 'group' ? 'group' : entry.type === 'link' ? 'link' : 'page'
      const item: SidebarItem = {
        kind,
        title: navigationTitleOf(page),
        href: kind === 'page' ? space.site.href(space.urlOf(entry.id, path)) : hrefs.get(entry.id),
        icon: renderEmojiOrIcon(page, site.icon) ?? renderMethod(page),
        isCurrent: entry.id === currentId,
        isNew: newIds.has(entry.id),
        branchHref: hasMore ? branchHref(space, entry.id) : undefined,
        children: createEntries(children, entry.id),
      }
      return item
    })
  return createEntries(entries, '-')
}

/** Returns the method of a generated page that shows one operation. */
function renderMethod({ computed }: PageObject): Html | undefined {
  const method = computed?.props['doc'] === 'operation' ? computed.props['method'] : undefined
  return typeof method === 'string' ? renderMethodBadge(method === 'hook' ? 'HOOK' : method.toUpperCase()) : undefined
}

/** Returns the URLs of link entries by id; undefined if the target does not exist or the visitor cannot see it. */
async function resolveLinkHrefs(
  space: SpaceView,
  entries: readonly NavigationEntry[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const targets = new Map<string, ContentRef>()
  for (const { entry, page } of walkNavigation(entries)) {
    if (entry.type === 'link' && page.target) targets.set(entry.id, page.target)
  }
  if (targets.size === 0) return new Map()
  const references = await ResolvedReferences.resolve(space, [...targets.values()])
  return new Map(Array.from(targets, ([id, target]) => [id, references.linkTo(target)?.href]))
}
