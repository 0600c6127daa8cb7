import { OutageError, type Dependency } from '../kernel/errors.ts'

/** Error codes of the operating system and of `fetch` for a network connection that failed or was lost. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
])

/** Error codes of the operating system and of both engines for a disk without free space. */
const diskFullCodes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** PostgreSQL error codes for connections, resources, shutdown, idle transactions, and a standby that refuses writes. */
const postgresOutageCode = /^(?:08...|53...|57P0[1-5]|25P03|25006)$/

/** SQLite error codes for a file that cannot be read, written or locked at the moment. */
const sqliteOutageCode = /^SQLITE_(?:IOERR|CANTOPEN|BUSY|LOCKED|NOMEM|PROTOCOL)/

/** Messages of lost connections, which the PostgreSQL driver reports as errors without a code. */
const lostConnectionMessage =
  /^Connection terminated|is not queryable$|^timeout expired$|^timeout exceeded when trying to connect|after calling end on the pool$/

const statementTimeoutCode = '57014'

/** Converts an error of the database to an OutageError if it is one; returns other errors unchanged. */
export function asDatabaseOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof OutageError) return error
  const code = codeOf(error)
  if (diskFullCodes.has(code)) return diskFull('database', error)
  if (code === statementTimeoutCode)
    return new OutageError('database', 'unavailable', 'The database did not respond in time. Try again', error)
  const isLost = networkCodes.has(code) || (code === '' && lostConnectionMessage.test(error.message))
  return isLost || postgresOutageCode.test(code) || sqliteOutageCode.test(code) ? databaseDown(error) : error
}

/** Whether an error shows that the server is stopped, starting or stopping; other errors may affect only one connection. */
export function isDatabaseStopped(error: unknown): boolean {
  return error instanceof Error && ['ECONNREFUSED', '57P03'].includes(codeOf(error))
}

export function databaseDown(cause?: unknown): OutageError {
  return new OutageError('database', 'unavailable', 'The database cannot be reached. Try again', cause)
}

/** Converts an error of the folder or object store to an OutageError if it is one; returns other errors unchanged. */
export function asFilesOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof OutageError) return error
  const code = codeOf(error)
  if (diskFullCodes.has(code)) return diskFull('files', error)
  const isNetwork = networkCodes.has(code) || error.name === 'TimeoutError'
  return isNetwork || code === 'EROFS' || code === 'EIO' ? filesDown(error) : error
}

export function filesDown(cause?: unknown): OutageError {
  return new OutageError('files', 'unavailable', 'The file storage cannot be reached. Try again', cause)
}

function diskFull(part: Dependency, cause: unknown): OutageError {
  const where = part === 'database' ? 'The disk of the database' : 'The disk of the file storage'
  return new OutageError(
    part,
    'insufficientStorage',
    `${where} is full. The operator of this server must free disk space`,
    cause,
  )
}

/** Returns the code of an error or of its cause: `fetch` wraps network errors. */
function codeOf(error: Error): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0])
  return cause instanceof Error ? codeOf(cause) : ''
}
