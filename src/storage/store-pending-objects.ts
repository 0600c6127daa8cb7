import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ObjectStore } from '../kernel/context.ts'
import type { Db } from '../schema/tables.ts'

/** Number of pending characters of content above which they are stored. */
const maxPendingLength = 4 * 1024 ** 2

type RunTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Stores the written objects in a separate transaction. Objects without references are kept for an hour. */
export async function storePendingObjects(transaction: RunTransaction, objects: ObjectStore): Promise<void> {
  if (objects.pending === 0) return
  await transaction((db) => objects.store(db))
  // Forgetting many objects takes as long as the commit before it.
  await nextTurn()
  objects.forget()
}

/** Stores the written objects if there are many. */
export async function storePendingObjectsIfMany(transaction: RunTransaction, objects: ObjectStore): Promise<void> {
  if (objects.pending >= maxPendingLength) await storePendingObjects(transaction, objects)
}
