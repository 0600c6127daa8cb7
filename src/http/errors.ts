import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { ErrorDetail, ErrorReply } from '../contract/errors.ts'
import { AppError, BusyError, OutageError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Reply } from './reply.ts'

/** Value of the Retry-After header after an outage, in seconds. */
const outageRetryAfter = 5

/** Returns the error for the caller; an unexpected one is logged and replaced by a generic error. */
export function toAppError(error: unknown, log: Log): AppError {
  if (error instanceof OutageError && error.cause !== undefined) {
    log.warn(error.message, { part: error.dependency, error: error.cause })
  }
  if (error instanceof AppError) return error
  log.error('A request failed unexpectedly', { error })
  return new AppError('internal', 'Internal server error. The server log contains details under this request id')
}

/** Returns the reply of an error, as problem details (RFC 9457) when the caller accepts them. */
export function errorReply(error: AppError, accept: string | undefined): Reply & { body: string } {
  const { status, details } = error
  const message = truncateMessage(error.message)
  const headers: Record<string, string> = retryAfterHeaders(error)
  if (accept?.includes('application/problem+json')) {
    const body = {
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      ...(details && { errors: details.map(truncateDetail) }),
    }
    return { status, headers: { ...headers, 'content-type': 'application/problem+json' }, body: JSON.stringify(body) }
  }
  const body: ErrorReply = {
    error: { code: status, message, ...(details && { details: details.map(truncateDetail) }) },
  }
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function retryAfterHeaders(error: AppError): Record<string, string> {
  if (error instanceof BusyError) return { 'retry-after': String(error.retryAfter) }
  return error.code === 'unavailable' ? { 'retry-after': String(outageRetryAfter) } : {}
}

/** Maximum length of a message, which may contain input of the caller. */
const maxMessageLength = 4000

const truncateMessage = (text: string): string =>
  text.length > maxMessageLength ? `${text.slice(0, maxMessageLength).toWellFormed()}…` : text

const truncateDetail = ({ path, message, ...rest }: ErrorDetail): ErrorDetail => ({
  ...rest,
  path: truncateMessage(path),
  message: truncateMessage(message),
})

/** Returns the header that closes the connection when the body of a refused request was not read completely. */
export const connectionHeaders = ({ complete }: IncomingMessage): Record<string, string> =>
  complete ? {} : { connection: 'close' }
