import type { BaseContext } from '../kernel/context.ts'
import { Recent } from '../kernel/recent.ts'
import { days } from '../kernel/time.ts'
import type { Entered } from '../resources/urls/locate.ts'
import { lookUp } from '../storage/look-up.ts'
import type { SiteReply } from './reply.ts'
import { headOf } from './view.ts'

/** How much is kept, in bytes as far as texts tell. */
const size = 96 * 1024 * 1024
/** Pages with very many formulas or icons; these cost the most to make. */
const largest = 8 * 1024 * 1024

export interface KeptReply {
  /** The mark of the database under which it was made, or last found to hold. */
  mark: string
  reply: SiteReply
  readonly identity: string
  readonly organizationId: string
  readonly heads: ReadonlyMap<string, string>
  /** When it must be made again in any case, in milliseconds. */
  readonly until: number
}

interface Made {
  mark: string
  entered: Entered
  heads: ReadonlyMap<string, string>
  reply: SiteReply
  /** When, in milliseconds. */
  now: number
}

const findLive = lookUp((db, { organizationId, spaceId }: { organizationId: string; spaceId: string }) =>
  db
    .selectFrom('spaces')
    .where('organization_id', '=', organizationId)
    .where('id', '=', spaceId)
    .where('deleted_at', 'is', null)
    .select(['revision_id', 'git_sync']),
)

/**
 * Replies that were given lately. One is given again while nothing at all was committed since, or when nothing was that
 * it was made of: the site, the visitor's rights, what is live in the spaces that were read. So it is never stale.
 */
export class ReplyCache {
  readonly #kept = new Recent<KeptReply>(size, ({ reply }, key) => 2 * (lengthOf(reply) + key.length))

  get(key: string, now: number): KeptReply | undefined {
    const kept = this.#kept.get(key)
    if (kept && now < kept.until) return kept
    this.#kept.delete(key)
    return undefined
  }

  set(key: string, { mark, entered, heads, reply, now }: Made): void {
    if (lengthOf(reply) > largest) return
    this.#kept.set(key, {
      mark,
      reply,
      identity: identityOf(entered),
      organizationId: entered.site.organization_id,
      heads,
      // Addresses of files are made anew every month.
      until: Math.min(entered.arrived.until, nextDay(now)),
    })
  }

  /** Whether a reply is still what a visitor would get who has just been let in. */
  async stillHolds({ db }: Pick<BaseContext, 'db'>, kept: KeptReply, entered: Entered): Promise<boolean> {
    if (kept.identity !== identityOf(entered)) return false
    const { organizationId } = kept
    const heads = await Promise.all(
      Array.from(kept.heads, async ([spaceId, before]) => {
        const space = await findLive(db, { organizationId, spaceId })
        return space !== undefined && headOf(space) === before
      }),
    )
    return heads.every(Boolean)
  }
}

/** Characters of a text; what is no text is not kept. */
const lengthOf = ({ body }: SiteReply): number => (typeof body === 'string' ? body.length : Infinity)

/** The same for visits that see the same of a site as it is now. */
function identityOf({ site, arrived: { visitor }, siteBase }: Entered): string {
  const { claims, seesDrafts, isPreviewing, previewBy } = visitor
  return JSON.stringify([site.id, site.version, siteBase, claims, seesDrafts, isPreviewing, previewBy])
}

const nextDay = (now: number): number => (Math.floor(now / days(1)) + 1) * days(1)
