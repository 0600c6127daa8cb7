import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { ChangeRequest } from '../../../../contract/change-request.ts'
import type { RevisionChanges, SemanticChange } from '../../../../contract/semantic-changes.ts'
import { ApiError, request } from '../../../api.ts'
import { useQuery } from '../../../data/query.ts'
import { paramsOf } from '../use-change-request.ts'
import { type ChangeEntry, toEntries } from './entries.ts'

const route = 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes'

interface Changes {
  /** Undefined until the first reply. */
  entries: readonly ChangeEntry[] | undefined
  /** Whether further changes are being read. */
  isPartial: boolean
  error: ApiError | undefined
  reload: () => Promise<void>
}

/** Reads the changes of a change request, or those since a revision. Long lists arrive in several replies. */
export function useChanges(changeRequest: ChangeRequest, comparedWith?: string): Changes {
  const params = paramsOf(changeRequest)
  const query = { limit: 1000, blocks: false, ...(comparedWith !== undefined && { comparedWith }) }
  const first = useQuery(route, { params, query })
  const rest = useSignal<{ of: RevisionChanges; changes: SemanticChange[]; isPartial: boolean } | undefined>(undefined)
  const error = useSignal<ApiError | undefined>(undefined)
  const { data } = first
  useEffect(() => {
    if (!data?.next) return undefined
    const reading = new AbortController()
    const read = async () => {
      const changes: SemanticChange[] = []
      let page = data.next?.page
      while (page !== undefined && !reading.signal.aborted) {
        const reply: RevisionChanges = await request(route, { params, query: { ...query, page } })
        changes.push(...reply.changes)
        page = reply.next?.page
        if (!reading.signal.aborted) rest.value = { of: data, changes: [...changes], isPartial: page !== undefined }
      }
    }
    read().catch((thrown: unknown) => {
      if (thrown instanceof ApiError) error.value = thrown
    })
    return () => reading.abort()
  }, [data])
  const more = rest.value?.of === data ? rest.value : undefined
  const entries = useMemo(() => data && toEntries([...data.changes, ...(more?.changes ?? [])]), [data, more])
  return {
    entries,
    isPartial: data?.next !== undefined && more?.isPartial !== false,
    error: first.error ?? error.value,
    reload: first.reload,
  }
}
