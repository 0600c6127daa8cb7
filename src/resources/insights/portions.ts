import { days } from '../../kernel/time.ts'

/**
 * Number of portions of the events of a site. Portions are counted one after another, so that other requests are served
 * in between. All events and sessions of a visitor are in one portion, so numbers of distinct visitors and sessions can
 * be added up.
 */
export const portionCount = 64

export function portionOf(visitorHash: string): number {
  return (Buffer.from(visitorHash, 'base64url')[0] ?? 0) % portionCount
}

/** Returns the day of the week in UTC, from 1 for Monday to 7. */
export function weekdayOf(moment: string): number {
  return new Date(moment).getUTCDay() || 7
}

/** Returns the date of the Monday of a week. */
export function mondayOf(moment: string): string {
  const monday = Date.parse(moment) - days(weekdayOf(moment) - 1)
  return new Date(monday).toISOString().slice(0, 10)
}
