import { liveEvents } from '../../contract/live-events.ts'
import { findChangeRequest } from '../../domain/change-requests/change-request-store.ts'
import type { LiveStreams } from '../../domain/live/live-streams.ts'
import { findPresence, storePresence } from '../../domain/live/presence.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { EventStream } from '../../kernel/event-stream.ts'
import { unknownReference } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { toFlag } from '../../schema/values.ts'
import { presentPresence } from './present.ts'

export interface LiveServices {
  live: LiveStreams
}

export const liveEventRoutes = ({ live }: LiveServices) =>
  implement(liveEvents, {
    async streamOrganizationEvents({ viewer }, { query }) {
      return new EventStream((connection) => live.open(viewer, query.lastEventId, connection))
    },

    async listPresence({ db, space, now, urls }) {
      const rows = await findPresence(db, space, now())
      const users = await loadUsers(
        db,
        rows.map((row) => row.user_id),
      )
      return { items: presentPresence(rows, users, urls) }
    },

    async updatePresence(context, { body }) {
      const { db, space, principal } = context
      const request =
        body.changeRequest === undefined ? undefined : await findChangeRequest(db, space, body.changeRequest)
      if (body.changeRequest !== undefined && !request) throw unknownReference('body.changeRequest', 'change request')
      await storePresence(context, {
        credential_id: principal.tokenId,
        tab: body.tab,
        user_id: principal.user.id,
        organization_id: space.organization_id,
        space_id: space.id,
        page_id: body.page ?? null,
        change_request_id: request?.id ?? null,
        block_key: body.block ?? null,
        editing: toFlag(body.editing),
      })
    },
  })
