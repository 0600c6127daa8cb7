import { enqueueDerivations, specIndexJob } from '../../derived/jobs.ts'
import type { BaseContext } from '../../kernel/context.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Row } from '../../schema/tables.ts'
import { findOpenRevisionIds } from '../../domain/change-requests/change-request-store.ts'
import { revalidate, spaceCacheTag } from '../../domain/revalidation/revalidate.ts'
import { computeRevisionAgain } from '../../domain/revisions/revisions.ts'
import { findSpacesById } from '../../domain/spaces/space-queries.ts'
import { updateSpace } from '../../domain/spaces/space-store.ts'
import { findSpacesWithSource } from '../../domain/computed/computed-sources.ts'
import { recomputeSpaceJob } from '../../domain/computed/jobs.ts'

type RecomputeContext = Pick<BaseContext, 'db' | 'openObjects' | 'enqueue'>

/** Maximum number of spaces whose pages are generated in the transaction that changes a specification. */
const maxSpacesAtOnce = 10

/** Number of spaces for which jobs are enqueued with one query. */
const batchSize = 500

/** Updates everything that shows a specification after it has got a new version or was deleted. */
export async function updateDependents(
  context: RecomputeContext,
  spec: Pick<Row<'openapi_specs'>, 'organization_id' | 'slug' | 'id'>,
): Promise<void> {
  const { db, enqueue } = context
  await recomputeDependents(context, spec)
  await enqueue(db, specIndexJob, {
    organizationId: spec.organization_id,
    specs: [`spec ${spec.slug}`, `spec ${spec.id}`],
  })
}

/**
 * Generates the pages again that depend on a specification. Readers see them when the transaction is committed, except in
 * change requests and if very many spaces show the specification; these follow in jobs.
 */
export async function recomputeDependents(
  context: RecomputeContext,
  { organization_id: organizationId, slug, id }: Pick<Row<'openapi_specs'>, 'organization_id' | 'slug' | 'id'>,
): Promise<void> {
  const { db, enqueue } = context
  let count = 0
  for (let after = ''; ;) {
    const spaceIds = await findSpacesWithSource(db, organizationId, [slug, id], { after, limit: batchSize })
    if (spaceIds.length === 0) return
    after = spaceIds.at(-1) ?? ''
    for (const spaceId of spaceIds) {
      if (count++ < maxSpacesAtOnce) await recomputeHead(context, organizationId, spaceId)
      await enqueue(db, recomputeSpaceJob, { organizationId, spaceId })
    }
  }
}

/** Generates the pages of the head of a space again; nothing happens if they are the same. */
export async function recomputeHead(
  { db, openObjects, enqueue }: RecomputeContext,
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
