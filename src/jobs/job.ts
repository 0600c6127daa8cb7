import type { z } from 'zod'
import type { JobContext, JobKind } from '../kernel/context.ts'

/** Declares a kind of background work. `run` may be repeated with the same payload, and must then end in the same state. */
export function job<Payload>(kind: {
  name: string
  /** How often it is tried before it is given up. */
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

/** A job that is put into the queue again and again. */
export interface Schedule {
  kind: JobKind<Record<string, never>>
  /** Milliseconds from one time to the next. */
  every: number
}
