export const seconds = (count: number) => count * 1000
export const minutes = (count: number) => seconds(count * 60)
export const hours = (count: number) => minutes(count * 60)
export const days = (count: number) => hours(count * 24)

/** Formats a time as it is stored and sent: ISO 8601 in UTC, so that string order is chronological order. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export type Clock = () => number
