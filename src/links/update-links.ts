import { z } from 'zod'
import { TooManyChangesError } from '../content/revision/diff.ts'
import { emptyRoot } from '../content/revision/objects.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import {
  type DerivationFormat,
  type DerivationProgress,
  OutdatedStateError,
  advanceToHead,
  markAsDerived,
} from '../derived/derivation-progress.ts'
import { findDerivationState } from '../derived/derivation-states.ts'
import { type SpaceKey, selectSpaceHeads } from '../derived/heads.ts'
import { linkIndexJob } from '../derived/jobs.ts'
import { createUpkeepJob } from '../derived/upkeep.ts'
import { job } from '../jobs/job.ts'
import type { JobContext, OpenObjects } from '../kernel/context.ts'
import { createYielder } from '../kernel/event-loop.ts'
import type { Db, Row } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'
import { type LinkChanges, findLinkChanges } from './link-changes.ts'
import { type LinkTarget, containerOf, parseSourceKey, rangesOfSpace, subjectOf } from './link-target.ts'
import { type Link, type SourceObject, readLinks } from './read-links.ts'
import { type TargetResolution, TargetResolver } from './resolve-targets.ts'
import * as store from './store.ts'

export const linkDerivation: DerivationFormat = { states: 'link_states', format: 1 }

/** Maximum number of sources and links that are stored in one transaction, so that other writers do not wait long. */
const maxBatch = { sources: 100, links: 1000 }

/** Number of targets whose status is updated in one transaction; lower for pages whose documents have to be read. */
const refreshBatchSize = 500
const anchorBatchSize = 50

/** Maximum change that is applied together with the edit; larger changes are applied by a job. */
const maxImmediate = { pages: 500, sources: 50, targets: 5000 }

/** Links of a source, as they are stored; none if the source was removed. */
interface SourceLinks {
  source: string
  links: ReadonlyMap<string, Link>
}

type LinkJobContext = Pick<JobContext, 'db' | 'transaction' | 'openObjects' | 'signal'>

/** Updates the stored links of a space to its head; the cost depends on what changed since the last update. */
export const updateLinks = (context: LinkJobContext, spaceId: string): Promise<void> =>
  advanceToHead(context, linkDerivation, spaceId, (progress) => runUpdate(context, progress))

/** Job that updates the links of a space after a large change. */
export const indexLinks = job({
  ...linkIndexJob,
  attempts: 5,
  // A large space takes a while, and other spaces should not wait for it.
  atOnce: 2,
  payload: z.object({ spaceId: z.string() }),
  run: (context, { spaceId }) => updateLinks(context, spaceId),
})

export const linkUpkeepJob = createUpkeepJob('links.upkeep', linkDerivation, linkIndexJob)

/**
 * Updates the stored links of a space in the transaction that moves its head, so that the status of links is correct at
 * once. Returns false if the change is too large or an update is in progress; then the job has to be enqueued.
 */
export async function tryUpdateLinks(
  { db, openObjects }: { db: Db; openObjects: OpenObjects },
  { organizationId, spaceId, rootHash }: SpaceKey & { rootHash: string },
): Promise<boolean> {
  const space = { organizationId, spaceId }
  const state = await findDerivationState(db, linkDerivation.states, space)
  if (state && (state.format !== linkDerivation.format || state.pending_hash !== null)) return false
  const objects = openObjects(db, organizationId)
  const tree = await openTree(objects, rootHash)
  const previous = state?.root_hash ?? null
  const before: Tree = previous === null ? { objects, root: emptyRoot } : await openTree(objects, previous)
  const change = await findSmallChange(db, space, before, tree)
  if (!change) return false
  const resolver = new TargetResolver({ db, objects, organizationId }, new Map([[spaceId, tree]]))
  const sources: SourceLinks[] = []
  for (const [source, object] of change.sources) sources.push(await readSource(tree, spaceId, source, object))
  await replaceLinks(db, space, sources, await resolveNewTargets(db, space, resolver, sources))
  await refreshTargets(db, organizationId, resolver, await findAffectedTargets(db, organizationId, change.subjects))
  await markAsDerived(db, linkDerivation, space, rootHash)
  return true
}

