import { useQuery } from '../../data/query.ts'

/** Reads the pages of a space, or those of a change request. */
export function usePages(spaceId: string, changeRequest: string | undefined) {
  const live = useQuery(changeRequest === undefined ? 'GET /spaces/{spaceId}/content/pages' : undefined, {
    params: { spaceId },
  })
  const changed = useQuery(
    changeRequest === undefined ? undefined : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/pages',
    { params: { spaceId, changeRequestId: changeRequest ?? '' } },
  )
  return changeRequest === undefined ? live : changed
}
