import type { BaseContext } from '../kernel/context.ts'
import { Cache } from '../kernel/cache.ts'
import { heapSizeOf, stringSize } from '../kernel/heap-size.ts'
import { days } from '../kernel/time.ts'
import type { SiteReply } from '../kernel/site-http.ts'
import type { SiteSession } from '../resources/urls/locate.ts'
import { findHead } from '../domain/spaces/space-queries.ts'
import type { RequestKey } from './outputs.ts'
import { headOf } from './view.ts'

/** Longer replies are not kept, in characters. */
const largest = 8 * 1024 * 1024

interface KeptReply {
  /** The mark of the database under which it was made, or last found to hold. */
  mark: string
  readonly reply: SiteReply
  readonly organizationId: string
  readonly heads: ReadonlyMap<string, string>
  /** When it must be made again in any case, in milliseconds. */
  readonly until: number
}

/** Which reply the same request got before. */
interface KnownVisitor {
  /** The mark of the database under which it was decided who they are. */
  mark: string
  key: string
  /** When what they proved of themselves ends, in milliseconds. */
  until: number
}

interface Made {
  mark: string
  session: SiteSession
  heads: ReadonlyMap<string, string>
  reply: SiteReply
  /** When, in milliseconds. */
  now: number
}

/**
 * Replies that were given lately, by address and by what decides about what a visitor sees: cookies that make no
 * difference lead to the same reply. One is given again while nothing at all was committed since, or when nothing was
 * that it was made of: the site, the visitor's rights, what is live in the spaces that were read. So it is never stale.
 */
export class ReplyCache {
  readonly #kept = new Cache<KeptReply>('site replies', sizeOf)
  readonly #visitors = new Cache<KnownVisitor>('site visitors', heapSizeOf)

  /** Whether an equal request got a reply before. */
  isKnown(request: RequestKey): boolean {
    return this.#visitors.has(nameOf(request))
  }

  /** The reply that an equal request got while nothing at all has changed. */
  find(request: RequestKey, mark: string, now: number): SiteReply | undefined {
    const visitor = this.#visitors.get(nameOf(request))
    if (visitor?.mark !== mark || now >= visitor.until) return undefined
    const kept = this.#kept.get(visitor.key)
    return kept?.mark === mark && now < kept.until ? kept.reply : undefined
  }

  /** A cached reply for visitors who see the same as this one, if it is still valid. */
  async findFor(
    { db }: Pick<BaseContext, 'db'>,
    request: RequestKey,
    { mark, session, now }: Pick<Made, 'mark' | 'session' | 'now'>,
  ): Promise<SiteReply | undefined> {
    const key = keyOf(request, session)
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    const holds = now < kept.until && (kept.mark === mark || (kept.reply.isCacheable && (await isLive(db, kept))))
    if (!holds) {
      this.#kept.delete(key)
      return undefined
    }
    kept.mark = mark
    this.#visitors.set(nameOf(request), { mark, key, until: session.identity.until })
    return kept.reply
  }

  set(request: RequestKey, { mark, session, heads, reply, now }: Made): void {
    if (lengthOf(reply) > largest) return
    const key = keyOf(request, session)
    this.#visitors.set(nameOf(request), { mark, key, until: session.identity.until })
    this.#kept.set(key, {
      mark,
      reply,
      organizationId: session.site.organization_id,
      heads,
      // Addresses of files are made anew every month.
      until: nextDay(now),
    })
  }
}

/** Whether the content that a reply was made of is still live. */
async function isLive(db: BaseContext['db'], { organizationId, heads }: KeptReply): Promise<boolean> {
  const areSame = await Promise.all(
    Array.from(heads, async ([spaceId, before]) => {
      const space = await findHead(db, { organizationId, spaceId })
      return space !== undefined && headOf(space) === before
    }),
  )
  return areSame.every(Boolean)
}

/** The text, its bytes as they are sent, and both compressed forms, which are kept as long as the reply. */
function sizeOf({ reply: { body, headers } }: KeptReply): number {
  return typeof body === 'string' ? stringSize(body) + 1.5 * body.length + heapSizeOf(headers) : 0
}

/** Characters of a text; what is no text is not kept. */
const lengthOf = ({ body }: SiteReply): number => (typeof body === 'string' ? body.length : Infinity)

const nameOf = ({ address, cookies }: RequestKey): string => `${address}\n${cookies}`

/** The key of replies to visitors who see the same of a site as it is now. */
export function keyOf({ address }: RequestKey, { site, identity: { visitor }, siteBase }: SiteSession): string {
  const { claims, seesDrafts, isPreviewing, isSignedIn, previewBy } = visitor
  const identity = [site.id, site.version, siteBase, claims, seesDrafts, isPreviewing, isSignedIn, previewBy]
  return `${address}\n${JSON.stringify(identity)}`
}

const nextDay = (now: number): number => (Math.floor(now / days(1)) + 1) * days(1)
