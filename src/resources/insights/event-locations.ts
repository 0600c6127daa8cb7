import { findInSorted } from '../../content/revision/sequence.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { EventLocation } from '../../contract/insights-events.ts'
import { findRevisionRoots } from '../../domain/revisions/revision-store.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { Row, SiteKey } from '../../schema/tables.ts'
import * as store from './store.ts'

type Context = Pick<BaseContext, 'db' | 'openObjects'>

/** Location of an event on a site; ids that do not belong to the site are null. */
export type ResolvedLocation = Pick<
  Row<'site_events'>,
  'section_id' | 'site_space_id' | 'share_link_id' | 'space_id' | 'revision_id' | 'page_id'
>

type OptionalId = string | null | undefined

/** Finds the locations of a whole batch at once, so that the number of queries does not depend on the number of events. */
export async function findLocations(
  context: Context,
  site: SiteKey,
  locations: readonly EventLocation[],
): Promise<(location: EventLocation) => ResolvedLocation> {
  const collectIds = (...keys: (keyof EventLocation)[]) => [
    ...new Set(locations.flatMap((location) => keys.flatMap((key) => location[key] ?? []))),
  ]
  const items = await store.findItems(context.db, site, {
    ids: collectIds('siteSection', 'siteSpace'),
    spaceIds: collectIds('space'),
  })
  const ofKind = (kind: Row<'site_items'>['kind']) =>
    new Set(items.filter((item) => item.kind === kind).map(({ id }) => id))
  const [sections, siteSpaces] = [ofKind('section'), ofKind('space')]
  const spaces = new Set(items.flatMap(({ kind, space_id: id }) => (kind === 'space' && id !== null ? [id] : [])))
  const shareLinks = await store.findShareLinks(context.db, site, collectIds('siteShareKey'))
  const roots = await findRoots(context, site, [...spaces], collectIds('revision'))
  const pages = await findPages(
    context,
    site,
    locations.flatMap(({ space, revision, page }) => {
      const root = roots.findRoot(space, revision)
      return root !== undefined && page ? [{ root, page }] : []
    }),
  )

  return ({ siteSection, siteSpace, siteShareKey, space, revision, page }) => {
    const root = roots.findRoot(space, revision)
    return {
      section_id: idIfKnown(sections, siteSection),
      site_space_id: idIfKnown(siteSpaces, siteSpace),
      share_link_id: shareLinks.find(({ id, key }) => id === siteShareKey || key === siteShareKey)?.id ?? null,
      space_id: idIfKnown(spaces, space),
      revision_id: roots.isRevision(space, revision) ? (revision ?? null) : null,
      page_id: root === undefined ? null : idIfKnown(pages.get(root) ?? new Set(), page),
    }
  }
}

function idIfKnown(known: ReadonlySet<string>, id: OptionalId): string | null {
  return id && known.has(id) ? id : null
}

/** Returns the roots in which pages are looked up: those of the revisions if a space has them, otherwise those of the heads. */
async function findRoots({ db }: Context, site: SiteKey, spaceIds: readonly string[], revisionIds: readonly string[]) {
  const current = await store.findHeads(db, site, spaceIds)
  const earlier = await findRevisionRoots(db, site.organization_id, spaceIds, revisionIds)
  const currentRoots = new Map(current.map(({ spaceId, rootHash }) => [spaceId, rootHash]))
  const earlierRoots = new Map(
    earlier.map((row) => [`${row.space_id}/${row.id}`, row.computed_root_hash ?? row.root_hash]),
  )
  return {
    findRoot: (space: OptionalId, revision: OptionalId) =>
      space ? (earlierRoots.get(`${space}/${revision}`) ?? currentRoots.get(space)) : undefined,
    isRevision: (space: OptionalId, revision: OptionalId) => earlierRoots.has(`${space}/${revision}`),
  }
}

/** Returns which of the pages exist in each root. */
async function findPages(
  { db, openObjects }: Context,
  site: SiteKey,
  wanted: readonly { root: string; page: string }[],
): Promise<Map<string, ReadonlySet<string>>> {
  const byRoot = new Map<string, Set<string>>()
  for (const { root, page } of wanted) byRoot.set(root, (byRoot.get(root) ?? new Set()).add(page))
  const objects = openObjects(db, site.organization_id)
  const found = new Map<string, ReadonlySet<string>>()
  for (const [rootHash, ids] of byRoot) {
    const { root } = await openTree(objects, rootHash)
    found.set(rootHash, new Set((await findInSorted(objects, root.parents, [...ids])).keys()))
  }
  return found
}
