import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../src/schema/tables.ts'
import { makeGate } from '../support/gate.ts'
import { openDatabaseForTest, homeForTest } from '../support/home.ts'

const values = async (db: Db) =>
  (await sql<{ v: string }>`select v from t order by v`.execute(db)).rows.map(({ v }) => v)

async function tableForTest() {
  const database = openDatabaseForTest(await homeForTest())
  await database.transaction((db) => sql`create table t (v text)`.execute(db))
  return database
}

test('a single parameter can be null, text or bytes', async () => {
  const database = openDatabaseForTest(await homeForTest())
  const one = async (value: unknown) =>
    (await sql<{ x: unknown }>`select ${value} as x`.execute(database.reader)).rows[0]?.x
  expect(await one(null)).toBeNull()
  expect(await one('text')).toBe('text')
  expect(Buffer.from((await one(Buffer.from('bytes'))) as ArrayBuffer).toString()).toBe('bytes')
})

test('a read during a transaction does not wait and returns only committed rows', async () => {
  const database = await tableForTest()
  const [written, read] = [makeGate(), makeGate()]
  const writing = database.transaction(async (db) => {
    await sql`insert into t values ('new')`.execute(db)
    written.open()
    await read.passed
  })
  await written.passed
  expect(await values(database.reader)).toEqual([])
  read.open()
  await writing
  expect(await values(database.reader)).toEqual(['new'])
})

test('transactions run one after the other, and a failed one is rolled back', async () => {
  const database = await tableForTest()
  const steps: string[] = []
  const work = (name: string, fails: boolean) =>
    database.transaction(async (db) => {
      steps.push(`${name} begins`)
      await sql`insert into t values (${name})`.execute(db)
      await new Promise((resolve) => setImmediate(resolve))
      steps.push(`${name} ends`)
      if (fails) throw new Error(name)
    })
  const ends = await Promise.allSettled([work('a', false), work('b', true), work('c', false)])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(await values(database.reader)).toEqual(['a', 'c'])
})

test('the reader rejects writes', async () => {
  const database = await tableForTest()
  await expect(sql`insert into t values ('x')`.execute(database.reader)).rejects.toThrow(/readonly/)
})
