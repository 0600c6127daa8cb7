import type { BaseContext } from '../kernel/context.ts'
import { Cache } from '../kernel/cache.ts'
import { estimateHeapSize, stringSize } from '../kernel/heap-size.ts'
import { days } from '../kernel/time.ts'
import type { SiteReply } from '../kernel/site-http.ts'
import type { SiteSession } from '../visitors/locate.ts'
import { findLatestVersionId } from '../domain/openapi/load-specs.ts'
import { findSpaceHead } from '../domain/spaces/space-queries.ts'
import type { RequestKey } from './outputs.ts'
import { type SiteView, headVersionOf } from './view.ts'

/** Maximum length of a cached reply in characters. */
const maxReplyLength = 8 * 1024 * 1024

interface CachedReply {
  /** Cache mark of the database when the reply was made or last validated. */
  mark: string
  readonly reply: SiteReply
  readonly organizationId: string
  readonly heads: ReadonlyMap<string, string>
  readonly specVersions: ReadonlyMap<string, string>
  /** Time in milliseconds when the entry expires. */
  readonly expiresAt: number
}

/** Key of the reply to an earlier equal request. */
interface CachedVisitor {
  /** Cache mark of the database when the visitor was identified. */
  mark: string
  key: string
  /** Time in milliseconds when the visitor's credentials expire. */
  expiresAt: number
}

interface NewReply {
  mark: string
  session: SiteSession
  /** Heads and versions that were read; see `SiteView`. */
  view: Pick<SiteView, 'heads' | 'specVersions'>
  reply: SiteReply
  /** Time in milliseconds when the reply was made. */
  now: number
}

/**
 * Cache of recent replies, by URL and by everything that determines what a visitor sees; irrelevant cookies do not split the
 * cache. An entry is valid while nothing was committed to the database, or none of its inputs changed: the site, the visitor's
 * rights, the heads of the spaces and the versions of the specifications that were read. So replies are never stale.
 */
export class ReplyCache {
  readonly #replies = new Cache<CachedReply>('site replies', sizeOf)
  readonly #visitors = new Cache<CachedVisitor>('site visitors', estimateHeapSize)

  /** Whether an equal request got a reply before. */
  isKnown(request: RequestKey): boolean {
    return this.#visitors.has(visitorKeyOf(request))
  }

  /** Returns the cached reply to an equal request if nothing at all has been committed since. */
  find(request: RequestKey, mark: string, now: number): SiteReply | undefined {
    const visitor = this.#visitors.get(visitorKeyOf(request))
    if (visitor?.mark !== mark || now >= visitor.expiresAt) return undefined
    const cached = this.#replies.get(visitor.key)
    return cached?.mark === mark && now < cached.expiresAt ? cached.reply : undefined
  }

  /** Returns a cached reply for visitors who see the same as this one, if it is still valid. */
  async findForSession(
    { db }: Pick<BaseContext, 'db'>,
    request: RequestKey,
    { mark, session, now }: Pick<NewReply, 'mark' | 'session' | 'now'>,
  ): Promise<SiteReply | undefined> {
    const key = replyKeyOf(request, session)
    const cached = this.#replies.get(key)
    if (!cached) return undefined
    const isValid =
      now < cached.expiresAt &&
      (cached.mark === mark || (cached.reply.isCacheable && (await hasUnchangedInputs(db, cached))))
    if (!isValid) {
      this.#replies.delete(key)
      return undefined
    }
    cached.mark = mark
    this.#visitors.set(visitorKeyOf(request), { mark, key, expiresAt: session.identity.until })
    return cached.reply
  }

  set(request: RequestKey, { mark, session, view, reply, now }: NewReply): void {
    if (lengthOf(reply) > maxReplyLength) return
    const key = replyKeyOf(request, session)
    this.#visitors.set(visitorKeyOf(request), { mark, key, expiresAt: session.identity.until })
    this.#replies.set(key, {
      mark,
      reply,
      organizationId: session.site.organization_id,
      heads: view.heads,
      specVersions: view.specVersions,
      // URLs of files change every month.
      expiresAt: nextDay(now),
    })
  }
}

/** Whether the heads of the spaces and the specifications that a reply was made from are unchanged. */
async function hasUnchangedInputs(
  db: BaseContext['db'],
  { organizationId, heads, specVersions }: CachedReply,
): Promise<boolean> {
  const areSame = await Promise.all([
    ...Array.from(heads, async ([spaceId, before]) => {
      const space = await findSpaceHead(db, { organizationId, spaceId })
      return space !== undefined && headVersionOf(space) === before
    }),
    ...Array.from(
      specVersions,
      async ([name, before]) => (await findLatestVersionId(db, organizationId, name)) === before,
    ),
  ])
  return areSame.every(Boolean)
}

/** Returns the size of the text, of its encoded bytes, and of both compressed forms, which are cached with the reply. */
function sizeOf({ reply: { body, headers } }: CachedReply): number {
  return typeof body === 'string' ? stringSize(body) + 1.5 * body.length + estimateHeapSize(headers) : 0
}

/** Returns the number of characters; infinite for streams and bytes, which are not cached. */
const lengthOf = ({ body }: SiteReply): number => (typeof body === 'string' ? body.length : Infinity)

const visitorKeyOf = ({ address, cookies }: RequestKey): string => `${address}\n${cookies}`

/** Returns the key of replies for visitors who see the same of the current version of a site. */
export function replyKeyOf({ address }: RequestKey, { site, identity: { visitor }, siteBase }: SiteSession): string {
  const { claims, seesDrafts, isPreviewing, isSignedIn, previewBy } = visitor
  const identity = [site.id, site.version, siteBase, claims, seesDrafts, isPreviewing, isSignedIn, previewBy]
  return `${address}\n${JSON.stringify(identity)}`
}

const nextDay = (now: number): number => (Math.floor(now / days(1)) + 1) * days(1)
