import { sql } from 'kysely'
import type { SpaceKey } from '../derived/heads.ts'
import type { StoredLinkStatus } from '../schema/links.ts'
import type { Db, Row } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'

/** Number of rows in one insert statement. */
const insertBatchSize = 100

/** Number of link targets by space, container and status, as changes of `link_counts`. */
export class CountChanges {
  readonly #changes = new Map<string, Omit<Row<'link_counts'>, 'organization_id'>>()

  add({ space_id, container, status }: Pick<Row<'link_targets'>, 'space_id' | 'container' | 'status'>, by: number) {
    const key = JSON.stringify([space_id, container, status])
    const count = (this.#changes.get(key)?.count ?? 0) + by
    this.#changes.set(key, { space_id, container, status, count })
  }

  async store(db: Db, organizationId: string): Promise<void> {
    // In the same order in every transaction, so that two of them cannot wait for each other.
    const changes = [...this.#changes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
    const rows = changes.filter(({ count }) => count !== 0).map((row) => ({ organization_id: organizationId, ...row }))
    for (const batch of toBatches(rows, insertBatchSize)) {
      await db
        .insertInto('link_counts')
        .values(batch)
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'space_id', 'container', 'status'])
            .doUpdateSet({ count: sql`link_counts.count + excluded.count` }),
        )
        .execute()
    }
  }
}

/** Finds the links of some sources. */
export async function findLinksOfSources(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  sources: readonly string[],
): Promise<Row<'links'>[]> {
  const found: Row<'links'>[] = []
  for (const batch of toBatches(sources)) {
    const rows = await db
      .selectFrom('links')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('source', 'in', batch)
      .execute()
    for (const row of rows) found.push(row)
  }
  return found
}

/** Deletes the links of a source to some targets. */
export async function deleteLinks(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  source: string,
  targets: readonly string[],
): Promise<void> {
  for (const batch of toBatches(targets)) {
    await db
      .deleteFrom('links')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('source', '=', source)
      .where('target', 'in', batch)
      .execute()
  }
}

export async function insertLinks(db: Db, rows: readonly Row<'links'>[]): Promise<void> {
  for (const batch of toBatches(rows, insertBatchSize)) await db.insertInto('links').values(batch).execute()
}

/** Finds targets of a space by key. */
export async function findTargetsByKey(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  targets: readonly string[],
): Promise<Row<'link_targets'>[]> {
  const found: Row<'link_targets'>[] = []
  for (const batch of toBatches(targets)) {
    const rows = await db
      .selectFrom('link_targets')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('target', 'in', batch)
      .execute()
    for (const row of rows) found.push(row)
  }
  return found
}

/** Adds to the uses of targets, and inserts those that do not exist; returns the inserted ones. */
export async function addTargetUses(db: Db, rows: readonly Row<'link_targets'>[]): Promise<Row<'link_targets'>[]> {
  const added = new Map(rows.map((row) => [row.target, row.uses]))
  const inserted: Row<'link_targets'>[] = []
  for (const batch of toBatches(rows, insertBatchSize)) {
    const stored = await db
      .insertInto('link_targets')
      .values(batch)
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'space_id', 'target'])
          .doUpdateSet({ uses: sql`link_targets.uses + excluded.uses` }),
      )
      .returningAll()
      .execute()
    inserted.push(...stored.filter(({ target, uses }) => uses === added.get(target)))
  }
  return inserted
}

/** Subtracts from the uses of targets, and deletes those that are no longer used; returns the deleted ones. */
export async function subtractTargetUses(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  usesByTarget: ReadonlyMap<string, number>,
): Promise<Row<'link_targets'>[]> {
  const targetsByUses = new Map<number, string[]>()
  for (const [target, uses] of usesByTarget) {
    const targets = targetsByUses.get(uses)
    if (targets) targets.push(target)
    else targetsByUses.set(uses, [target])
  }
  for (const [uses, targets] of targetsByUses) {
    for (const batch of toBatches(targets)) {
      await db
        .updateTable('link_targets')
        .set({ uses: sql`uses - ${sql.lit(uses)}` })
        .where('organization_id', '=', organizationId)
        .where('space_id', '=', spaceId)
        .where('target', 'in', batch)
        .execute()
    }
  }
  const deleted: Row<'link_targets'>[] = []
  for (const batch of toBatches([...usesByTarget.keys()])) {
    const rows = await db
      .deleteFrom('link_targets')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('target', 'in', batch)
      .where('uses', '<=', 0)
      .returningAll()
      .execute()
    deleted.push(...rows)
  }
  return deleted
}

/** Finds the targets with these subjects, in all spaces of an organization. */
export async function findTargetsBySubject(
  db: Db,
  organizationId: string,
  subjects: readonly string[],
): Promise<Row<'link_targets'>[]> {
  const found: Row<'link_targets'>[] = []
  for (const batch of toBatches(subjects)) {
    const rows = await db
      .selectFrom('link_targets')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('subject', 'in', batch)
      .execute()
    for (const row of rows) found.push(row)
  }
  return found
}

/** Range of keys from `from` up to and excluding `to`. */
export interface KeyRange {
  from: string
  to: string
}

/** Finds targets of other spaces whose subjects are in a range, in the order of subject, space and target. */
export function findTargetsInRange(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  { from, to }: KeyRange,
  { after, limit }: { after: Row<'link_targets'> | undefined; limit: number },
): Promise<Row<'link_targets'>[]> {
  return db
    .selectFrom('link_targets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('subject', '>=', from)
    .where('subject', '<', to)
    .where('space_id', '!=', spaceId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(subject, space_id, target) > (${after?.subject}, ${after?.space_id}, ${after?.target})`,
      ),
    )
    .orderBy('subject')
    .orderBy('space_id')
    .orderBy('target')
    .limit(limit)
    .execute()
}

/** Sets the status and container of targets of a space. */
export async function updateTargetStatus(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  targets: readonly string[],
  values: { status: StoredLinkStatus; container: string },
): Promise<void> {
  for (const batch of toBatches(targets)) {
    await db
      .updateTable('link_targets')
      .set(values)
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('target', 'in', batch)
      .execute()
  }
}

/** Finds the pages and reusable contents of a space that link to these subjects. */
export async function findSourcesOfSubjects(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  subjects: readonly string[],
): Promise<Set<string>> {
  const sources = new Set<string>()
  for (const batch of toBatches(subjects)) {
    const rows = await db
      .selectFrom('links')
      .select('source')
      .where('organization_id', '=', organizationId)
      .where('subject', 'in', batch)
      .where('space_id', '=', spaceId)
      .execute()
    for (const { source } of rows) sources.add(source)
  }
  return sources
}

/** Deletes some of the rows of a space; returns false if there were none. */
export async function deleteSomeLinks(db: Db, { organizationId, spaceId }: SpaceKey, limit: number): Promise<boolean> {
  const sources = await db
    .selectFrom('links')
    .select('source')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .orderBy('source')
    .limit(limit)
    .execute()
  const targets = await db
    .selectFrom('link_targets')
    .select('target')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .orderBy('target')
    .limit(limit)
    .execute()
  if (sources.length > 0) {
    await db
      .deleteFrom('links')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where(
        'source',
        'in',
        sources.map(({ source }) => source),
      )
      .execute()
  }
  if (targets.length > 0) {
    await db
      .deleteFrom('link_targets')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where(
        'target',
        'in',
        targets.map(({ target }) => target),
      )
      .execute()
  }
  const counts = db.deleteFrom('link_counts').where('organization_id', '=', organizationId)
  await counts.where('space_id', '=', spaceId).execute()
  return sources.length + targets.length > 0
}
