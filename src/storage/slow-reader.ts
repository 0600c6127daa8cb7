import type { Db } from '../schema/tables.ts'

const slowReaders = new WeakMap<Db, Db>()

/** Registers the reader whose statements do not block this process, for an engine that runs inside the process. */
export function registerSlowReader(reader: Db, slow: Db): void {
  slowReaders.set(reader, slow)
}

/**
 * Returns the reader for statements that may take long and should not delay other requests. It sees the latest
 * committed state like any reader. Transactions, and engines in other processes, have no separate one.
 */
export const slowReaderOf = (db: Db): Db => slowReaders.get(db) ?? db