/** Returns the changes between two trees; undefined if there are too many for one transaction. */
async function findSmallChange(
  db: Db,
  space: SpaceKey,
  before: Tree,
  after: Tree,
): Promise<{ sources: LinkChanges['sources']; subjects: AffectedSubjects } | undefined> {
  try {
    const changes = await findLinkChanges(space.spaceId, before, after, { maxPages: maxImmediate.pages })
    const existing = [...changes.sources.values()].filter((object) => object !== undefined)
    if (existing.length > maxImmediate.sources) return undefined
    const subjects = await findAffectedSubjects(db, space, changes, maxImmediate.pages)
    const targets = await findAffectedTargets(db, space.organizationId, subjects)
    return targets.length > maxImmediate.targets ? undefined : { sources: changes.sources, subjects }
  } catch (error) {
    if (error instanceof TooManyChangesError) return undefined
    throw error
  }
}

async function runUpdate(context: LinkJobContext, progress: DerivationProgress): Promise<void> {
  const { db, transaction, openObjects } = context
  const { space, previous, target, after } = progress
  const objects = openObjects(db, space.organizationId)
  const tree = await openTree(objects, target)
  const before: Tree = previous === null ? { objects, root: emptyRoot } : await openTree(objects, previous)
  const changes = await findLinkChanges(space.spaceId, before, tree)
  if (previous === null && after === '') await deleteAllLinks(context, progress)
  await storeChangedSources(context, progress, tree, changes)
  await refreshAffectedTargets(context, progress, tree, changes)
  await transaction(async (tx) => {
    await progress.assertPending(tx)
    await progress.finish(tx)
  })
}

/** Stores the links of changed sources, several per transaction. */
async function storeChangedSources(
  { db, transaction, signal }: LinkJobContext,
  progress: DerivationProgress,
  tree: Tree,
  { sources }: LinkChanges,
): Promise<void> {
  const { space, after } = progress
  const { organizationId, spaceId } = space
  const yieldIfDue = createYielder(signal)
  let batch: SourceLinks[] = []
  let links = 0
  const storeBatch = async (): Promise<void> => {
    const own = new Map([[spaceId, tree]])
    const resolver = new TargetResolver({ db, objects: tree.objects, organizationId }, own, signal)
    const resolutions = await resolveNewTargets(db, space, resolver, batch)
    await transaction(async (tx) => {
      await progress.assertPending(tx)
      await assertSameHeads(tx, organizationId, resolver)
      await replaceLinks(tx, space, batch, resolutions)
      await progress.save(tx, batch.at(-1)?.source ?? '')
    })
    batch = []
    links = 0
  }
  for (const source of [...sources.keys()].filter((key) => key > after).sort()) {
    const read = await readSource(tree, spaceId, source, sources.get(source))
    batch.push(read)
    links += read.links.size
    await yieldIfDue()
    if (batch.length >= maxBatch.sources || links >= maxBatch.links) await storeBatch()
  }
  if (batch.length > 0) await storeBatch()
}

/** Updates the status of the targets that a change affects, in all spaces of the organization. */
async function refreshAffectedTargets(
  { db, transaction, openObjects, signal }: LinkJobContext,
  progress: DerivationProgress,
  tree: Tree,
  changes: LinkChanges,
): Promise<void> {
  const { space, previous } = progress
  const { organizationId, spaceId } = space
  // Targets are read in the transaction that updates them, because other spaces may change them too.
  const refresh = (find: (tx: Db) => Promise<Row<'link_targets'>[]>) =>
    transaction(async (tx) => {
      await progress.assertPending(tx)
      const objects = openObjects(tx, organizationId)
      const own = new Map([[spaceId, { ...tree, objects }]])
      const rows = await find(tx)
      const resolver = new TargetResolver({ db: tx, objects, organizationId }, own, signal)
      await refreshTargets(tx, organizationId, resolver, rows)
      return rows
    })
  if (previous !== null) {
    const subjects = await findAffectedSubjects(db, space, changes, Infinity)
    for (const batch of toSubjectBatches(subjects))
      await refresh((tx) => findAffectedTargets(tx, organizationId, batch))
    return
  }
  // Everything in the space is new, so that its pages need not be looked up one by one.
  for (const range of rangesOfSpace(spaceId)) {
    let last: Row<'link_targets'> | undefined
    do {
      const page = { after: last, limit: refreshBatchSize }
      last = (await refresh((tx) => store.findTargetsInRange(tx, space, range, page))).at(-1)
    } while (last)
  }
}

