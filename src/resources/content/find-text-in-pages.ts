import { type TextMatch, findText } from '../../content/document/find-text.ts'
import { readSortedRange } from '../../content/revision/sequence.ts'
import { findPages, pathOfPage } from '../../content/revision/tree.ts'
import {
  type PageTextMatches,
  type TextMatches,
  type TextMatchesQuery,
  maxSearchedPages,
} from '../../contract/text-matches.ts'
import type { RevisionContent } from '../../domain/revisions/revisions.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { decodeCursor, encodeCursor } from '../../kernel/pagination.ts'
import { readDocumentObject } from './body.ts'

/** A reply ends after this many milliseconds, so that pages with long texts do not make a request slow. */
const maxTime = 1000
/** Maximum number of matches of a page that are listed. */
const maxMatches = 100
/** Characters of a line that are shown before and after a match. */
const contextLength = 120

/** Finds a text in the next pages in the order of their IDs. */
export async function findTextInPages(
  { tree, revision }: RevisionContent,
  { text, caseSensitive, wholeWord, limit, page: cursor }: TextMatchesQuery,
): Promise<TextMatches> {
  const query = { text, isCaseSensitive: caseSensitive, isWholeWord: wholeWord }
  const after = decodeCursor(cursor, 1)?.[0]
  const ids = (await readSortedRange(tree.objects, tree.root.parents, after, maxSearchedPages + 1)).map(({ id }) => id)
  const searched = ids.slice(0, maxSearchedPages)
  const located = await findPages(tree, searched)
  const yieldIfDue = createYielder()
  const end = Date.now() + maxTime
  const items: PageTextMatches[] = []
  let count = 0
  for (const id of searched) {
    if (items.length >= limit || (count > 0 && Date.now() > end)) break
    await yieldIfDue()
    count++
    const page = located.get(id)
    if (!page || page.page.document === undefined) continue
    const matches = findText(await readDocumentObject(tree, page.page.document), query)
    if (matches.length === 0) continue
    items.push({
      page: id,
      title: page.page.title,
      path: pathOfPage(page),
      count: matches.length,
      matches: matches.slice(0, maxMatches).map(shorten),
    })
  }
  const last = searched[count - 1]
  const hasMore = count < ids.length
  return {
    ...(hasMore && { next: { page: encodeCursor([last ?? after ?? '']) } }),
    revision: revision.id,
    searchedPages: count,
    items,
  }
}

/** Returns a match with the part of its line around it. */
function shorten({ line, from, to }: TextMatch): TextMatch {
  const start = Math.max(0, from - contextLength)
  return { line: line.slice(start, to + contextLength).toWellFormed(), from: from - start, to: to - start }
}
