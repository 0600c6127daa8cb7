import { findMentionQuery } from '../../screens/comments/mentions.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import type { SuggestionList } from '../suggestion-list.ts'
import { createSearchedList } from './searched-list.ts'

const loadSearches = () => import('./searches.ts')

/** Creates the list of members and pages that opens after `@`. */
export const createMentionList = (organizationId: string, place: PagePlace): SuggestionList =>
  createSearchedList({
    find(text) {
      const found = findMentionQuery(text, text.length)
      return found && { query: found.query, length: text.length - found.at }
    },
    load: async () => (await loadSearches()).createMentionSearch(organizationId, place),
  })

/** Creates the list of variables that opens after `{{`. */
export const createVariableList = (place: PagePlace): SuggestionList =>
  createSearchedList({
    find(text) {
      const [typed, query = ''] = /\{\{ ?([\p{L}\p{N}_.]*)$/u.exec(text) ?? []
      return typed === undefined ? undefined : { query, length: typed.length }
    },
    load: async () => (await loadSearches()).createVariableSearch(place),
  })
