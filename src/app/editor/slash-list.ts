import { type BlockChoice, listBlockChoices } from './insertions.ts'
import { type SuggestionList, createSuggestionList } from './suggestion-list.ts'

/** Creates the list of blocks that a slash in an empty paragraph opens. */
export const createSlashList = (): SuggestionList<BlockChoice> =>
  createSuggestionList({
    showsEmpty: true,
    find({ state: { selection } }) {
      const { $from } = selection
      const text = $from.parent.textContent
      const query = $from.parent.type.name === 'paragraph' ? /^\/(\S*)$/.exec(text)?.[1] : undefined
      return query === undefined || $from.parentOffset < text.length
        ? undefined
        : { from: $from.start(), to: $from.pos, query }
    },
    list: (query) => listBlockChoices().filter(({ title }) => title.toLowerCase().includes(query.toLowerCase())),
    insert(view, { run }, { from, to }) {
      view.dispatch(view.state.tr.delete(from, to))
      run(view.state, view.dispatch, view)
    },
  })
