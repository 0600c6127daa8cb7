import { AppError } from '../kernel/errors.ts'
import { followRedirect } from '../resources/site-redirects/follow.ts'
import type { SiteVisit } from './serve.ts'

/** Where a path leads at which nothing is: the redirects of a site. */
export async function redirectOf({ view, segments }: SiteVisit): Promise<string | undefined> {
  if (segments.length === 0) return undefined
  const { context, entered } = view
  const { site, arrived } = entered
  const { visitor } = arrived
  const reading = { ...context, site, siteRole: null, viewer: undefined, visitor, principal: undefined }
  try {
    return (await followRedirect(reading, `/${segments.join('/')}`, visitor.shareKey)).target
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
