import { useQuery } from '../../data/query.ts'

/** Version of a space whose pages are shown: a change request or an earlier revision; without them, the live content. */
export interface PagesVersion {
  changeRequest?: string | undefined
  revision?: string | undefined
}

/** Reads the pages of a space, or those of a change request, where computed pages are shown instead of the generated ones. */
export function usePages(spaceId: string, { changeRequest, revision }: PagesVersion = {}) {
  const isLive = changeRequest === undefined && revision === undefined
  const live = useQuery(isLive ? 'GET /spaces/{spaceId}/content/table-of-contents' : undefined, {
    params: { spaceId },
  })
  const changed = useQuery(
    changeRequest === undefined
      ? undefined
      : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/table-of-contents',
    { params: { spaceId, changeRequestId: changeRequest ?? '' }, query: { computed: false } },
  )
  const earlier = useQuery(revision === undefined ? undefined : 'GET /spaces/{spaceId}/revisions/{revisionId}/pages', {
    params: { spaceId, revisionId: revision ?? '' },
    query: { metadata: false },
  })
  return revision !== undefined ? earlier : changeRequest === undefined ? live : changed
}
