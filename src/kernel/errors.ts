import { type ErrorCode, type ErrorDetail, statusOf } from '../contract/errors.ts'

/** A failure that the caller may be told about, in words for a person. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined

  constructor(code: ErrorCode, message: string, details?: ErrorDetail[]) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }

  get status(): number {
    return statusOf[this.code]
  }
}

/** The server cannot take the request at the moment; it is worth repeating after so many seconds. */
export class BusyError extends AppError {
  readonly retryAfter: number

  constructor(code: 'rateLimited' | 'unavailable', message: string, retryAfter: number) {
    super(code, message)
    this.name = 'BusyError'
    this.retryAfter = retryAfter
  }
}

/** A part that the server depends on: its database, or where files are stored. */
export type Dependency = 'database' | 'files'

/** A part cannot be used at the moment. The message is for the caller; the cause is for the log. */
export class OutageError extends AppError {
  readonly part: Dependency

  constructor(part: Dependency, code: 'unavailable' | 'insufficientStorage', message: string, cause?: unknown) {
    super(code, message)
    this.name = 'OutageError'
    this.part = part
    this.cause = cause
  }
}

/** The request names a resource that does not exist, or that the caller may not see. */
export class NotFoundError extends AppError {
  /** The kind of the resource, for example `space`. */
  readonly resource: string

  constructor(resource: string) {
    super('notFound', `No ${resource} was found`)
    this.name = 'NotFoundError'
    this.resource = resource
  }
}

export function notFound(resource: string): NotFoundError {
  return new NotFoundError(resource)
}

/** Fields of the request are wrong; each `path` starts with `body`, `query` or `path`. */
export function invalidFields(details: ErrorDetail[]): AppError {
  return new AppError('invalid', details.map(({ path, message }) => `${path}: ${message}`).join('; '), details)
}

/** One field of the request is wrong. */
export function invalid(path: string, message: string): AppError {
  return invalidFields([{ path, message }])
}

/** The body names something that does not exist, or that the caller may not know of. */
export function unknownReference(path: string, what: string): AppError {
  const message = `no ${what} was found`
  return new AppError('notFound', `${path}: ${message}`, [{ path, message }])
}

export function conflict(message: string): AppError {
  return new AppError('conflict', message)
}

/** Ends a switch over a union; the compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
