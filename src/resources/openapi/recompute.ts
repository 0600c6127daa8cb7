import { enqueueDerivations, specIndexJob } from '../../derived/jobs.ts'
import type { BaseContext, JobContext } from '../../kernel/context.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Row } from '../../schema/tables.ts'
import { findOpenRevisionIds } from '../../domain/change-requests/change-request-store.ts'
import { revalidate, spaceCacheTag } from '../../domain/revalidation/revalidate.ts'
import { computeRevisionAgain, recordHeadEvent } from '../../domain/revisions/revisions.ts'
import { findSpacesById } from '../../domain/spaces/space-queries.ts'
import { updateSpace } from '../../domain/spaces/space-store.ts'
import { findSpacesWithSource } from '../../domain/computed/computed-sources.ts'
import { recomputeSpaceJob } from '../../domain/computed/jobs.ts'

type RecomputeContext = Pick<BaseContext, 'db' | 'openObjects' | 'enqueue' | 'now'>

/** Number of spaces that are found with one query. */
const batchSize = 500

type SpecKey = Pick<Row<'openapi_specs'>, 'organization_id' | 'slug' | 'id'>

/** Enqueues the update of everything that shows a specification, after it has got a new version or was deleted. */
export async function enqueueDependents(context: Pick<BaseContext, 'db' | 'enqueue'>, spec: SpecKey): Promise<void> {
  const { db, enqueue } = context
  await enqueueGeneratedPages(context, spec)
  await enqueue(db, specIndexJob, {
    organizationId: spec.organization_id,
    specs: [`spec ${spec.slug}`, `spec ${spec.id}`],
  })
}

/** Enqueues the generation of the pages that depend on a specification. */
export async function enqueueGeneratedPages(
  { db, enqueue }: Pick<BaseContext, 'db' | 'enqueue'>,
  spec: SpecKey,
): Promise<void> {
  for await (const spaceId of findDependentSpaces(db, spec))
    await enqueue(db, recomputeSpaceJob, { organizationId: spec.organization_id, spaceId })
}

/** Generates the pages again that depend on a specification; each space in its own transaction, so that other edits wait less. */
export async function recomputeDependents(
  context: Pick<JobContext, 'db' | 'openObjects' | 'enqueue' | 'now' | 'transaction' | 'signal'>,
  spec: SpecKey,
): Promise<void> {
  const { db, transaction, signal } = context
  for await (const spaceId of findDependentSpaces(db, spec)) {
    signal.throwIfAborted()
    await transaction((tx) => recomputeHead({ ...context, db: tx }, spec.organization_id, spaceId))
  }
}

/** Yields the spaces whose pages are generated from a specification. */
async function* findDependentSpaces(
  db: BaseContext['db'],
  { organization_id: organizationId, slug, id }: SpecKey,
): AsyncIterable<string> {
  for (let after = ''; ;) {
    const spaceIds = await findSpacesWithSource(db, organizationId, [slug, id], { after, limit: batchSize })
    if (spaceIds.length === 0) return
    yield* spaceIds
    after = spaceIds.at(-1) ?? ''
  }
}

/** Generates the pages of the head of a space again; nothing happens if they are the same. */
export async function recomputeHead(
  { db, openObjects, enqueue, now }: RecomputeContext,
  organizationId: string,
  spaceId: string,
): Promise<void> {
  const key = { organization_id: organizationId, id: spaceId }
  await lockSpace(db, key)
  const [space] = await findSpacesById(db, organizationId, [spaceId])
  if (!space) return
  const root = await computeRevisionAgain({ db, openObjects }, space, space.revision_id)
  if (root === undefined) return
  await updateSpace(db, key, { computed_version: root })
  await enqueueDerivations({ db, enqueue }, spaceId)
  await revalidate({ db, enqueue }, [spaceCacheTag(spaceId)])
  await recordHeadEvent({ db, now }, space, space.revision_id)
}

/** Generates the pages of the open change requests of a space again, each in its own transaction. */
export async function recomputeChangeRequests(
  { db, openObjects }: Pick<BaseContext, 'db' | 'openObjects'>,
  transaction: <T>(run: (db: BaseContext['db']) => Promise<T>) => Promise<T>,
  organizationId: string,
  spaceId: string,
): Promise<void> {
  const key = { organization_id: organizationId, id: spaceId }
  for (const revisionId of await findOpenRevisionIds(db, key))
    await transaction((tx) => computeRevisionAgain({ db: tx, openObjects }, key, revisionId))
}
