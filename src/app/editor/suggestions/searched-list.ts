import type { EditorView } from 'prosemirror-view'
import type { ContentRef, InlineElement } from '../../../content/document/nodes.ts'
import type { IconName } from '../../ui/icons.ts'
import { createLink } from '../links.ts'
import { nodeType, schema } from '../schema.ts'
import { type SuggestionList, createSuggestionList } from '../suggestion-list.ts'

/** An item that a list inserts: an inline element, or its title as a link. */
export type InlineChoice = { title: string; detail?: string; icon: IconName } & (
  | { inline: InlineElement }
  | { ref: ContentRef }
)

/** Returns the choices for a text. */
export type SearchChoices = (query: string) => Promise<readonly InlineChoice[]>

/** Delay in milliseconds before a search, so that not every key sends a request. */
const searchDelay = 120
/** Maximum number of characters before the cursor that can open a list. */
const maxTrigger = 100

interface SearchedListOptions {
  /** Returns the query and its length with the characters that open the list; undefined if there is no such text. */
  find: (text: string) => { query: string; length: number } | undefined
  /** Loads the search when the list is opened for the first time. */
  load: () => Promise<SearchChoices>
}

/** Creates a list of inline elements that are searched while the user types. */
export function createSearchedList({ find, load }: SearchedListOptions): SuggestionList {
  let found: readonly InlineChoice[] = []
  let asked: string | undefined
  let answered: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = (view: EditorView, query: string) => {
    if (asked === query) return
    asked = query
    clearTimeout(timer)
    timer = setTimeout(() => void answer(view, query), searchDelay)
  }
  const answer = async (view: EditorView, query: string) => {
    try {
      const choices = await (await load())(query)
      if (asked !== query || view.isDestroyed) return
      found = choices
      answered = query
      suggestions.update(view)
    } catch {
      // The text remains, and the next key searches again.
      asked = undefined
    }
  }
  const suggestions = createSuggestionList<InlineChoice>({
    find(view) {
      const { $from } = view.state.selection
      const isCode = $from.parent.type.spec.code === true || $from.marks().some(({ type }) => type.name === 'code')
      if (!$from.parent.inlineContent || isCode) return undefined
      const start = Math.max(0, $from.parentOffset - maxTrigger)
      const trigger = find($from.parent.textBetween(start, $from.parentOffset, '\n', '\n'))
      if (!trigger) {
        asked = undefined
        found = []
        return undefined
      }
      ask(view, trigger.query)
      return { from: $from.pos - trigger.length, to: $from.pos, query: trigger.query }
    },
    // Until the reply arrives, those results of the previous query are shown that contain the new one.
    list: (query) =>
      query === answered ? found : found.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase())),
    insert(view, choice, { from, to }) {
      const node =
        'inline' in choice
          ? nodeType('protected_inline').create({ json: choice.inline })
          : schema.text(choice.title, [createLink(choice.ref)])
      view.dispatch(view.state.tr.replaceWith(from, to, node).scrollIntoView())
    },
  })
  return suggestions
}
