import { z } from 'zod'
import { Id, ListQuery } from './shared.ts'

const Score = z.number().min(0).describe('Relevance; higher is better. Comparable only within one search')

export const SearchSection = z
  .object({
    id: Id.describe('Anchor of the section in its page; the page id for text before the first heading'),
    title: z.string(),
    path: z.string(),
    body: z.string().describe('Excerpt of the text with the matches'),
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
    rank: z.int().min(1).describe('Rank among all results, starting with 1'),
    ancestors: z.array(z.object({ title: z.string() })).describe('Ancestors of the page, from the top level down'),
    sections: z.array(SearchSection).describe('Sections of the page with matches'),
    urls: z.object({ app: z.string() }),
  })
  .meta({ id: 'SearchPage' })
export type SearchPage = z.infer<typeof SearchPage>

export const SearchSpace = z
  .object({ type: z.literal('space'), id: Id, title: z.string(), score: Score, pages: z.array(SearchPage) })
  .meta({ id: 'SearchSpace' })
export type SearchSpace = z.infer<typeof SearchSpace>

export const SearchQuery = ListQuery.extend({
  query: z.string().min(1).max(512).describe('Words and phrases in double quotes; the last word may be incomplete'),
})
