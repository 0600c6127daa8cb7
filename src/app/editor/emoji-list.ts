import type { EditorView } from 'prosemirror-view'
import type { findEmojiCode, findEmojiNames } from '../../content/markdown/emoji.ts'
import { nodeType } from './schema.ts'
import { type SuggestionList, createSuggestionList } from './suggestion-list.ts'

interface EmojiChoice {
  title: string
  emoji: string
  name: string
}

/** The emoji and their names, which are loaded when the first colon is typed. */
interface EmojiNames {
  findEmojiCode: typeof findEmojiCode
  findEmojiNames: typeof findEmojiNames
}

/** Maximum number of emoji in the list. */
const maxChoices = 30

/**
 * Creates the list of emoji that opens after a colon and the start of a name: `:rock`. A second colon inserts the emoji with that
 * name.
 */
export function createEmojiList(): SuggestionList<EmojiChoice> {
  let names: EmojiNames | undefined
  let isLoading = false
  const load = (view: EditorView) => {
    if (isLoading) return
    isLoading = true
    import('../../content/markdown/emoji.ts').then(
      (loaded) => {
        names = loaded
        if (!view.isDestroyed) suggestions.update(view)
      },
      // They are loaded again at the next colon.
      () => (isLoading = false),
    )
  }
  const suggestions = createSuggestionList<EmojiChoice>({
    find(view) {
      const { $from } = view.state.selection
      const isCode = $from.parent.type.spec.code === true || $from.marks().some(({ type }) => type.name === 'code')
      if (!$from.parent.inlineContent || isCode) return undefined
      const text = $from.parent.textBetween(Math.max(0, $from.parentOffset - 40), $from.parentOffset, '\n', '\n')
      const [typed, query = ''] = /(?<![\w:`]):([a-z][\w+-]*)?$/.exec(text) ?? []
      if (typed === undefined) return undefined
      if (!names) load(view)
      return query.length < 2 ? undefined : { from: $from.pos - typed.length, to: $from.pos, query }
    },
    list: (query) =>
      (names?.findEmojiNames(query, maxChoices) ?? []).map(({ name, emoji }) => ({ title: name, emoji, name })),
    chooseByKey: (query, key) =>
      key === ':' && names?.findEmojiCode(query) !== undefined ? { title: query, emoji: '', name: query } : undefined,
    insert(view, { name }, { from, to }) {
      const code = names?.findEmojiCode(name)
      if (code === undefined) return
      const emoji = nodeType('emoji').create({ data: { code } })
      view.dispatch(view.state.tr.replaceWith(from, to, emoji).scrollIntoView())
    },
  })
  return suggestions
}
