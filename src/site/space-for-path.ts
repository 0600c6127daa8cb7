import type { SiteReadContext } from '../kernel/context.ts'
import type { SiteView, SpaceView } from './view.ts'

/** The space that a path is about, whether or not something is there, and what of the path lies in it. */
export async function resolveSpaceForPath(
  view: SiteView,
  segments: readonly string[],
): Promise<{ space: SpaceView; rest: readonly string[] } | undefined> {
  const { structure, viewpoint } = view.session
  const named = structure.resolve(segments, viewpoint)
  const space = named && (await view.open(named.space))
  if (space) return { space, rest: named.rest }
  for (const item of view.listedItems) {
    const listed = await view.open(item)
    if (listed) return { space: listed, rest: segments }
  }
  return undefined
}

/** A visit as what resources ask about sites, so that they answer for the visitor. */
export function toReadContext({ context, session: { site, identity } }: SiteView): SiteReadContext {
  return { ...context, site, siteRole: null, visitor: identity.visitor }
}
