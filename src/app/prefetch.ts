import { prefetch } from './data/query.ts'
import { preloadVisualEditor } from './load-module.ts'
import { findRoute } from './router.ts'

type Params = Readonly<Record<string, string>>

/**
 * First requests of the screens that are opened most often. They must be equal to those of the screens; otherwise they are sent
 * twice.
 */
const firstRequests: readonly { paths: readonly string[]; send: (params: Params) => void }[] = [
  { paths: ['/spaces/{spaceId}/pages/{pageId}'], send: prefetchPage },
  {
    paths: ['/spaces/{spaceId}/pages/{pageId}/edit', '/spaces/{spaceId}/reusable/{reusableContentId}/edit'],
    send: prefetchLivePages,
  },
  {
    paths: [
      '/spaces/{spaceId}/change-requests/{number}',
      '/spaces/{spaceId}/change-requests/{number}/pages/{pageId}',
      '/spaces/{spaceId}/change-requests/{number}/reusable/{reusableContentId}',
      '/spaces/{spaceId}/change-requests/{number}/conflicts',
    ],
    send: prefetchChangeRequestPages,
  },
  // Its navigation lists the changes instead of the pages.
  { paths: ['/spaces/{spaceId}/change-requests/{number}/changes'], send: prefetchChangeRequest },
]

/** Sends the first requests of the screen of a path. */
export function prefetchScreen(path: string): void {
  const found = findRoute(firstRequests, path)
  if (!found) return
  found.route.send(found.params)
  // The other screens of a page are editors.
  if ('pageId' in found.params && found.route.send !== prefetchPage) preloadVisualEditor()
}

/** Reads the data that all screens of a space show. */
function prefetchSpace(spaceId: string): void {
  prefetch('GET /user')
  prefetch('GET /orgs', { query: { limit: 100 } })
  prefetch('GET /spaces/{spaceId}', { params: { spaceId } })
}

/** Reads a space and its live pages. */
function prefetchLivePages({ spaceId = '' }: Params): void {
  prefetchSpace(spaceId)
  prefetch('GET /spaces/{spaceId}/content/table-of-contents', { params: { spaceId } })
}

/** Reads a page and the tree around it. */
function prefetchPage({ spaceId = '', pageId = '' }: Params): void {
  prefetchLivePages({ spaceId })
  prefetch('GET /spaces/{spaceId}/content/page/{pageId}/html', { params: { spaceId, pageId } })
  prefetch('GET /spaces/{spaceId}/content/page/{pageId}', { params: { spaceId, pageId } })
}

/** Reads a change request without its pages. */
function prefetchChangeRequest({ spaceId = '', number = '' }: Params): void {
  prefetchSpace(spaceId)
  prefetch('GET /spaces/{spaceId}/change-requests/{changeRequestId}', { params: { spaceId, changeRequestId: number } })
}

/** Reads a change request and its pages. */
function prefetchChangeRequestPages(params: Params): void {
  const { spaceId = '', number = '' } = params
  prefetchChangeRequest(params)
  prefetch('GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/table-of-contents', {
    params: { spaceId, changeRequestId: number },
    query: { computed: false },
  })
}
