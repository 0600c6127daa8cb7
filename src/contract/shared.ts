import { z } from 'zod'

export const Timestamp = z.iso.datetime().describe('ISO 8601 date and time in UTC')
/** Maximum length of an id. Texts without a limit would make errors and lookups expensive. */
const maxIdLength = 512

export const Id = z.string().max(maxIdLength).describe('Unique identifier')

/** An object with arbitrary keys; the number of keys is checked before their values. */
export function limitedRecord<K extends z.ZodType<string, string>, V extends z.ZodType>(key: K, value: V, max: number) {
  const checked = z.preprocess(
    (input, context) => {
      if (typeof input !== 'object' || input === null || Object.keys(input).length <= max) return input
      context.addIssue({ code: 'custom', message: `must have at most ${max} entries` })
      return z.NEVER
    },
    z.record(key, value),
  )
  // The previous step accepts any value, but only objects pass its check.
  return checked as unknown as z.ZodRecord<K, V>
}

/** A count. */
export const Count = z.int().min(0)

export const maxLimit = 1000
export const defaultLimit = 50

/** A number in a query string: digits only, so that an empty value or `1e3` is refused. */
export const QueryInteger = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

/** A boolean in a query string. */
export const QueryBoolean = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true')
  .meta({ type: 'boolean' })

/** A query parameter that may be repeated; given once, it is a list of one. */
export function queryList<Item extends z.ZodType<string, string>>(item: Item) {
  return z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(item).max(100))
}

export const ListQuery = z.object({
  page: z.string().max(2048).optional().describe('Cursor from `next.page` of the previous reply'),
  limit: QueryInteger.refine((value) => value <= maxLimit, `must be at most ${maxLimit}`)
    .default(defaultLimit)
    .meta({ type: 'integer', minimum: 0, maximum: maxLimit, default: defaultLimit })
    .describe('Maximum number of results per page'),
})
export type ListQuery = z.infer<typeof ListQuery>

export const SortOrder = z.enum(['asc', 'desc']).default('desc')

/** The list envelope around items. */
export function paginated<Item extends z.ZodType>(item: Item) {
  return z.object({
    next: z.object({ page: z.string() }).optional().describe('Absent on the last page'),
    count: Count.describe('Total number of matching items'),
    items: z.array(item),
  })
}

export interface Paginated<Item> {
  next?: { page: string } | undefined
  count: number
  items: Item[]
}

export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .max(2048)
  .describe('An http(s) URL')

export const User = z
  .object({
    object: z.literal('user'),
    id: Id,
    displayName: z.string(),
    email: z.string().optional(),
    photoURL: z.string().optional(),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>
