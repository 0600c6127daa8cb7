import { STATUS_CODES } from 'node:http'
import type { ErrorReply } from '../contract/errors.ts'
import { AppError, BusyError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Reply } from './reply.ts'

/** The database cannot be reached, or it is going down. */
const unreachableCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', '57P01', '57P03', '53300'])

/** What the caller is told of an error; anything unexpected goes to the log and not into the reply. */
export function toAppError(error: unknown, log: Log): AppError {
  if (error instanceof AppError) return error
  log.error('A request failed unexpectedly', { error })
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (unreachableCodes.has(code)) return new AppError('unavailable', 'The database cannot be reached; try again')
  return new AppError('internal', 'Something went wrong on the server; its log tells more under this request id')
}

/** Makes the reply of an error, as problem details (RFC 9457) when the caller asks for them. */
export function errorReply(error: AppError, accept: string | undefined): Reply & { body: string } {
  const { status, message, details } = error
  const retry: Record<string, string> = error instanceof BusyError ? { 'retry-after': String(error.retryAfter) } : {}
  if (accept?.includes('application/problem+json')) {
    const body = {
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      ...(details && { errors: details }),
    }
    return { status, headers: { ...retry, 'content-type': 'application/problem+json' }, body: JSON.stringify(body) }
  }
  const body: ErrorReply = { error: { code: status, message, ...(details && { details }) } }
  return { status, headers: { ...retry, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
