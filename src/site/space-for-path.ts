import type { SiteReadContext } from '../kernel/context.ts'
import type { SiteView, SpaceView } from './view.ts'

/** Returns the space that a path belongs to, whether or not the page exists, and the path in it. */
export async function resolveSpaceForPath(
  view: SiteView,
  segments: readonly string[],
): Promise<{ space: SpaceView; rest: readonly string[] } | undefined> {
  const { structure, viewpoint } = view.session
  const resolved = structure.resolve(segments, viewpoint)
  const space = resolved && (await view.openItem(resolved.space))
  if (space) return { space, rest: resolved.rest }
  for (const item of view.listedItems) {
    const listed = await view.openItem(item)
    if (listed) return { space: listed, rest: segments }
  }
  return undefined
}

/** Returns a context for reading the site with the rights of the visitor. */
export function toReadContext({ context, session: { site, identity } }: SiteView): SiteReadContext {
  return { ...context, site, siteRole: null, visitor: identity.visitor }
}
