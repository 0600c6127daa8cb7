import type { Outside } from '../content/repository/references.ts'
import { AppError } from '../kernel/errors.ts'
import { outsideOf } from '../resources/git/places.ts'
import { findConnection } from '../resources/git/store.ts'
import type { Db, Row } from '../storage/tables.ts'
import { printable } from './report.ts'

/** With so many spaces or fewer, whoever names one that is not there is told of all. */
const few = 20

/** A space of any organization by its id. */
export async function getSpaceById(db: Db, id: string): Promise<Row<'spaces'>> {
  const live = db.selectFrom('spaces').where('deleted_at', 'is', null)
  const space = await live.selectAll().where('id', '=', id).executeTakeFirst()
  if (space) return space
  const others = await live
    .select(['id', 'title'])
    .orderBy('id')
    .limit(few + 1)
    .execute()
  const told = others.map((other) => `\n  ${other.id}  ${printable(other.title)}`).join('')
  const hint = others.length === 0 ? ' There are none.' : others.length > few ? '' : ` There are:${told}`
  throw new AppError('notFound', `There is no space ${printable(id)}.${hint}`)
}

/** Where links lead that leave the content of a space, when it is in step with a repository. */
export async function outsideOfSpace(db: Db, space: Row<'spaces'>): Promise<Outside | undefined> {
  const connection = await findConnection(db, space)
  return connection && outsideOf(connection)
}
