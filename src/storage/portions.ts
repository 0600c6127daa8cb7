import type { ObjectStore } from '../kernel/context.ts'
import type { Db } from '../schema/tables.ts'

/** How many characters of content wait to be stored at most. */
const portion = 4 * 1024 ** 2

type Transaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Stores what was written in a transaction of its own. What nothing refers to yet is kept for an hour. */
export async function storeAll(transaction: Transaction, objects: ObjectStore): Promise<void> {
  if (objects.pending === 0) return
  await transaction((db) => objects.store(db))
  objects.forget()
}

/** Does so once much was written. */
export async function storePortion(transaction: Transaction, objects: ObjectStore): Promise<void> {
  if (objects.pending >= portion) await storeAll(transaction, objects)
}
