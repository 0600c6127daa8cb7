import type { Db } from '../schema/tables.ts'

/** Read and write access to the database. If it is unreachable or its disk is full, calls fail with an OutageError. */
export interface DatabaseAccess {
  /** Connection for reads outside transactions: each statement sees the latest committed state and never waits for a write. */
  reader: Db
  /**
   * Runs `work` in a serializable transaction. `work` may be repeated after a conflict with another transaction, so it
   * must not have effects outside the database.
   */
  transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

/** Common interface of the two database engines. */
export interface Database extends DatabaseAccess {
  engine: 'sqlite' | 'postgres'
  /** The same database without a statement timeout, for migrations and jobs. */
  unlimited: DatabaseAccess
  /**
   * Returns a mark of the state that the reader sees: while it is unchanged, nothing was committed by any process, and
   * results that were read under it are current. It costs less than a lookup.
   */
  mark(): Promise<string> | string
  /** Fails if the database cannot be reached or has no free space. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Unique constraints whose violation is reported to the caller, with the columns that SQLite names in its error. */
const uniqueConstraints = {
  users_email: 'users.email',
  organizations_hostname: 'organizations.hostname',
  sites_basename: 'sites.organization_id, sites.basename',
  sites_proxy: 'sites.proxy',
  openapi_specs_slug: 'openapi_specs.organization_id, openapi_specs.slug',
  translations_source: 'translations.organization_id, translations.source_space_id, translations.language',
  idempotency_keys_pkey: 'idempotency_keys.user_id, idempotency_keys.key',
} as const

/** Whether an error is the violation of a unique constraint. */
export function isUniqueViolation(error: unknown, key: keyof typeof uniqueConstraints): boolean {
  if (!(error instanceof Error)) return false
  const { constraint } = error as { constraint?: string }
  return constraint === key || error.message === `UNIQUE constraint failed: ${uniqueConstraints[key]}`
}
