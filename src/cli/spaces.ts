import { AppError } from '../kernel/errors.ts'
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
