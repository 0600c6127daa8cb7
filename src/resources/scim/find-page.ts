import type { RawBuilder, SqlBool } from 'kysely'
import { createYielder } from '../../kernel/event-loop.ts'
import { ScimError } from '../../scim/errors.ts'
import { type Filter, listFilterTerms } from '../../scim/filter.ts'
import { matchesFilter } from '../../scim/match-filter.ts'
import type { ListRequest } from '../../scim/list.ts'
import { type TranslateTerm, toSqlFilter } from './sql-filter.ts'

/** Ordered resources in the database. */
export interface ResourceSource<Resource> {
  translate: TranslateTerm
  count: (condition: RawBuilder<SqlBool> | undefined) => Promise<number>
  select: (condition: RawBuilder<SqlBool> | undefined, offset: number, limit: number) => Promise<Resource[]>
  /** Returns a resource as filters see it. */
  present: (resource: Resource) => object
  /** Multi-valued attribute that is not part of it, because it may have many values. */
  unloaded: 'groups' | 'members'
}

/** Maximum number of resources that a filter without an index may be evaluated on. */
const maxScanned = 10_000
const batchSize = 500

/** Finds the page of a list. A filter that has no index is evaluated here, on a limited number of resources. */
export async function findPage<Resource>(
  source: ResourceSource<Resource>,
  { filter, offset, limit }: Pick<ListRequest, 'filter' | 'offset' | 'limit'>,
): Promise<{ resources: Resource[]; total: number }> {
  const sqlFilter = filter && toSqlFilter(filter, source.translate)
  const condition = sqlFilter?.condition
  if (filter && !sqlFilter?.isExact) assertIsLoaded(filter, source.unloaded)
  const candidates = await source.count(condition)
  if (!filter || sqlFilter?.isExact) {
    const isEmpty = limit === 0 || offset >= candidates
    return { resources: isEmpty ? [] : await source.select(condition, offset, limit), total: candidates }
  }
  if (candidates > maxScanned) {
    throw new ScimError(
      'tooMany',
      `The filter would be evaluated on more than ${maxScanned} resources. Also compare id, externalId or userName by eq`,
    )
  }
  return scan(source, condition, filter, { offset, limit })
}

function assertIsLoaded(filter: Filter, unloaded: string): void {
  if (!listFilterTerms(filter).some(({ path }) => path.attribute === unloaded)) return
  throw new ScimError(
    'invalidFilter',
    `${unloaded} can only be compared by eq with an id, and only together with other comparisons by eq`,
  )
}

async function scan<Resource>(
  source: ResourceSource<Resource>,
  condition: RawBuilder<SqlBool> | undefined,
  filter: Filter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ resources: Resource[]; total: number }> {
  const yieldIfDue = createYielder()
  const resources: Resource[] = []
  let total = 0
  for (let start = 0; start < maxScanned; start += batchSize) {
    const batch = await source.select(condition, start, batchSize)
    for (const resource of batch) {
      if (!matchesFilter(filter, source.present(resource))) continue
      if (total >= offset && resources.length < limit) resources.push(resource)
      total++
    }
    if (batch.length < batchSize) break
    await yieldIfDue()
  }
  return { resources, total }
}
