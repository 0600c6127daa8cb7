import { hours } from '../../kernel/time.ts'
import type { Position } from './event-store.ts'

/** Time for which a client can resume a stream. */
export const resumePeriod = hours(1)

/** Returns the `id` of an event: the time and the position up to which the client has received all events. */
export const formatEventId = (time: number, position: Position): string => `${time.toString(36)}-${position}`

/** Returns the position of an `id`; undefined if a client cannot resume from it. */
export function parseEventId(id: string, now: number): Position | undefined {
  const [, encodedTime = '', position = ''] = /^([0-9a-z]{1,10})-([\d:,]{1,4000})$/.exec(id) ?? []
  const time = Number.parseInt(encodedTime, 36)
  return time <= now && time > now - resumePeriod ? position : undefined
}
