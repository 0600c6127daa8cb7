import { findPage } from '../../content/revision/tree.ts'
import type { ContentLocation, LinkItem, LinkList, LinkListQuery, LinkStatus } from '../../contract/links.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { findLinkChanges } from '../../links/link-changes.ts'
import { type LinkTarget, containerOf, parseSourceKey, urlKeyPrefix } from '../../links/link-target.ts'
import {
  type StoredLink,
  compareKeys,
  countTargetsInRange,
  findFirstLinks,
  findTargetCounts,
  findTargets,
} from '../../links/queries.ts'
import { readLinks } from '../../links/read-links.ts'
import { type KeyRange, findTargetsByKey, findTargetsBySubject } from '../../links/store.ts'
import type { Row } from '../../schema/tables.ts'
import { type ContentVersion, createLocationContext, loadStatuses, openHead, spaceKeyOf } from './content-version.ts'
import { presentLocation, presentTarget } from './present.ts'
import { findVisibleContainers } from './visible-containers.ts'

/** Number of locations in the items of lists of a whole space. */
const maxLocations = 10

/** Lists the targets that a space links to. */
export async function listSpaceLinks(context: SpaceContext, query: LinkListQuery): Promise<LinkList> {
  const { db, space, urls } = context
  const key = spaceKeyOf(context)
  const after = decodeCursor(query.page, 1)?.[0]
  const counts = await findTargetCounts(db, key)
  const visible = await findVisibleContainers(
    context,
    counts.map(({ container }) => container),
  )
  const isHidden = (container: string) => container !== '' && container !== space.id && !visible.has(container)
  const hidden = [...new Set(counts.map(({ container }) => container).filter(isHidden))]
  const inAppRange = rangeOfUrls(urls.app('/'))
  const total = sumOf(counts)
  const broken = sumOf(counts.filter(({ container, status }) => status === 'broken' || isHidden(container)))
  const inApp = await countTargetsInRange(db, key, inAppRange)
  const totals = { ok: total - broken - inApp, broken, 'in-app': inApp }

  const rows = await findTargetsWithStatus(context, query.status, { hidden, inAppRange }, { after, limit: query.limit })
  const shown = rows.slice(0, query.limit)
  const targets = new Map(shown.map((row) => [row.target, JSON.parse(row.body) as LinkTarget]))
  const version = await openHead(context)
  const statuses = await loadStatuses(context, version, [...targets.values()], visible)
  const locations = createLocationContext(context, version.versionContext, visible)
  const linksByTarget = groupBy(await findFirstLinks(db, key, shown, maxLocations), ({ target }) => target)
  const page = toPage(
    rows,
    query,
    query.status ? totals[query.status] : total,
    (row) => [row.target],
    (row): LinkItem => ({
      status: statuses.get(row.target) ?? 'broken',
      relation: 'reference',
      targetReference: presentTarget(targets.get(row.target) as LinkTarget, locations),
      locationReferences: (linksByTarget.get(row.target) ?? []).map(({ source, nodes }) =>
        presentLocation(space.id, parseSourceKey(source), (JSON.parse(nodes) as string[])[0], locations),
      ),
    }),
  )
  return {
    ...page,
    // Stored rows may be older than the status that was just looked up.
    items: page.items.filter(({ status }) => query.status === undefined || status === query.status),
    stats: { total, broken: { total: broken, changeRequest: 0 } },
  }
}

const sumOf = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0)

/** Returns the range of the keys of URLs that begin with a text, which ends with a slash. */
function rangeOfUrls(start: string): KeyRange {
  const from = urlKeyPrefix(start)
  // `0` is the character after the slash.
  return { from, to: `${from.slice(0, -1)}0` }
}

