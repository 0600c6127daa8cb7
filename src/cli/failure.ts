import { ConfigError } from '../server/config.ts'
import { GitError } from '../fetch/git-error.ts'
import { AppError, OutageError } from '../kernel/errors.ts'
import { BackupError } from '../storage/backup.ts'
import { FolderInUse } from '../storage/lock.ts'
import { DatabaseTooNew } from '../storage/migrate.ts'

/** What the operating system says when a place cannot be used. */
const placeCodes = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS'])
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ETIMEDOUT'])

/** PostgreSQL's classes for connections, authorization, unknown databases, too few resources and shutting down. */
const refusalClasses = /^(08|28|3D|53|57P)/

/** Foreseen failures are told in a sentence; others with all there is, because somebody has to find their cause. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OutageError && error.cause !== undefined) return describeFailure(error.cause)
  const foreseen = [ConfigError, AppError, BackupError, DatabaseTooNew, FolderInUse, GitError]
  if (foreseen.some((kind) => error instanceof kind)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') return `the port is already in use: ${error.message}. Set PORT to another port`
  if (placeCodes.has(code)) return error.message
  // A name with several addresses fails with one error for each, and no words of its own.
  if (networkCodes.has(code))
    return `the database cannot be reached: ${(error instanceof AggregateError ? (error.errors[0] as Error) : error).message}`
  if (refusalClasses.test(code)) return `the database refused the connection: ${error.message}`
  if (code.startsWith('SQLITE_') || error.message.startsWith('ConnectionFailed'))
    return `the database file cannot be used: ${error.message}`
  if (/^Connection terminated|^timeout e/.test(error.message)) return `the database cannot be reached: ${error.message}`
  return error.stack ?? error.message
}
