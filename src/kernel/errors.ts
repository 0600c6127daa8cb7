import { type ErrorCode, type ErrorDetail, statusByErrorCode } from '../contract/errors.ts'

/** Error that is reported to the caller, with a message for people. */
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
    return statusByErrorCode[this.code]
  }
}

/** Error of a server that cannot process the request now; the caller may retry after `retryAfter` seconds. */
export class BusyError extends AppError {
  readonly retryAfter: number

  constructor(code: 'rateLimited' | 'unavailable', message: string, retryAfter: number) {
    super(code, message)
    this.name = 'BusyError'
    this.retryAfter = retryAfter
  }
}

/** External service that the server depends on: its database or its file storage. */
export type Dependency = 'database' | 'files'

/** Error of a dependency that is unavailable. The message is for the caller, the cause for the log. */
export class OutageError extends AppError {
  readonly dependency: Dependency

  constructor(dependency: Dependency, code: 'unavailable' | 'insufficientStorage', message: string, cause?: unknown) {
    super(code, message)
    this.name = 'OutageError'
    this.dependency = dependency
    this.cause = cause
  }
}

/** Error for a resource that does not exist or that the caller may not see. */
export class NotFoundError extends AppError {
  /** Type of the resource, for example `space`. */
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

/** Creates an error for invalid fields of the request; each `path` starts with `body`, `query` or `path`. */
export function invalidFields(details: ErrorDetail[]): AppError {
  return new AppError('invalid', details.map(({ path, message }) => `${path}: ${message}`).join('; '), details)
}

/** Creates an error for one invalid field of the request. */
export function invalid(path: string, message: string): AppError {
  return invalidFields([{ path, message }])
}

/** Creates an error for a reference in the body to something that does not exist or that the caller may not see. */
export function unknownReference(path: string, what: string): AppError {
  const message = `no ${what} was found`
  return new AppError('notFound', `${path}: ${message}`, [{ path, message }])
}

export function conflict(message: string): AppError {
  return new AppError('conflict', message)
}

/** Ends an exhaustive switch over a union; a missing case is a compile error. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
