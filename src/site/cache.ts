import type { BaseContext } from '../kernel/context.ts'
import { Cache } from '../kernel/cache.ts'
import { heapSizeOf, stringSize } from '../kernel/heap-size.ts'
import { days } from '../kernel/time.ts'
import type { SiteReply } from '../kernel/site-http.ts'
import type { SiteSession } from '../resources/urls/locate.ts'
import { findHead } from '../domain/spaces/space-queries.ts'
import type { RequestKey } from './outputs.ts'
import { headOf } from './view.ts'

/** Maximum length of a cached reply in characters. */
const largest = 8 * 1024 * 1024

interface KeptReply {
  /** Cache mark of the database when the reply was made or last validated. */
  mark: string
  readonly reply: SiteReply
  readonly organizationId: string
  readonly heads: ReadonlyMap<string, string>
  /** Time in milliseconds when the entry expires. */
  readonly until: number
}

/** Key of the reply to an earlier equal request. */
interface KnownVisitor {
  /** Cache mark of the database when the visitor was identified. */
  mark: string
  key: string
  /** Time in milliseconds when the visitor's credentials expire. */
  until: number
}

interface Made {
  mark: string
  session: SiteSession
  heads: ReadonlyMap<string, string>
  reply: SiteReply
  /** Time in milliseconds when the reply was made. */
  now: number
}

/**
 * Cache of recent replies, by URL and by everything that determines what a visitor sees; irrelevant cookies do not split the
 * cache. An entry is valid while nothing was committed to the database, or none of its inputs changed: the site, the visitor's
 * rights, the heads of the spaces that were read. So replies are never stale.
 */
export class ReplyCache {
  readonly #kept = new Cache<KeptReply>('site replies', sizeOf)
  readonly #visitors = new Cache<KnownVisitor>('site visitors', heapSizeOf)

  /** Whether an equal request got a reply before. */
  isKnown(request: RequestKey): boolean {
    return this.#visitors.has(nameOf(request))
  }

  /** Returns the cached reply to an equal request if nothing at all has been committed since. */
  find(request: RequestKey, mark: string, now: number): SiteReply | undefined {
    const visitor = this.#visitors.get(nameOf(request))
    if (visitor?.mark !== mark || now >= visitor.until) return undefined
    const kept = this.#kept.get(visitor.key)
    return kept?.mark === mark && now < kept.until ? kept.reply : undefined
  }

  /** Returns a cached reply for visitors who see the same as this one, if it is still valid. */
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
      // URLs of files change every month.
      until: nextDay(now),
    })
  }
}

/** Whether the heads of the spaces that a reply was made from are unchanged. */
async function isLive(db: BaseContext['db'], { organizationId, heads }: KeptReply): Promise<boolean> {
  const areSame = await Promise.all(
    Array.from(heads, async ([spaceId, before]) => {
      const space = await findHead(db, { organizationId, spaceId })
      return space !== undefined && headOf(space) === before
    }),
  )
  return areSame.every(Boolean)
}

/** Returns the size of the text, of its encoded bytes, and of both compressed forms, which are cached with the reply. */
function sizeOf({ reply: { body, headers } }: KeptReply): number {
  return typeof body === 'string' ? stringSize(body) + 1.5 * body.length + heapSizeOf(headers) : 0
}

/** Returns the number of characters; infinite for streams and bytes, which are not cached. */
const lengthOf = ({ body }: SiteReply): number => (typeof body === 'string' ? body.length : Infinity)

const nameOf = ({ address, cookies }: RequestKey): string => `${address}\n${cookies}`

/** Returns the key of replies for visitors who see the same of the current version of a site. */
export function keyOf({ address }: RequestKey, { site, identity: { visitor }, siteBase }: SiteSession): string {
  const { claims, seesDrafts, isPreviewing, isSignedIn, previewBy } = visitor
  const identity = [site.id, site.version, siteBase, claims, seesDrafts, isPreviewing, isSignedIn, previewBy]
  return `${address}\n${JSON.stringify(identity)}`
}

const nextDay = (now: number): number => (Math.floor(now / days(1)) + 1) * days(1)
