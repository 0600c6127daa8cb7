import { z } from 'zod'
import { operation } from './operation.ts'
import { Id, Timestamp, User } from './shared.ts'

/** Kinds of live events: what has changed, or that a client must read everything again. */
export const liveEventKinds = [
  'head',
  'space',
  'collection',
  'site',
  'change-request',
  'review',
  'comment',
  'job',
  'presence',
  'notification',
  'access',
  'reset',
] as const
export type LiveEventKind = (typeof liveEventKinds)[number]

export const LiveEventJob = z.object({
  type: z.enum(['import', 'git', 'translation', 'openapi', 'pdf']),
  id: Id.describe(
    'ID of the import run, Git operation, translation or OpenAPI specification; for a PDF, the hash in its URL',
  ),
})
export type LiveEventJob = z.infer<typeof LiveEventJob>

export const LiveEvent = z
  .object({
    organization: Id,
    space: Id.optional(),
    collection: Id.optional(),
    site: Id.optional(),
    changeRequest: Id.optional(),
    page: Id.optional(),
    comment: Id.optional().describe('ID of the comment; for a change of a reply, of the comment that it replies to'),
    revision: Id.optional().describe('New head of the space or of the change request'),
    job: LiveEventJob.optional(),
    notification: Id.optional().describe(
      'ID of the new notification; absent if notifications were marked as read or unread',
    ),
    user: Id.optional().describe('ID of the receiver, if only their access has changed'),
    by: Id.optional().describe('ID of the user who made the change'),
  })
  .meta({ id: 'LiveEvent' })
export type LiveEvent = z.infer<typeof LiveEvent>

export const Presence = z
  .object({
    object: z.literal('presence'),
    user: User,
    page: Id.optional(),
    changeRequest: Id.optional(),
    block: z.string().optional().describe('Key of the block with the cursor'),
    editing: z.boolean().describe('Whether the user is editing, or only reading'),
    updatedAt: Timestamp.describe('When the user arrived or moved'),
  })
  .meta({ id: 'Presence' })
export type Presence = z.infer<typeof Presence>

/** A text that identifies something. Other people get it, so it cannot contain a message. */
const ShortId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must have 1 to 64 letters, digits, underscores or hyphens')
  .describe('Unique identifier')

/** Operations whose reply is a stream of events. */
export const eventStreams = {
  streamOrganizationEvents: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/events',
    summary: 'Stream live events',
    description: [
      'Sends a server-sent event for each change that the caller may see, until the caller disconnects.',
      'Events contain IDs only; read the resource again to get its new state. The kinds are:',
      '`head` (the content of a space has changed),',
      '`space` (a space was created, renamed, moved, deleted or restored, or its settings have changed; `space` is absent if spaces were transferred to another organization),',
      '`collection` (a collection was created, renamed or moved, or its settings have changed; `collection` is absent if one was deleted or transferred),',
      '`site` (a site was created, published or unpublished, or its structure, customization, redirects or other settings have changed; `site` is absent if one was deleted),',
      '`change-request` (a change request was created, or its content, status or reviewers have changed),',
      '`review`, `comment` (including replies and reactions),',
      '`job` (the state or progress of an import, Git operation, translation, OpenAPI specification or PDF has changed),',
      '`presence` (a user has entered or left a space, or is at another place in it),',
      '`notification` (the notifications of the caller have changed),',
      '`access` (the role, the teams or the membership of the receiver, or the content that is shared with them, may have changed; it is also sent when access is lost), and',
      '`reset` (events are missing; read everything again).',
      'To resume without a gap within an hour, send the last `id` as the header `Last-Event-ID`. Some events may then be sent twice.',
    ].join(' '),
    access: 'organization:view',
    scope: 'space:read',
    query: z.object({
      lastEventId: z
        .string()
        .max(4096)
        .optional()
        .describe('The last received `id`, for clients that cannot send the header `Last-Event-ID`'),
    }),
    reply: LiveEvent,
    eventStream: true,
  }),
}

export const liveEvents = {
  ...eventStreams,
  listPresence: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/presence',
    summary: 'List the users who are in a space',
    description: 'Returns the users who have called `updatePresence` for the space in the last 40 seconds.',
    access: 'space:view',
    scope: 'space:read',
    reply: z.object({ items: z.array(Presence) }),
  }),
  updatePresence: operation({
    method: 'PUT',
    path: '/spaces/{spaceId}/presence',
    summary: 'Update the presence of the caller',
    description: 'Repeat the request within 40 seconds to remain in the list. Others get the event `presence`.',
    access: 'space:view',
    scope: 'space:write',
    body: z.object({
      page: ShortId.optional(),
      changeRequest: ShortId.optional().describe('ID or number of a change request of the space'),
      block: ShortId.optional().describe('Key of the block with the cursor'),
      editing: z.boolean(),
      tab: ShortId.default('default').describe('Identifies a tab of the browser, if the caller has several'),
    }),
  }),
}
