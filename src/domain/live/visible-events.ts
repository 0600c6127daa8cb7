import { findCollection, findSpace, findViewer } from '../../access/authorize.ts'
import { findSite } from '../../access/sites.ts'
import { isActionAllowed } from '../../contract/roles.ts'
import type { Db } from '../../schema/tables.ts'
import type { LiveEvent } from '../../contract/live-events.ts'
import { isNotified } from '../notifications/notification-store.ts'
import type { LiveEventRow } from './event-store.ts'

/** Member of an organization who receives its events. */
export interface EventReceiver {
  organizationId: string
  userId: string
}

/** Decides which events each receiver may see. Decisions are kept for one round of events only, so that a lost permission takes effect. */
export class EventVisibility {
  readonly #db: Db
  readonly #decisions = new Map<string, Promise<boolean>>()

  constructor(db: Db) {
    this.#db = db
  }

  async filter(receiver: EventReceiver, events: readonly LiveEventRow[]): Promise<LiveEventRow[]> {
    const visible: LiveEventRow[] = []
    for (const event of events) if (await this.#isVisible(receiver, event)) visible.push(event)
    return visible
  }

  async #isVisible(receiver: EventReceiver, event: LiveEventRow): Promise<boolean> {
    if (event.organization_id !== receiver.organizationId) return false
    if (event.user_id !== null) return event.user_id === receiver.userId
    // It names nothing, and those who have lost access need it most.
    if (event.kind === 'access') return true
    return (await this.#isPermitted(receiver, event)) && this.#concerns(receiver, event)
  }

  /** Whether an event is of interest to a receiver; that of a new notification is for the users who got it. */
  #concerns({ userId }: EventReceiver, { kind, data }: LiveEventRow): Promise<boolean> | boolean {
    return kind !== 'notification' || isNotified(this.#db, userId, (JSON.parse(data) as LiveEvent).notification ?? '')
  }

  #isPermitted(receiver: EventReceiver, event: LiveEventRow): Promise<boolean> {
    const { kind, data, space_id: space } = event
    const { site, collection }: Partial<LiveEvent> =
      kind === 'site' || kind === 'collection' ? (JSON.parse(data) as LiveEvent) : {}
    const key = `${receiver.organizationId} ${receiver.userId} ${space ?? site ?? collection ?? ''}`
    let decision = this.#decisions.get(key)
    if (!decision) {
      if (space !== null) decision = this.#canViewSpace(receiver, space)
      else if (site !== undefined) decision = this.#canViewSite(receiver, site)
      else if (collection !== undefined) decision = this.#canViewCollection(receiver, collection)
      else decision = this.#isMember(receiver)
      this.#decisions.set(key, decision)
    }
    return decision
  }

  async #isMember({ organizationId, userId }: EventReceiver): Promise<boolean> {
    const viewer = await findViewer(this.#db, organizationId, userId)
    return viewer !== undefined && isActionAllowed('organization', 'listMembers', viewer.role)
  }

  async #canViewSpace({ organizationId, userId }: EventReceiver, spaceId: string): Promise<boolean> {
    // The event of a deletion is for those who could view the space.
    const found = await findSpace(this.#db, userId, spaceId, true)
    return found?.space.organization_id === organizationId && isActionAllowed('space', 'view', found.role)
  }

  async #canViewSite({ organizationId, userId }: EventReceiver, siteId: string): Promise<boolean> {
    const found = await findSite(this.#db, userId, organizationId, siteId)
    return found !== undefined && isActionAllowed('site', 'view', found.siteRole)
  }

  async #canViewCollection({ organizationId, userId }: EventReceiver, collectionId: string): Promise<boolean> {
    const found = await findCollection(this.#db, userId, collectionId)
    return found?.collection.organization_id === organizationId && isActionAllowed('collection', 'view', found.role)
  }
}
