import type { Db } from '../schema/tables.ts'

/** Reading and writing. What cannot be done because the database is unreachable or its disk is full fails with an OutageError. */
export interface Access {
  /** Reads that stand alone: each statement sees the newest committed state and never waits for a write. */
  reader: Db
  /**
   * Runs `work` in one transaction, as if no other ran at the same time. It may be run again from the start
   * when another transaction got in its way, so it must not have effects outside the database.
   */
  transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

/** A database as the rest of the house sees it: two engines, one interface. */
export interface Database extends Access {
  engine: 'sqlite' | 'postgres'
  /** The same database without a time limit on statements, for migrations and jobs. */
  unlimited: Access
  /**
   * What the reader sees now, as a mark: while it is the same, nothing was committed by anybody, and whatever was read
   * under it is still so. It costs less than a look-up.
   */
  mark(): Promise<string> | string
  /** Fails when the database cannot be reached, or has no room for anything new. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The unique keys whose violation is told to the caller, and the columns each stands for. */
const uniqueKeys = {
  users_email: 'users.email',
  organizations_hostname: 'organizations.hostname',
  sites_basename: 'sites.organization_id, sites.basename',
  sites_proxy: 'sites.proxy',
  idempotency_keys_pkey: 'idempotency_keys.user_id, idempotency_keys.key',
} as const

/** Whether an error says that a unique key was violated. */
export function violates(error: unknown, key: keyof typeof uniqueKeys): boolean {
  if (!(error instanceof Error)) return false
  const { constraint } = error as { constraint?: string }
  return constraint === key || error.message === `UNIQUE constraint failed: ${uniqueKeys[key]}`
}
