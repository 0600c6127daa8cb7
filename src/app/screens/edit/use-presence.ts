import type { ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Presence } from '../../../contract/live-events.ts'
import { request } from '../../api.ts'
import { useQuery } from '../../data/query.ts'
import { useUser } from '../../session.ts'
import type { PagePlace } from './page-text.ts'

/** Interval of reports; the server removes users after 40 seconds without one. */
const reportInterval = 20_000
/** Minimum time between two reports of a cursor that moves between blocks. */
const blockInterval = 2000
const tab = crypto.randomUUID?.() ?? String(Math.random()).slice(2)

/** Reports that the user edits a page, and in which block the cursor is. */
export function usePresence(
  { spaceId, changeRequestId, pageId }: PagePlace,
  block?: ReadonlySignal<string | undefined>,
) {
  useEffect(() => {
    let reported: string | undefined
    let waiting: ReturnType<typeof setTimeout> | undefined
    const report = () => {
      reported = block?.peek()
      void request('PUT /spaces/{spaceId}/presence', {
        params: { spaceId },
        body: {
          page: pageId,
          ...(changeRequestId !== undefined && { changeRequest: changeRequestId }),
          ...(reported !== undefined && { block: reported }),
          editing: true,
          tab,
        },
        // Presence is not important enough to show an error.
      }).catch(() => undefined)
    }
    report()
    const timer = setInterval(report, reportInterval)
    const stop = block?.subscribe((key) => {
      if (key === reported) return
      waiting ??= setTimeout(() => {
        waiting = undefined
        if (block.peek() !== reported) report()
      }, blockInterval)
    })
    return () => {
      clearInterval(timer)
      clearTimeout(waiting)
      stop?.()
    }
  }, [spaceId, changeRequestId, pageId, block])
}

/** Returns the positions of other users who edit a page. */
export function useOthers({ spaceId, changeRequestId, pageId }: PagePlace): readonly Presence[] {
  const user = useUser()
  const { data } = useQuery('GET /spaces/{spaceId}/presence', { params: { spaceId } })
  return (data?.items ?? []).filter(
    (one) => one.page === pageId && one.changeRequest === changeRequestId && one.user.id !== user?.id,
  )
}
