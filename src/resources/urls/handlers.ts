import { findCollection, findSpace } from '../../access/authorize.ts'
import { urls } from '../../contract/urls.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { segmentsOf } from '../../publishing/addresses.ts'
import { getChangeRequest, presentChangeRequestOf } from '../../domain/change-requests/change-request-queries.ts'
import { presentCollection } from '../../domain/spaces/present-collection.ts'
import { presentSpace } from '../../domain/spaces/present-space.ts'
import { resolve } from './resolve.ts'

export const urlRoutes = implement(urls, {
  resolvePublishedContentByUrl: (context, { body }) =>
    resolve(context, {
      url: body.url,
      redirectOnError: body.redirectOnError,
      jwtToken: body.visitor?.jwtToken,
      unsignedClaims: body.visitor?.unsignedClaims,
      visitorType: body.visitor?.type,
      tokenField: 'body.visitor.jwtToken',
    }),

  getPublishedContentByUrl: (context, { query }) =>
    resolve(context, {
      url: query.url,
      redirectOnError: query.redirectOnError,
      jwtToken: query.visitorAuthToken,
      tokenField: 'query.visitorAuthToken',
    }),

  async getContentByUrl(context, { query }) {
    const { db, principal } = context
    const app = context.urls.app('/')
    const path = query.url.startsWith(app) ? query.url.slice(app.length).split(/[?#]/)[0] : undefined
    const [kind, id = '', inside, name] = path === undefined ? [] : segmentsOf(path)
    if (kind === 'collections') {
      const found = await findCollection(db, principal.user.id, id)
      if (found) return { collection: presentCollection(found.collection, found.role, context.urls) }
    }
    const found = kind === 'spaces' ? await findSpace(db, principal.user.id, id) : undefined
    if (!found) throw notFound('content at this URL')
    const space = presentSpace(found.space, found.role, context.urls)
    if (inside !== 'change-requests' || name === undefined) return { space }
    const reading = { ...context, ...found }
    return { space, changeRequest: await presentChangeRequestOf(reading, await getChangeRequest(reading, name)) }
  },
})
