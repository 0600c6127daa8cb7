import { sql } from 'kysely'
import { readConfig } from '../../src/server/config.ts'
import { newId } from '../../src/kernel/ids.ts'
import { days, seconds, timestamp } from '../../src/kernel/time.ts'
import { createSpace } from '../../src/resources/spaces/create-space.ts'
import { startServer } from '../../src/server/server.ts'
import type { Database } from '../../src/storage/database.ts'
import { makeGate } from './gate.ts'
import { silentLog } from './home.ts'
import { serverEnv } from './process.ts'

// The removal of deleted spaces is the longest job, so tests of interrupted jobs use it.

/** Creates spaces that were deleted too long ago to be restored; returns their ids. */
export async function makeDeletedSpaces(env: Record<string, string>, count: number): Promise<string[]> {
  const server = await startServer(readConfig(serverEnv({ ...env, ROLES: 'api' })), { log: silentLog })
  const organizationId = server.firstStart?.organizationId ?? ''
  const { openObjects, queue } = server.app
  const making = {
    newId,
    now: () => timestamp(Date.now() - days(9)),
    openObjects,
    enqueue: queue.enqueue,
    client: undefined,
  }
  const ids = await server.app.database.transaction(async (db) => {
    const { id: createdBy } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const made: string[] = []
    for (let number = 0; number < count; number++) {
      const { id } = await createSpace(db, making, { organizationId, container: undefined, createdBy })
      const deletedAt = timestamp(Date.now() - days(8) + seconds(number))
      await db.updateTable('spaces').set({ deleted_at: deletedAt }).where('id', '=', id).execute()
      made.push(id)
    }
    await db
      .insertInto('schedules')
      .values({ name: 'spaces.purge', next_at: timestamp(0) })
      .execute()
    return made
  })
  await server.stop()
  return ids
}

/** Makes the removal of one space take longer than any test; returns a function that ends this. */
export async function blockRemoval(database: Database, spaceId: string): Promise<() => Promise<void>> {
  if (database.engine === 'sqlite') {
    const statements = [
      'create table obstacle (n integer)',
      `insert into obstacle with recursive c (n) as (select 1 union all select n + 1 from c where n < 1000) select n from c`,
      `create trigger obstacle_slow before delete on spaces when old.id = '${spaceId}'
        begin select count(*) from obstacle a, obstacle b, obstacle c, obstacle d where a.n + b.n + c.n + d.n < 0; end`,
    ]
    const execute = (lines: string[]) =>
      database.transaction(async (db) => {
        for (const line of lines) await sql.raw(line).execute(db)
      })
    await execute(statements)
    return () => execute(['drop trigger obstacle_slow', 'drop table obstacle'])
  }
  return new Promise((blocked, failed) => {
    const gate = makeGate()
    const holding = database.transaction(async (db) => {
      // This lock delays only the deletion of the row; jobs that store rows for the space continue.
      await db.selectFrom('spaces').selectAll().where('id', '=', spaceId).forKeyShare().execute()
      blocked(async () => {
        gate.open()
        await holding
      })
      await gate.passed
    })
    holding.catch(failed)
  })
}

/** Returns the ids of the spaces that are deleted but not removed yet. */
export async function findDeletedSpaces({ reader }: Database): Promise<string[]> {
  const rows = await reader
    .selectFrom('spaces')
    .select('id')
    .where('deleted_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