/** Deletes the rows of an earlier format, in several transactions. */
async function deleteAllLinks({ transaction }: LinkJobContext, progress: DerivationProgress): Promise<void> {
  for (let hasRows = true; hasRows;) {
    hasRows = await transaction(async (tx) => {
      await progress.assertPending(tx)
      return store.deleteSomeLinks(tx, progress.space, refreshBatchSize)
    })
  }
}

async function readSource(
  tree: Tree,
  spaceId: string,
  source: string,
  object: SourceObject | undefined,
): Promise<SourceLinks> {
  return { source, links: object ? await readLinks(tree, spaceId, parseSourceKey(source), object) : new Map() }
}

/** Returns the status of the targets of these sources that are not stored yet. */
async function resolveNewTargets(
  db: Db,
  space: SpaceKey,
  resolver: TargetResolver,
  sources: readonly SourceLinks[],
): Promise<Map<string, TargetResolution>> {
  const targets = new Map<string, LinkTarget>()
  for (const { links } of sources) for (const { key, target } of links.values()) targets.set(key, target)
  for (const { target } of await store.findTargetsByKey(db, space, [...targets.keys()])) targets.delete(target)
  return resolver.resolve([...targets.values()])
}

/** Throws if a space that targets were looked up in has changed since then. */
async function assertSameHeads(db: Db, organizationId: string, { rootHashes }: TargetResolver): Promise<void> {
  for (const ids of toBatches([...rootHashes.keys()])) {
    const heads = await selectSpaceHeads(db)
      .where('spaces.organization_id', '=', organizationId)
      .where('spaces.id', 'in', ids)
      .execute()
    const current = new Map(heads.map(({ spaceId, rootHash }) => [spaceId, rootHash]))
    if (ids.some((id) => current.get(id) !== rootHashes.get(id))) throw new OutdatedStateError()
  }
}

/** Replaces the stored links of sources. */
async function replaceLinks(
  db: Db,
  space: SpaceKey,
  sources: readonly SourceLinks[],
  resolutions: ReadonlyMap<string, TargetResolution>,
): Promise<void> {
  const { organizationId, spaceId } = space
  const stored = new Map<string, Map<string, string>>()
  const keys = sources.map(({ source }) => source)
  for (const { source, target, nodes } of await store.findLinksOfSources(db, space, keys)) {
    const targets = stored.get(source) ?? new Map<string, string>()
    stored.set(source, targets.set(target, nodes))
  }
  const uses = new Map<string, number>()
  const addUse = (target: string, by: number) => uses.set(target, (uses.get(target) ?? 0) + by)
  const targets = new Map<string, LinkTarget>()
  const inserted: Row<'links'>[] = []
  for (const { source, links } of sources) {
    const former = stored.get(source) ?? new Map<string, string>()
    const outdated = [...former.keys()].filter((key) => !links.has(key))
    for (const key of outdated) addUse(key, -1)
    for (const { key, target, nodes } of links.values()) {
      const storedNodes = JSON.stringify(nodes.slice(0, maxStoredNodes))
      if (former.get(key) === storedNodes) continue
      if (former.has(key)) outdated.push(key)
      else addUse(key, 1)
      targets.set(key, target)
      inserted.push({
        organization_id: organizationId,
        space_id: spaceId,
        source,
        target: key,
        subject: subjectOf(target),
        nodes: storedNodes,
      })
    }
    await store.deleteLinks(db, space, source, outdated)
  }
  await store.insertLinks(db, inserted)

  const added = [...uses].flatMap(([key, by]) => (by > 0 ? [{ key, by, target: targets.get(key) as LinkTarget }] : []))
  const counts = new store.CountChanges()
  const newTargets = await store.addTargetUses(
    db,
    added.map(({ key, by, target }) => ({
      organization_id: organizationId,
      space_id: spaceId,
      target: key,
      subject: subjectOf(target),
      ...toStoredStatus(target, resolutions.get(key)),
      uses: by,
      body: JSON.stringify(target),
    })),
  )
  // The status of targets that were stored when the others were looked up is missing.
  if (newTargets.some(({ target }) => !resolutions.has(target))) throw new OutdatedStateError()
  for (const row of newTargets) counts.add(row, 1)
  const removed = new Map([...uses].flatMap(([key, by]) => (by < 0 ? [[key, -by] as const] : [])))
  for (const row of await store.subtractTargetUses(db, space, removed)) counts.add(row, -1)
  await counts.store(db, organizationId)
}

