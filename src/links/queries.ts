import { sql } from 'kysely'
import { findDerivationState } from '../derived/derivation-states.ts'
import { type SpaceKey, findSpaceHeads } from '../derived/heads.ts'
import type { StoredLinkStatus } from '../schema/links.ts'
import type { Db, Row } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'
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

/** Range of keys from `from` up to and excluding `to`. */
export interface KeyRange {
  from: string
  to: string
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

/** Finds the first links of a space to each of these targets. */
export async function findFirstLinks(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  targets: readonly Pick<Row<'link_targets'>, 'subject' | 'target'>[],
  limit: number,
): Promise<StoredLink[]> {
  const found: StoredLink[] = []
  for (const batch of toBatches(targets, maxSubqueries)) {
    const [first, ...others] = batch.map(({ subject, target }) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('links')
            .select(['space_id', 'source', 'target', 'nodes'])
            .where('organization_id', '=', organizationId)
            .where('subject', '=', subject)
            .where('target', '=', target)
            .where('space_id', '=', spaceId)
            .orderBy('source')
            .limit(limit)
            .as('first_links'),
        )
        .selectAll(),
    )
    if (!first) continue
    const rows = await others.reduce((query, other) => query.unionAll(other), first).execute()
    found.push(...rows)
  }
  return found
}

/** Position in the list of links to a subject. */
export type BacklinkPosition = Pick<Row<'links'>, 'target' | 'space_id' | 'source'>

/** Lists the links of some spaces to a subject, in the order of target, space and source. */
export function findBacklinks(
  db: Db,
  organizationId: string,
  { subject, spaceIds }: { subject: string; spaceIds: readonly string[] },
  { after, limit }: { after: BacklinkPosition | undefined; limit: number },
): Promise<StoredLink[]> {
  return db
    .selectFrom('links')
    .select(['space_id', 'source', 'target', 'nodes'])
    .where('organization_id', '=', organizationId)
    .where('subject', '=', subject)
    .where('space_id', 'in', spaceIds)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(target, space_id, source) > (${after?.target}, ${after?.space_id}, ${after?.source})`),
    )
    .orderBy('target')
    .orderBy('space_id')
    .orderBy('source')
    .limit(limit)
    .execute()
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
