import { isInReach } from '../../access/sso.ts'
import { findCollection, findSpace } from '../../access/authorize.ts'
import { requireSignIn } from '../../access/sign-in-rules.ts'
import { publishedUrls } from '../../contract/urls.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { splitPath } from '../../publishing/site-urls.ts'
import { getChangeRequest, presentChangeRequestWithUsers } from '../../domain/change-requests/change-request-queries.ts'
import { presentCollection } from '../../domain/spaces/present-collection.ts'
import { presentSpace } from '../../domain/spaces/present-space.ts'
import { resolvePublishedUrl } from './resolve-published-url.ts'

export const urlRoutes = implement(publishedUrls, {
  resolvePublishedContentByUrl: (context, { body }) =>
    resolvePublishedUrl(context, {
      url: body.url,
      redirectOnError: body.redirectOnError,
      jwtToken: body.visitor?.jwtToken,
      unsignedClaims: body.visitor?.unsignedClaims,
      visitorType: body.visitor?.type,
      tokenField: 'body.visitor.jwtToken',
    }),

  getPublishedContentByUrl: (context, { query }) =>
    resolvePublishedUrl(context, {
      url: query.url,
      redirectOnError: query.redirectOnError,
      jwtToken: query.visitorAuthToken,
      tokenField: 'query.visitorAuthToken',
    }),

  async getContentByUrl(context, { query }) {
    const { db, principal } = context
    const app = context.urls.app('/')
    const path = query.url.startsWith(app) ? query.url.slice(app.length).split(/[?#]/)[0] : undefined
    const [kind, id = '', inside, name] = path === undefined ? [] : splitPath(path)
    if (kind === 'collections') {
      const found = await findCollection(db, principal.user.id, id)
      if (found && isInReach(principal.reach, found.collection.organization_id)) {
        await requireSignIn(db, principal, found.collection.organization_id)
        return { collection: presentCollection(found.collection, found.role, context.urls) }
      }
    }
    const found = kind === 'spaces' ? await findSpace(db, principal.user.id, id) : undefined
    if (!found || !isInReach(principal.reach, found.space.organization_id)) throw notFound('content at this URL')
    await requireSignIn(db, principal, found.space.organization_id)
    const space = presentSpace(found.space, found.role, context.urls)
    if (inside !== 'change-requests' || name === undefined) return { space }
    const spaceContext = { ...context, ...found }
    return {
      space,
      changeRequest: await presentChangeRequestWithUsers(spaceContext, await getChangeRequest(spaceContext, name)),
    }
  },
})
