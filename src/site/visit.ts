import type { SiteReply, SiteRequest } from '../kernel/site-http.ts'
import type { Db } from '../schema/tables.ts'
import type { SiteLimits } from './limits.ts'
import type { Handling } from './reply.ts'
import type { PlacedPage, SiteView, SpaceView } from './view.ts'

/** A visit of a site: who came, what they asked, and what they see. */
export interface SiteVisit {
  view: SiteView
  request: SiteRequest
  /** The path below the site, without what stands for a share link. */
  segments: readonly string[]
  /** Lets what somebody did be noted. */
  transaction: Transaction
  limits: SiteLimits
}

/** Runs something in one transaction. */
export type Transaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Answers for something on a site that is no page; undefined when it is not there. */
export type Output = (visit: SiteVisit, rest: readonly string[]) => Promise<SiteReply | undefined>

/** A page in another form. */
export type PageOutput = (visit: SiteVisit, space: SpaceView, placed: PlacedPage) => Promise<SiteReply | undefined>

/** Who may see what a reply shows, and whether search engines may. */
export function handlingOf({ session: { site, identity } }: SiteView, isIndexed: boolean): Handling {
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted'
  return {
    isPublic: isOpen && site.adaptive_content === 0 && !identity.visitor.isPreviewing,
    isIndexed: isIndexed && site.visibility === 'public' && !identity.visitor.isPreviewing,
  }
}