/** Finds one target more than the limit. Targets in hidden containers are broken for the caller. */
async function findTargetsWithStatus(
  context: SpaceContext,
  status: LinkStatus | undefined,
  { hidden, inAppRange }: { hidden: readonly string[]; inAppRange: KeyRange },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Row<'link_targets'>[]> {
  const page = { after, limit: limit + 1 }
  const find = (filter: Parameters<typeof findTargets>[2]) => findTargets(context.db, spaceKeyOf(context), filter, page)
  switch (status) {
    case undefined:
      return find({})
    case 'in-app':
      return find({ range: inAppRange })
    case 'ok':
      return find({ status: 'ok', exceptContainers: hidden, exceptRange: inAppRange })
    case 'broken': {
      const lists = [await find({ status: 'broken' })]
      for (const container of hidden) lists.push(await find({ status: 'ok', container }))
      const sorted = lists.flat().sort((a, b) => compareKeys(a.target, b.target))
      return sorted.slice(0, limit + 1)
    }
  }
}

/** A target with the places of the links to it. */
interface LocatedTarget {
  key: string
  target: LinkTarget
  locations: { source: string; node: string | undefined }[]
}

/** Lists the targets that a page links to. */
export async function listPageLinks(
  context: SpaceContext,
  version: ContentVersion,
  pageId: string,
  query: LinkListQuery,
): Promise<LinkList> {
  const located = await findPage(version.tree, pageId)
  if (!located) throw notFound('page')
  const source = `page/${pageId}`
  const links = await readLinks(version.tree, context.space.id, { kind: 'page', id: pageId }, located.page)
  const targets = Array.from(links.values(), ({ key, target, nodes }) => ({
    key,
    target,
    locations: nodes.length === 0 ? [{ source, node: undefined }] : nodes.map((node) => ({ source, node })),
  }))
  return presentLinkList(context, version, targets, query)
}

/** Lists the targets of links that a change request affects. */
export async function listChangeRequestLinks(
  context: SpaceContext,
  version: ContentVersion,
  query: LinkListQuery,
): Promise<LinkList> {
  const { space } = context
  const changes = await findLinkChanges(space.id, version.base ?? version.tree, version.tree)
  const targets = new Map<string, LocatedTarget>()
  const addLocation = (key: string, target: LinkTarget, source: string, node: string | undefined): void => {
    const located = targets.get(key) ?? { key, target, locations: [] }
    targets.set(key, located)
    if (located.locations.length < maxLocations) located.locations.push({ source, node })
  }
  const yieldIfDue = createYielder()
  for (const [source, object] of changes.sources) {
    await yieldIfDue()
    if (!object) continue
    const links = await readLinks(version.tree, space.id, parseSourceKey(source), object)
    for (const { key, target, nodes } of links.values()) addLocation(key, target, source, nodes[0])
  }
  for (const { row, links } of await findBrokenElsewhere(context, version, changes))
    for (const { source, nodes } of links)
      addLocation(row.target, JSON.parse(row.body) as LinkTarget, source, (JSON.parse(nodes) as string[])[0])
  return presentLinkList(context, version, [...targets.values()], query)
}

/** Finds targets that a change request breaks, with links in sources that it does not change. */
async function findBrokenElsewhere(
  context: SpaceContext,
  version: ContentVersion,
  { sources, subjects, anchoredSubjects }: Awaited<ReturnType<typeof findLinkChanges>>,
): Promise<{ row: Row<'link_targets'>; links: StoredLink[] }[]> {
  const { db, space } = context
  const found = await findTargetsBySubject(db, space.organization_id, [...subjects, ...anchoredSubjects])
  const rows = found.filter(({ space_id: spaceId, status }) => spaceId === space.id && status === 'ok')
  const visible = await findVisibleContainers(context, [])
  const statuses = await loadStatuses(
    context,
    version,
    rows.map(({ body }) => JSON.parse(body) as LinkTarget),
    visible,
  )
  const broken = rows.filter(({ target }) => statuses.get(target) === 'broken')
  const links = (await findFirstLinks(db, spaceKeyOf(context), broken, maxLocations + sources.size)).filter(
    ({ source }) => !sources.has(source),
  )
  const linksByTarget = groupBy(links, ({ target }) => target)
  return broken.map((row) => ({ row, links: linksByTarget.get(row.target) ?? [] }))
}

async function presentLinkList(
  context: SpaceContext,
  version: ContentVersion,
  located: readonly LocatedTarget[],
  query: LinkListQuery,
): Promise<LinkList> {
  const { space } = context
  const after = decodeCursor(query.page, 1)?.[0]
  const targets = located.map(({ target }) => target)
  const visible = await findVisibleContainers(context, targets.map(containerOf))
  const statuses = await loadStatuses(context, version, targets, visible)
  const locationContext = createLocationContext(context, version.versionContext, visible)
  const brokenKeys = located.flatMap(({ key }) => (statuses.get(key) === 'broken' ? [key] : []))
  const matching = located
    .filter(({ key }) => query.status === undefined || statuses.get(key) === query.status)
    .sort((a, b) => compareKeys(a.key, b.key))
  const rows = matching.filter(({ key }) => after === undefined || compareKeys(key, after) > 0)
  const page = toPage(
    rows.slice(0, query.limit + 1),
    query,
    matching.length,
    ({ key }) => [key],
    ({ key, target, locations }): LinkItem => ({
      status: statuses.get(key) ?? 'broken',
      relation: 'reference',
      targetReference: presentTarget(target, locationContext),
      locationReferences: locations.map(({ source, node }): ContentLocation =>
        presentLocation(space.id, parseSourceKey(source), node, locationContext),
      ),
    }),
  )
  const broken = { total: brokenKeys.length, changeRequest: await countNewlyBroken(context, version, brokenKeys) }
  return { ...page, stats: { total: located.length, broken } }
}

/** Counts the broken targets of a change request that are not broken in the space. */
async function countNewlyBroken(
  context: SpaceContext,
  { base }: ContentVersion,
  brokenKeys: readonly string[],
): Promise<number> {
  if (!base) return 0
  const stored = await findTargetsByKey(context.db, spaceKeyOf(context), brokenKeys)
  const brokenInSpace = new Set(stored.flatMap(({ target, status }) => (status === 'broken' ? [target] : [])))
  return brokenKeys.filter((key) => !brokenInSpace.has(key)).length
}
