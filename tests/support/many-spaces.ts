import { newId } from '../../src/kernel/ids.ts'
import type { TestServer } from './server.ts'

/** Rows that are inserted together. */
const batchSize = 200

/** Makes an organization list a space several times, with other names, because creating so many would take too long. */
export async function copySpace(octavo: TestServer, spaceId: string, count: number): Promise<void> {
  await octavo.server.app.database.transaction(async (db) => {
    const space = await db.selectFrom('spaces').selectAll().where('id', '=', spaceId).executeTakeFirstOrThrow()
    const copies = Array.from({ length: count - 1 }, (_, index) => ({
      ...space,
      id: newId(),
      title: `Space ${index + 1}`,
    }))
    while (copies.length > 0) await db.insertInto('spaces').values(copies.splice(0, batchSize)).execute()
  })
}
