import { sql } from 'kysely'
import { findDerivationState } from '../derived/derivation-states.ts'
import { type SpaceKey, findSpaceHeads } from '../derived/heads.ts'
import type { StoredLinkStatus } from '../schema/links.ts'
import type { Db, Row } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'
import type { KeyRange } from './store.ts'
import { linkDerivation } from './update-links.ts'

/** Returns the number of link targets of a space by container and status. */
export function findTargetCounts(db: Db, { organizationId, spaceId }: SpaceKey) {
  return db
    .selectFrom('link_counts')
    .select(['container', 'status', 'count'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('count', '>', 0)
    .execute()
}

/** Counts the targets of a space whose keys are in a range. */
export async function countTargetsInRange(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  { from, to }: KeyRange,
): Promise<number> {
  const { count } = await db
    .selectFrom('link_targets')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('target', '>=', from)
    .where('target', '<', to)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

interface TargetFilter {
  status?: StoredLinkStatus
  container?: string
  /** Containers whose targets are left out. */
  exceptContainers?: readonly string[]
  range?: KeyRange
  exceptRange?: KeyRange
}

/** Lists targets of a space in the order of their keys. */
export function findTargets(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  { status, container, exceptContainers = [], range, exceptRange }: TargetFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Row<'link_targets'>[]> {
  return db
    .selectFrom('link_targets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as StoredLinkStatus))
    .$if(container !== undefined, (query) => query.where('container', '=', container as string))
    .$if(exceptContainers.length > 0, (query) => query.where('container', 'not in', exceptContainers))
    .$if(range !== undefined, (query) =>
      query.where('target', '>=', range?.from ?? '').where('target', '<', range?.to ?? ''),
    )
    .$if(exceptRange !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('target', '<', exceptRange?.from ?? ''), eb('target', '>=', exceptRange?.to ?? '')]),
      ),
    )
    .$if(after !== undefined, (query) => query.where('target', '>', after as string))
    .orderBy('target')
    .limit(limit)
    .execute()
}

export type StoredLink = Pick<Row<'links'>, 'space_id' | 'source' | 'target' | 'nodes'>

/** Number of subqueries in one statement; SQLite allows 500. */
const maxSubqueries = 50

/** Links of one space to one target, after a source. */
interface LinkSegment {
  spaceId: string
  subject: string
  target: string
  after?: string
}

/** Finds up to `limit` links of each segment, in the order of segments and sources. */
async function findLinksInSegments(
  db: Db,
  organizationId: string,
  segments: readonly LinkSegment[],
  limit: number,
): Promise<StoredLink[]> {
  const found: StoredLink[] = []
  for (const batch of toBatches(segments, maxSubqueries)) {
    // One statement of subqueries, because a condition on several spaces or targets would not use the whole index. It is
    // written as SQL, because building so many queries takes longer than running them.
    const subqueries = batch.map(
      ({ spaceId, subject, target, after = '' }, index) => sql`select * from (
        select ${sql.lit(index)} as segment, space_id, source, target, nodes from links
        where organization_id = ${organizationId} and subject = ${subject} and target = ${target}
          and space_id = ${spaceId} and source > ${after}
        order by source limit ${sql.lit(limit)}
      ) as links_of_segment`,
    )
    const query = sql<
      StoredLink & { segment: number }
    >`${sql.join(subqueries, sql` union all `)} order by segment, source`
    for (const { segment: _, ...link } of (await query.execute(db)).rows) found.push(link)
  }
  return found
}

/** Finds the first links of a space to each of these targets. */
export const findFirstLinks = (
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  targets: readonly Pick<Row<'link_targets'>, 'subject' | 'target'>[],
  limit: number,
): Promise<StoredLink[]> =>
  findLinksInSegments(
    db,
    organizationId,
    targets.map(({ subject, target }) => ({ spaceId, subject, target })),
    limit,
  )

/** Position in the list of links to a subject, which is in the order of target, space and source. */
export type BacklinkPosition = Pick<Row<'links'>, 'target' | 'space_id' | 'source'>

/** Compares positions by their bytes, as the databases do. */
export function comparePositions(a: BacklinkPosition, b: BacklinkPosition): number {
  return compareKeys(a.target, b.target) || compareKeys(a.space_id, b.space_id) || compareKeys(a.source, b.source)
}

/** Compares keys by their bytes, as the databases do. */
export const compareKeys = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Lists the links to some targets with the same subject. */
export async function findBacklinks(
  db: Db,
  organizationId: string,
  targets: readonly Row<'link_targets'>[],
  { after, limit }: { after: BacklinkPosition | undefined; limit: number },
): Promise<StoredLink[]> {
  const segments: LinkSegment[] = []
  let uses = 0
  for (const row of targets.map((one) => ({ ...one, source: '' })).sort(comparePositions)) {
    const isCurrent = row.target === after?.target && row.space_id === after.space_id
    if (after && !isCurrent && comparePositions(row, after) < 0) continue
    const { space_id: spaceId, subject, target } = row
    segments.push({ spaceId, subject, target, ...(isCurrent && { after: after?.source ?? '' }) })
    // The links of the current segment before the position are not counted.
    if (!isCurrent) uses += row.uses
    if (uses >= limit) break
  }
  return (await findLinksInSegments(db, organizationId, segments, limit)).slice(0, limit)
}

/** Returns those of the spaces whose heads all stored links are up to date with. */
export async function findUpToDateSpaces(
  db: Db,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<Set<string>> {
  const upToDate = new Set<string>()
  for (const head of await findSpaceHeads(db, organizationId, spaceIds)) {
    const state = await findDerivationState(db, linkDerivation.states, head)
    const isCurrent = state?.root_hash === head.rootHash && state.pending_hash === null
    if (isCurrent && state.format === linkDerivation.format) upToDate.add(head.spaceId)
  }
  return upToDate
}
