import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type {
  InsightsAggregation,
  InsightsColumnName,
  InsightsResult,
  InsightsValue,
} from '../../../../contract/insights.ts'
import { ApiError, request } from '../../../api.ts'

type AggregationRequest = Partial<InsightsAggregation> & Pick<InsightsAggregation, 'range'>

/** Rows of an aggregation: a value for each column by its name. */
export type InsightsRow = Partial<Record<InsightsColumnName, InsightsValue>>

export interface Aggregate {
  /** Undefined until there is a reply. */
  rows: readonly InsightsRow[] | undefined
  error: ApiError | undefined
  reload: () => void
}

interface SiteParams {
  organizationId: string
  siteId: string
}

/** Counts events of a site; the last rows remain until those of another request arrive. */
export function useAggregate({ organizationId, siteId }: SiteParams, body: AggregationRequest): Aggregate {
  const state = useSignal<{ rows?: readonly InsightsRow[]; error?: ApiError }>({})
  const attempt = useSignal(0)
  const key = JSON.stringify([organizationId, siteId, body])
  useEffect(() => {
    let isCurrent = true
    request('POST /orgs/{organizationId}/sites/{siteId}/insights/events/aggregate', {
      params: { organizationId, siteId },
      body,
    }).then(
      (result) => isCurrent && (state.value = { rows: toRows(result) }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        if (isCurrent) state.value = { ...state.value, error }
      },
    )
    return () => void (isCurrent = false)
  }, [key, attempt.value])
  return { rows: state.value.rows, error: state.value.error, reload: () => attempt.value++ }
}

function toRows({ columns }: InsightsResult): InsightsRow[] {
  const length = columns[0]?.values.length ?? 0
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(columns.map(({ column, values }) => [column, values[index] ?? null])),
  )
}
