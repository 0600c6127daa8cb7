import type { SiteContext } from '../../kernel/context.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { Row } from '../../schema/tables.ts'
import { DestinationResolver } from './destination-resolver.ts'
import { parseDestination } from './present.ts'

/** Returns the targets of redirects by their IDs: a path on the site or a URL. Deleted destinations are omitted. */
export async function findTargets(
  context: Pick<SiteContext, 'db' | 'openObjects' | 'site'>,
  redirects: readonly Row<'site_redirects'>[],
): Promise<ReadonlyMap<string, string>> {
  const resolver = await DestinationResolver.open(context)
  const destinations = redirects.map((row) => ({ id: row.id, destination: parseDestination(row) }))
  await resolver.preload(destinations.map(({ destination }) => destination))
  const viewpoint = Viewpoint.ofMember({ seesDrafts: true })
  const targets = new Map<string, string>()
  for (const { id, destination } of destinations) {
    const path = destination.kind === 'external' ? undefined : await resolver.findPath(destination, viewpoint)
    const target = destination.kind === 'external' ? destination.url : path === undefined ? undefined : `/${path}`
    if (target !== undefined) targets.set(id, target)
  }
  return targets
}
