import { useEffect, useRef, useState } from 'preact/hooks'
import type { TextQuery } from '../../../content/document/find-text.ts'
import type { PageTextMatches } from '../../../contract/text-matches.ts'
import { ApiError } from '../../api.ts'
import { type ContentPlace, requestContent } from '../../data/content-place.ts'

/** A page with matches, and the revision in which they were found. */
export interface FoundPage extends PageTextMatches {
  revision: string
}

interface Search {
  pages: readonly FoundPage[]
  /** Number of pages that were searched. */
  searched: number
  next: string | undefined
  isRunning: boolean
  error: ApiError | undefined
}

/** Number of pages with matches after which the search pauses until the user continues it. */
const maxFound = 50

const empty: Search = { pages: [], searched: 0, next: undefined, isRunning: false, error: undefined }

/** Finds a text in all pages of a space or change request, in several requests. */
export function useTextMatches(place: ContentPlace, query: TextQuery) {
  const [search, setSearch] = useState<Search>(empty)
  const running = useRef<AbortController>(undefined)
  const stop = () => {
    running.current?.abort()
    setSearch((current) => ({ ...current, isRunning: false }))
  }
  const run = async (from: Search) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    let current: Search = { ...from, isRunning: true, error: undefined }
    setSearch(current)
    const wanted = current.pages.length + maxFound
    try {
      do {
        const { text, isCaseSensitive: caseSensitive, isWholeWord: wholeWord } = query
        const input = { query: { text, caseSensitive, wholeWord, limit: maxFound, page: current.next } }
        const reply = await requestContent(
          'GET /spaces/{spaceId}/content/text-matches',
          place,
          input,
          controller.signal,
        )
        if (controller.signal.aborted) return
        const found = reply.items.map((item) => ({ ...item, revision: reply.revision }))
        const searched = current.searched + reply.searchedPages
        current = { ...current, pages: [...current.pages, ...found], searched, next: reply.next?.page }
        setSearch(current)
      } while (current.next !== undefined && current.pages.length < wanted)
      setSearch({ ...current, isRunning: false })
    } catch (error) {
      if (controller.signal.aborted) return
      setSearch({
        ...current,
        isRunning: false,
        error: error instanceof ApiError ? error : new ApiError(0, String(error)),
      })
    }
  }
  useEffect(() => {
    if (query.text === '') setSearch(empty)
    else void run(empty)
    return () => running.current?.abort()
  }, [place.spaceId, place.changeRequestId, query.text, query.isCaseSensitive, query.isWholeWord])
  return {
    ...search,
    stop,
    /** Searches the remaining pages. */
    proceed: () => void run(search),
    restart: () => void run(empty),
    /** Updates the matches of a page. */
    setPage: (page: FoundPage) =>
      setSearch((current) => ({
        ...current,
        pages: current.pages.map((one) => (one.page === page.page ? page : one)),
      })),
  }
}

export type TextSearch = ReturnType<typeof useTextMatches>
