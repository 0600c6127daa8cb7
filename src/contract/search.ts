import { z } from 'zod'
import { Id, ListQuery } from './shared.ts'

const Score = z.number().min(0).describe('Higher for what ranks higher; comparable within one search')

export const SearchSection = z
  .object({
    id: Id.describe('The anchor of the section in its page; the id of the page for what stands before the first one'),
    title: z.string(),
    path: z.string(),
    body: z.string().describe('The part of the text that holds what was looked for'),
    score: Score,
    urls: z.object({ app: z.string() }),
  })
  .meta({ id: 'SearchSection' })
export type SearchSection = z.infer<typeof SearchSection>

export const SearchPage = z
  .object({
    id: Id,
    title: z.string(),
    description: z.string(),
    path: z.string(),
    score: Score,
    rank: z.int().min(1).describe('The place among all results, the best first'),
    ancestors: z.array(z.object({ title: z.string() })).describe('The pages above, from the top'),
    sections: z.array(SearchSection).describe('The places in the page that hold what was looked for'),
    urls: z.object({ app: z.string() }),
  })
  .meta({ id: 'SearchPage' })
export type SearchPage = z.infer<typeof SearchPage>

export const SearchSpace = z
  .object({ type: z.literal('space'), id: Id, title: z.string(), score: Score, pages: z.array(SearchPage) })
  .meta({ id: 'SearchSpace' })
export type SearchSpace = z.infer<typeof SearchSpace>

export const SearchQuery = ListQuery.extend({
  query: z
    .string()
    .min(1)
    .max(512)
    .describe('Words, the last of which may be incomplete, and phrases in double quotes'),
})
