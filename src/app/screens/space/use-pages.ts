import { useQuery } from '../../data/query.ts'

/** Reads the pages of a space, or those of a change request, where computed pages are shown instead of the generated ones. */
export function usePages(spaceId: string, changeRequest: string | undefined) {
  const live = useQuery(changeRequest === undefined ? 'GET /spaces/{spaceId}/content/table-of-contents' : undefined, {
    params: { spaceId },
  })
  const changed = useQuery(
    changeRequest === undefined
      ? undefined
      : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/table-of-contents',
    { params: { spaceId, changeRequestId: changeRequest ?? '' }, query: { computed: false } },
  )
  return changeRequest === undefined ? live : changed
}
