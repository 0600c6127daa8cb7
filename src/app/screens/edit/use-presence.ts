import { useEffect } from 'preact/hooks'
import { request } from '../../api.ts'
import { useQuery } from '../../data/query.ts'
import { useUser } from '../../session.ts'
import type { PagePlace } from './page-text.ts'

/** The server forgets who is here after 40 seconds. */
const reportInterval = 20_000
const tab = crypto.randomUUID?.() ?? String(Math.random()).slice(2)

/** Reports that the user edits a page, and returns the others who do. */
export function usePresence({ spaceId, changeRequestId, pageId }: PagePlace) {
  const user = useUser()
  const { data } = useQuery('GET /spaces/{spaceId}/presence', { params: { spaceId } })
  useEffect(() => {
    const report = (editing: boolean) =>
      request('PUT /spaces/{spaceId}/presence', {
        params: { spaceId },
        body: { page: pageId, ...(changeRequestId !== undefined && { changeRequest: changeRequestId }), editing, tab },
        // Who is here is not important enough to show an error.
      }).catch(() => undefined)
    void report(true)
    const timer = setInterval(() => void report(true), reportInterval)
    return () => clearInterval(timer)
  }, [spaceId, changeRequestId, pageId])
  const others = (data?.items ?? []).filter(
    (one) => one.page === pageId && one.changeRequest === changeRequestId && one.user.id !== user?.id,
  )
  return [...new Map(others.map((one) => [one.user.id, one.user])).values()]
}
