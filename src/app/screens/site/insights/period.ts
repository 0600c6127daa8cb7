import type { InsightsFilter } from '../../../../contract/insights.ts'
import { address } from '../../../router.ts'

export const periods = [7, 30, 90] as const
export type Period = (typeof periods)[number]

/** Milliseconds of a day. */
const day = 24 * 3600 * 1000

/** Returns the number of days in the address. */
export function readPeriod(): Period {
  const given = Number(address.value.query.get('days'))
  return periods.find((one) => one === given) ?? 30
}

/** Returns a period of whole days in UTC that ends with the current one. */
export function toRange(days: Period, now = Date.now()): { from: string; to: string } {
  const end = (Math.floor(now / day) + 1) * day
  return { from: new Date(end - days * day).toISOString(), to: new Date(end).toISOString() }
}

/** Returns the start of each day of a period. */
export function listDays({ from, to }: { from: string; to: string }): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at < Date.parse(to); at += day) days.push(new Date(at).toISOString())
  return days
}

/** A page to which the insights are limited. */
export interface PageFilter {
  space: string
  page: string
}

export function readPageFilter(): PageFilter | undefined {
  const { query } = address.value
  const [space, page] = [query.get('space'), query.get('page')]
  return space !== null && page !== null ? { space, page } : undefined
}

/** Returns the conditions for events of these types, on one page or all. */
export const toConditions = (types: readonly string[], page: PageFilter | undefined): InsightsFilter[] => [
  { column: 'eventType', operator: 'in', values: [...types] },
  ...(page ? [{ column: 'page' as const, operator: 'in' as const, values: [page] }] : []),
]
