import { runWhenUsed } from '../ui/lazy.tsx'
import { type BlockChoice, listBlockChoices } from './insertions.ts'
import { type SuggestionList, createSuggestionList } from './suggestion-list.ts'

/** Finds blocks by other words, too; undefined until its module is loaded. */
let findByWords: ((choices: readonly BlockChoice[], query: string) => BlockChoice[]) | undefined

const loadWords = (): Promise<unknown> =>
  import('./block-words.ts').then(
    ({ findBlocks }) => (findByWords = findBlocks),
    () => undefined,
  )

const findByTitle = (choices: readonly BlockChoice[], query: string): BlockChoice[] =>
  choices.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))

/** Creates the list of blocks that opens after a slash in an empty paragraph. */
export function createSlashList(): SuggestionList<BlockChoice> {
  runWhenUsed(() => void loadWords())
  const slashList = createSuggestionList<BlockChoice>({
    // A path in a sentence is not a search.
    showsEmpty: (query) => !query.includes(' '),
    find({ state: { selection } }) {
      const { $from } = selection
      const text = $from.parent.textContent
      const query = $from.parent.type.name === 'paragraph' ? /^\/((?:\S.*)?)$/.exec(text)?.[1] : undefined
      return query === undefined || $from.parentOffset < text.length
        ? undefined
        : { from: $from.start(), to: $from.pos, query }
    },
    list: (query) => (findByWords ?? findByTitle)(listBlockChoices(), query),
    insert(view, { run }, { from, to }) {
      view.dispatch(view.state.tr.delete(from, to))
      run(view.state, view.dispatch, view)
    },
  })
  return {
    ...slashList,
    update(view) {
      slashList.update(view)
      if (slashList.state.value && !findByWords) void loadWords().then(() => view.isDestroyed || slashList.update(view))
    },
  }
}
