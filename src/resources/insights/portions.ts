import { days } from '../../kernel/time.ts'

/**
 * Events are counted portion by portion, so that others can be served in between. A visitor is in one of them, and with
 * them their sessions: so even how many different ones there were adds up.
 */
export const portionCount = 64

export function portionOf(visitorHash: string): number {
  return (Buffer.from(visitorHash, 'base64url')[0] ?? 0) % portionCount
}

/** The day of the week in UTC, from 1 for Monday to 7. */
export function weekday(moment: string): number {
  return new Date(moment).getUTCDay() || 7
}

/** The date that the week of a moment began with. */
export function mondayOf(moment: string): string {
  const monday = Date.parse(moment) - days(weekday(moment) - 1)
  return new Date(monday).toISOString().slice(0, 10)
}
