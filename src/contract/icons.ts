import { z } from 'zod'
import { operation } from './operation.ts'
import { QueryInteger, queryList } from './shared.ts'

/** Maximum number of icons that a search returns. */
const maxIcons = 100
/** Maximum number of names in a request. */
const maxNames = 50

const Icon = z
  .object({
    name: z.string().describe('Name that pages, tags and other content use'),
    svg: z.string().describe('The icon as an SVG element, in the color and size of the text around it'),
  })
  .meta({ id: 'Icon' })
export type Icon = z.infer<typeof Icon>

const IconQuery = z.object({
  query: z.string().max(64).optional().describe('Part of a name; without it and without `name`, common icons'),
  name: queryList(z.string().max(64))
    .refine((names) => names.length <= maxNames, `must have at most ${maxNames} names`)
    .optional()
    .describe(`Names of icons, instead of a search, at most ${maxNames}. Names that do not exist are omitted`),
  limit: QueryInteger.refine((value) => value <= maxIcons, `must be at most ${maxIcons}`)
    .default(60)
    .meta({ type: 'integer', minimum: 0, maximum: maxIcons, default: 60 })
    .describe('Maximum number of icons that a search returns'),
})
export type IconQuery = z.infer<typeof IconQuery>

export const icons = {
  listIcons: operation({
    method: 'GET',
    path: '/icons',
    summary: 'Find icons',
    description: 'Returns icons by their names, or those whose name contains a text.',
    access: 'user',
    scope: 'space:read',
    query: IconQuery,
    reply: z.object({ icons: z.array(Icon) }),
  }),
}
