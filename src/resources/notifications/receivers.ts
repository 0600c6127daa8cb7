import { TooManyChangesError, diffTrees } from '../../content/revision/diff.ts'
import { emptyRoot } from '../../content/revision/objects.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { NotificationKind } from '../../contract/notifications.ts'
import { findPostsById, findThreadAuthorIds } from '../../domain/comments/comment-store.ts'
import {
  type FollowTarget,
  findFollowedPageIds,
  findFollowers,
  findUnfollowed,
} from '../../domain/notifications/follow-store.ts'
import type { NotificationDetails } from '../../domain/notifications/record-event.ts'
import { findRevision } from '../../domain/revisions/revisions.ts'
import type { JobContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

type EventRow = Row<'notification_events'>

/** Users who are notified for the same reason. */
export interface Receivers {
  userIds: string[]
  kind: NotificationKind
}

/** Maximum number of users in a portion. */
const portion = 500

/** Maximum number of followed pages of a space whose followers are notified of a merge. */
const maxFollowedPages = 2000

/** Maximum number of changed pages that are compared; if a merge changes more, it is treated as a change of all pages. */
const maxComparedPages = 2000

/** Finds the receivers of an event in portions, the most specific reason first. A user can be in several portions. */
export async function* findReceivers(context: JobContext, event: EventRow): AsyncGenerator<Receivers> {
  const { db } = context
  const userIds = JSON.parse(event.receivers) as string[]
  if (userIds.length > 0) yield { userIds, kind: kindOfDirect[event.cause] }
  if (event.cause === 'comment') yield* findThreadReceivers(context, event)
  for (const { target, kind } of await findTargets(context, event))
    for await (const followers of findFollowers(db, target, portion)) yield { userIds: followers, kind }
}

const kindOfDirect: Record<EventRow['cause'], NotificationKind> = {
  comment: 'mention',
  mention: 'mention',
  'review-request': 'review-request',
  review: 'review',
  merge: 'merge',
  'git-failure': 'git-failure',
}

/** Finds those who took part in the thread of a reply, except for those who unfollowed its change request. */
async function* findThreadReceivers({ db }: JobContext, event: EventRow): AsyncGenerator<Receivers> {
  const [post] = await findPostsById(db, event.organization_id, [event.comment_id ?? ''])
  if (!post || post.parent_id === null) return
  const authorIds = await findThreadAuthorIds(db, { ...post, id: post.parent_id })
  const request = targetOfRequest(event)
  const unfollowed = request ? await findUnfollowed(db, request, authorIds) : new Set()
  yield { userIds: authorIds.filter((id) => !unfollowed.has(id)), kind: 'reply' }
}

interface TargetWithKind {
  target: FollowTarget
  kind: NotificationKind
}

/** Returns the changed resources that users can follow. */
async function findTargets(context: JobContext, event: EventRow): Promise<TargetWithKind[]> {
  const request = targetOfRequest(event)
  const space = targetOf(event, 'space', event.space_id)
  switch (event.cause) {
    case 'comment':
      return (await isPartOfReview(context, event)) ? [] : toTargets('comment', request ?? targetOfPage(event))
    case 'review':
      return toTargets('review', request)
    case 'merge': {
      const pageIds = await findChangedPageIds(context, event)
      return toTargets('merge', request, space, ...pageIds.map((id) => targetOf(event, 'page', id)))
    }
    case 'git-failure':
      return toTargets('git-failure', space)
    default:
      return []
  }
}

const toTargets = (kind: NotificationKind, ...targets: readonly (FollowTarget | undefined)[]): TargetWithKind[] =>
  targets.flatMap((target) => (target ? [{ target, kind }] : []))

/** Whether a comment belongs to a review, of which followers are notified already. */
async function isPartOfReview({ db }: JobContext, event: EventRow): Promise<boolean> {
  const [post] = await findPostsById(db, event.organization_id, [event.comment_id ?? ''])
  return !post || post.review_id !== null
}

const targetOf = ({ organization_id, space_id }: EventRow, target: FollowTarget['target'], id: string) => ({
  organization_id,
  space_id,
  target,
  target_id: id,
})

const targetOfRequest = (event: EventRow): FollowTarget | undefined =>
  event.change_request_id === null ? undefined : targetOf(event, 'change-request', event.change_request_id)

const targetOfPage = (event: EventRow): FollowTarget | undefined =>
  event.page_id === null ? undefined : targetOf(event, 'page', event.page_id)

/** Returns the followed pages that a merge changed. */
async function findChangedPageIds({ db, openObjects }: JobContext, event: EventRow): Promise<string[]> {
  const space = { organization_id: event.organization_id, id: event.space_id }
  const followed = await findFollowedPageIds(db, space, maxFollowedPages)
  const { revision = '' } = JSON.parse(event.details) as NotificationDetails
  const after = followed.length === 0 ? undefined : await findRevision(db, space, revision)
  if (!after) return []
  const [parent = ''] = JSON.parse(after.parents) as string[]
  const before = await findRevision(db, space, parent)
  const objects = openObjects(db, event.organization_id)
  try {
    const { pages } = await diffTrees(
      before ? await openTree(objects, before.root_hash) : { objects, root: emptyRoot },
      await openTree(objects, after.root_hash),
      { maxPages: maxComparedPages },
    )
    const changed = new Set(pages.map(({ id }) => id))
    return followed.filter((id) => changed.has(id))
  } catch (error) {
    if (error instanceof TooManyChangesError) return followed
    throw error
  }
}
