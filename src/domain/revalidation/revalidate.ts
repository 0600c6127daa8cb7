import type { BaseContext, JobDescriptor } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

// Replies carry tags in `x-gitbook-cache-tag`. A front end that caches them is called with the tags that have changed.

/** The job that reports an outdated tag to the front end; `site` is set for tags of sites. */
export const revalidationJob: JobDescriptor<{
  tag: string
  site?: { organizationId: string; siteId: string } | undefined
}> = {
  name: 'frontend.revalidate',
  key: ({ tag }) => tag,
}

export type RevalidationContext = Pick<BaseContext, 'db' | 'enqueue'>

/** Enqueues a call to the front end for each tag; nothing is enqueued when no front end is configured. */
export async function revalidate({ db, enqueue }: RevalidationContext, tags: readonly string[]): Promise<void> {
  for (const tag of new Set(tags)) await enqueue(db, revalidationJob, { tag })
}

export const spaceCacheTag = (spaceId: string): string => `space:${spaceId}`
export const urlCacheTag = (url: string): string => `url:${new URL(url).hostname}`

/** Enqueues a call for the tags of a site and of its URL. */
export function revalidateSite(
  { db, enqueue }: RevalidationContext,
  organizationId: string,
  siteId: string,
): Promise<void> {
  return enqueue(db, revalidationJob, { tag: `site:${siteId}`, site: { organizationId, siteId } })
}

/** Enqueues calls for the tags of a change request, which contain its id or its number. */
export function revalidateChangeRequest(
  context: RevalidationContext,
  { space_id: spaceId, id, number }: Pick<Row<'change_requests'>, 'space_id' | 'id' | 'number'>,
): Promise<void> {
  return revalidate(
    context,
    [id, number].map((name) => `${spaceCacheTag(spaceId)}:change-request:${name}`),
  )
}
