import type { z } from 'zod'
import type { JobContext, JobKind } from '../kernel/context.ts'

/** Declares a kind of background job. `run` may be repeated with the same payload and must be idempotent. */
export function job<Payload>(kind: {
  name: string
  /** Maximum number of attempts. */
  attempts: number
  atOnce?: number
  payload: z.ZodType<Payload>
  key?: (payload: Payload) => string
  delay?: number
  run: (context: JobContext, payload: Payload) => Promise<void>
}): JobKind<Payload> {
  const { payload, ...rest } = kind
  return { ...rest, parse: (value) => payload.parse(value) }
}

/** Job that is enqueued periodically. */
export interface Schedule {
  kind: JobKind<Record<string, never>>
  /** Interval in milliseconds. */
  every: number
}
