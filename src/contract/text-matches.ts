import { z } from 'zod'
import { Count, Id, ListQuery, QueryBoolean } from './shared.ts'

/** Maximum number of pages that one reply is searched in. */
export const maxSearchedPages = 500

export const TextMatchesQuery = ListQuery.extend({
  text: z.string().min(1).max(200).describe('Text to find'),
  caseSensitive: QueryBoolean.default(false).meta({ type: 'boolean', default: false }),
  wholeWord: QueryBoolean.default(false)
    .meta({ type: 'boolean', default: false })
    .describe('Whether letters and digits beside the text exclude a match'),
})
export type TextMatchesQuery = z.infer<typeof TextMatchesQuery>

const TextMatch = z.object({
  line: z.string().describe('Text around the match: its line, or a part of it if the line is long'),
  from: Count.describe('Start of the match in the text around it'),
  to: Count.describe('End of the match'),
})

export const PageTextMatches = z
  .object({
    page: Id,
    title: z.string(),
    path: z.string(),
    count: Count.describe('Number of matches in the page, up to 10,000'),
    matches: z.array(TextMatch).describe('The first 100 matches in their order'),
  })
  .meta({ id: 'PageTextMatches' })
export type PageTextMatches = z.infer<typeof PageTextMatches>

export const TextMatches = z
  .object({
    next: z.object({ page: z.string() }).optional().describe('Absent when all pages were searched'),
    revision: Id.describe('The revision that was searched, the base of changes of these pages'),
    searchedPages: Count.describe('Number of pages that were searched for this reply'),
    items: z.array(PageTextMatches),
  })
  .meta({ id: 'TextMatches' })
export type TextMatches = z.infer<typeof TextMatches>

export const textMatchesDescription =
  'Finds exact occurrences of a text in the documents of pages, in the order of the IDs of the pages. A reply covers a limited number of pages, so it can be empty even if `next` exists.'
