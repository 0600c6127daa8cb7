import type { Db } from '../schema/tables.ts'

const slowReaders = new WeakMap<Db, Db>()

/** Names the reader whose statements do not block this process, for an engine that runs inside of it. */
export function useSlowReader(reader: Db, slow: Db): void {
  slowReaders.set(reader, slow)
}

/**
 * The reader for statements that may take longer than other requests should wait. It sees the newest committed state like
 * any reader; a transaction and an engine that runs elsewhere have no other one.
 */
export const slowReader = (db: Db): Db => slowReaders.get(db) ?? db
