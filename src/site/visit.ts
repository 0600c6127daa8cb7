import type { SiteReply, SiteRequest } from '../kernel/site-http.ts'
import type { PdfSource } from '../pdf/source.ts'
import type { Db } from '../schema/tables.ts'
import type { ApiClient } from './api-client.ts'
import type { SiteLimits } from './limits.ts'
import type { ReplyPolicy } from './reply.ts'
import type { SitePage, SiteView, SpaceView } from './view.ts'

/** Request of a visitor to a site, with the content that they can see. */
export interface SiteVisit {
  view: SiteView
  request: SiteRequest
  /** Path relative to the site, without the share key. */
  segments: readonly string[]
  /** Runs writes, such as storing events. */
  transaction: Transaction
  limits: SiteLimits
  requestPdf: RequestPdf
  /** Sends requests of try-it panels. */
  apiClient: ApiClient
}

/** Queues a PDF of an organization unless it is already made, and returns its URL. */
export type RequestPdf = (organizationId: string, source: PdfSource) => Promise<string>

/** Runs work in one transaction. */
export type Transaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Handler for a resource of a site that is not a page; returns undefined if it does not exist. */
export type OutputHandler = (visit: SiteVisit, rest: readonly string[]) => Promise<SiteReply | undefined>

/** Handler for another format of a page. */
export type PageOutputHandler = (
  visit: SiteVisit,
  space: SpaceView,
  sitePage: SitePage,
) => Promise<SiteReply | undefined>

/** Returns whether a reply may be cached publicly and indexed by search engines. */
export function replyPolicyOf({ session: { site, identity } }: SiteView, isIndexed: boolean): ReplyPolicy {
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted'
  return {
    isPublic: isOpen && site.adaptive_content === 0 && !identity.visitor.isPreviewing,
    isIndexed: isIndexed && site.visibility === 'public' && !identity.visitor.isPreviewing,
  }
}