/** Number of blocks that are stored for each link. */
const maxStoredNodes = 5

function toStoredStatus(
  target: LinkTarget,
  resolution: TargetResolution | undefined,
): Pick<Row<'link_targets'>, 'status' | 'container'> {
  if (resolution === 'unknown') return { status: 'broken', container: '' }
  return { status: resolution ?? 'ok', container: containerOf(target) }
}

/** Subjects whose targets may have another status after a change. */
interface AffectedSubjects {
  all: string[]
  /** Subjects of which only the anchors may have changed. */
  anchored: string[]
}

/** Returns the subjects that a change affects. Throws a `TooManyChangesError` for more than `maxPages` pages with anchors. */
async function findAffectedSubjects(
  db: Db,
  space: SpaceKey,
  { subjects, anchoredSubjects, reusableContents }: LinkChanges,
  maxPages: number,
): Promise<AffectedSubjects> {
  const anchored = new Set(anchoredSubjects)
  const toSubject = (id: string) => subjectOf({ kind: 'reusable-content', space: space.spaceId, id })
  const seen = new Set(reusableContents)
  for (let pending = reusableContents; pending.length > 0;) {
    const sources = Array.from(await store.findSourcesOfSubjects(db, space, pending.map(toSubject)), (key) =>
      parseSourceKey(key),
    )
    for (const { kind, id } of sources) if (kind === 'page') anchored.add(subjectOf({ kind, space: space.spaceId, id }))
    if (anchored.size > maxPages) throw new TooManyChangesError(`More than ${maxPages} pages are affected`)
    pending = sources.flatMap(({ kind, id }) => (kind === 'reusable-content' && !seen.has(id) ? [id] : []))
    for (const id of pending) seen.add(id)
  }
  return { all: subjects, anchored: [...anchored] }
}

function toSubjectBatches({ all, anchored }: AffectedSubjects): AffectedSubjects[] {
  return [
    ...toBatches(all, refreshBatchSize).map((batch) => ({ all: batch, anchored: [] })),
    ...toBatches(anchored, anchorBatchSize).map((batch) => ({ all: [], anchored: batch })),
  ]
}

async function findAffectedTargets(
  db: Db,
  organizationId: string,
  { all, anchored }: AffectedSubjects,
): Promise<Row<'link_targets'>[]> {
  const withAnchors = await store.findTargetsBySubject(db, organizationId, anchored)
  return [
    ...(await store.findTargetsBySubject(db, organizationId, all)),
    ...withAnchors.filter(({ target, subject }) => target !== subject),
  ]
}

/** Looks up targets again and updates the status of those that have changed. */
async function refreshTargets(
  db: Db,
  organizationId: string,
  resolver: TargetResolver,
  rows: readonly Row<'link_targets'>[],
): Promise<void> {
  if (rows.length === 0) return
  const targets = new Map(rows.map(({ target, body }) => [target, JSON.parse(body) as LinkTarget]))
  const resolutions = await resolver.resolve([...targets.values()])
  const counts = new store.CountChanges()
  const updates = new Map<
    string,
    { row: Row<'link_targets'>; values: ReturnType<typeof toStoredStatus>; keys: string[] }
  >()
  for (const row of rows) {
    const values = toStoredStatus(targets.get(row.target) as LinkTarget, resolutions.get(row.target))
    if (values.status === row.status && values.container === row.container) continue
    counts.add(row, -1)
    counts.add({ ...row, ...values }, 1)
    const key = JSON.stringify([row.space_id, values])
    const update = updates.get(key) ?? { row, values, keys: [] }
    update.keys.push(row.target)
    updates.set(key, update)
  }
  for (const { row, values, keys } of updates.values())
    await store.updateTargetStatus(db, { organizationId, spaceId: row.space_id }, keys, values)
  await counts.store(db, organizationId)
}
