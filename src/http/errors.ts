import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { ErrorDetail, ErrorReply } from '../contract/errors.ts'
import { AppError, BusyError, OutageError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Reply } from './reply.ts'

/** Seconds after which a request that found a part unavailable is worth repeating. */
const outageRetryAfter = 5

/** What the caller is told of an error; anything unexpected goes to the log and not into the reply. */
export function toAppError(error: unknown, log: Log): AppError {
  if (error instanceof OutageError && error.cause !== undefined) {
    log.warn(error.message, { part: error.part, error: error.cause })
  }
  if (error instanceof AppError) return error
  log.error('A request failed unexpectedly', { error })
  return new AppError('internal', 'Internal server error. The server log contains details under this request id')
}

/** Makes the reply of an error, as problem details (RFC 9457) when the caller asks for them. */
export function errorReply(error: AppError, accept: string | undefined): Reply & { body: string } {
  const { status, details } = error
  const message = cut(error.message)
  const headers: Record<string, string> = retryAfterOf(error)
  if (accept?.includes('application/problem+json')) {
    const body = {
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      ...(details && { errors: details.map(cutDetail) }),
    }
    return { status, headers: { ...headers, 'content-type': 'application/problem+json' }, body: JSON.stringify(body) }
  }
  const body: ErrorReply = { error: { code: status, message, ...(details && { details: details.map(cutDetail) }) } }
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function retryAfterOf(error: AppError): Record<string, string> {
  if (error instanceof BusyError) return { 'retry-after': String(error.retryAfter) }
  return error.code === 'unavailable' ? { 'retry-after': String(outageRetryAfter) } : {}
}

/** Maximum length of a message: it may repeat what the caller sent. */
const longestMessage = 4000

const cut = (text: string): string =>
  text.length > longestMessage ? `${text.slice(0, longestMessage).toWellFormed()}…` : text

const cutDetail = ({ path, message }: ErrorDetail): ErrorDetail => ({ path: cut(path), message: cut(message) })

/** Headers of an error: the rest of a body that was refused is not waited for. */
export const closing = ({ complete }: IncomingMessage): Record<string, string> =>
  complete ? {} : { connection: 'close' }
