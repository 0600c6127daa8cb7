import type { LiveEvent, LiveEventJob, LiveEventKind } from '../../contract/live-events.ts'
import type { BaseContext, Principal } from '../../kernel/context.ts'
import type { Db, Row, SiteKey } from '../../schema/tables.ts'
import { findTeamMembers } from '../teams/team-store.ts'
import { insertLiveEvent } from './event-store.ts'

/** What recording an event needs: the transaction of the change, and who makes it. */
export interface LiveEventContext extends Pick<BaseContext, 'db' | 'now'> {
  principal?: Principal | undefined
}

interface LiveEventInput {
  kind: Exclude<LiveEventKind, 'reset'>
  organizationId: string
  /** Space, collection or site that a reader must be able to view; without one, every member who is not a guest gets the event. */
  spaceId?: string | undefined
  collectionId?: string | undefined
  siteId?: string | undefined
  changeRequestId?: string | null | undefined
  pageId?: string | null | undefined
  commentId?: string | undefined
  revisionId?: string | undefined
  job?: LiveEventJob | undefined
  notificationId?: string | undefined
  /** The only user who gets the event. */
  receiverId?: string | undefined
  /** User who made the change; by default the principal. */
  userId?: string | undefined
}

/** Events that each transaction has recorded, so that an event which is recorded twice is stored once. */
const recordedEvents = new WeakMap<Db, Set<string>>()

/** Records a live event, in the transaction of the change. Readers get it after the commit. */
export async function recordLiveEvent({ db, now, principal }: LiveEventContext, event: LiveEventInput): Promise<void> {
  const { kind, organizationId, spaceId } = event
  const data = JSON.stringify({
    organization: organizationId,
    space: spaceId,
    collection: event.collectionId,
    site: event.siteId,
    changeRequest: event.changeRequestId ?? undefined,
    page: event.pageId ?? undefined,
    comment: event.commentId,
    revision: event.revisionId,
    job: event.job,
    notification: event.notificationId,
    user: kind === 'access' ? event.receiverId : undefined,
    by: event.userId ?? principal?.user.id,
  } satisfies { [Name in keyof Required<LiveEvent>]: LiveEvent[Name] })
  const recorded = recordedEvents.get(db) ?? new Set()
  recordedEvents.set(db, recorded)
  const key = `${kind} ${data}`
  if (recorded.has(key)) return
  recorded.add(key)
  await insertLiveEvent(db, {
    organization_id: organizationId,
    space_id: spaceId ?? null,
    user_id: event.receiverId ?? null,
    kind,
    data,
    created_at: now(),
  })
}

/** Whether a transaction has recorded live events. */
export const hasLiveEvents = (db: Db): boolean => recordedEvents.has(db)

/** Maximum number of users who get an event each; if more are affected, every member gets one without a name. */
const maxReceivers = 200

/** Records that the role, the teams or the membership of users, or what is shared with them, has changed. */
export async function recordAccessEvents(
  context: LiveEventContext,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length > maxReceivers) return recordAccessEventForAll(context, organizationId)
  for (const receiverId of new Set(userIds))
    await recordLiveEvent(context, { kind: 'access', organizationId, receiverId })
}

/** Records that the access of any member may have changed. */
export function recordAccessEventForAll(context: LiveEventContext, organizationId: string): Promise<void> {
  return recordLiveEvent(context, { kind: 'access', organizationId })
}

/** Records that the access of the members of a team has changed. Call it before the team is deleted. */
export async function recordTeamAccessEvents(
  context: LiveEventContext,
  organizationId: string,
  teamId: string,
): Promise<void> {
  const page = { after: undefined, limit: maxReceivers }
  const members = await findTeamMembers(context.db, organizationId, teamId, page)
  await recordAccessEvents(
    context,
    organizationId,
    members.map((member) => member.user_id),
  )
}

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

/** Records that a space was created, deleted or restored, or that its settings or place have changed. */
export function recordSpaceEvent(context: LiveEventContext, { organization_id, id }: SpaceKey): Promise<void> {
  return recordLiveEvent(context, { kind: 'space', organizationId: organization_id, spaceId: id })
}

/** Records that a collection was created, or that its settings or place have changed. */
export function recordCollectionEvent(
  context: LiveEventContext,
  { organization_id, id }: Pick<Row<'collections'>, 'organization_id' | 'id'>,
): Promise<void> {
  return recordLiveEvent(context, { kind: 'collection', organizationId: organization_id, collectionId: id })
}

/** Records that a site was created, or that its structure or settings have changed. */
export function recordSiteEvent(context: LiveEventContext, { organization_id, id }: SiteKey): Promise<void> {
  return recordLiveEvent(context, { kind: 'site', organizationId: organization_id, siteId: id })
}

type ChangeRequestKey = Pick<Row<'change_requests'>, 'organization_id' | 'space_id' | 'id' | 'revision_id'>

/** Records a new state of a change request, or that it was reviewed. */
export function recordChangeRequestEvent(
  context: LiveEventContext,
  request: ChangeRequestKey,
  kind: 'change-request' | 'review' = 'change-request',
): Promise<void> {
  return recordLiveEvent(context, {
    kind,
    organizationId: request.organization_id,
    spaceId: request.space_id,
    changeRequestId: request.id,
    revisionId: request.revision_id,
  })
}

/** Owner of work in the background. Without a space, every member who is not a guest gets its events. */
interface JobOwner {
  organizationId: string
  spaceId?: string | undefined
  changeRequestId?: string | null | undefined
}

/** Records a new state or new progress of work in the background. */
export function recordJobEvent(context: LiveEventContext, owner: JobOwner, job: LiveEventJob): Promise<void> {
  return recordLiveEvent(context, { kind: 'job', ...owner, job })
}
