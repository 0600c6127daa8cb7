import { ConfigError } from '../server/config.ts'
import { GitError } from '../fetch/git-error.ts'
import { AppError, OutageError } from '../kernel/errors.ts'
import { BackupError } from '../storage/backup.ts'
import { FolderInUse } from '../storage/lock.ts'
import { DatabaseTooNew } from '../storage/migrate.ts'
import { EngineError } from '../translators/engine.ts'

/** Error codes of the operating system for a path that cannot be used. */
const pathErrorCodes = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS'])
const networkErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
])

/** PostgreSQL's error classes for connections, authorization, unknown databases, insufficient resources and shutdown. */
const connectionErrorClasses = /^(08|28|3D|53|57P)/

/** Describes an error: expected ones in one sentence, others with their stack, which is needed to find the cause. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OutageError && error.cause !== undefined) return describeFailure(error.cause)
  const expectedErrors = [ConfigError, AppError, BackupError, DatabaseTooNew, EngineError, FolderInUse, GitError]
  if (expectedErrors.some((kind) => error instanceof kind)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') return `the port is already in use: ${error.message}. Set PORT to another port`
  if (pathErrorCodes.has(code)) return error.message
  // A host name with several addresses fails with one error for each, and an empty message.
  if (networkErrorCodes.has(code))
    return `the database cannot be reached: ${(error instanceof AggregateError ? (error.errors[0] as Error) : error).message}`
  if (connectionErrorClasses.test(code)) return `the database refused the connection: ${error.message}`
  if (code.startsWith('SQLITE_') || error.message.startsWith('ConnectionFailed'))
    return `the database file cannot be used: ${error.message}`
  if (/^Connection terminated|^timeout e/.test(error.message)) return `the database cannot be reached: ${error.message}`
  return error.stack ?? error.message
}
