import type { EditorView } from 'prosemirror-view'
import type { findEmojiCode, findEmojiNames } from '../../content/markdown/emoji.ts'
import { nodeType } from './commands.ts'
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

/** Creates the list of emoji that a colon and the start of a name open: `:rock`. A second colon inserts the emoji. */
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
      // The next colon loads them again.
      () => (isLoading = false),
    )
  }
  const insert = (view: EditorView, name: string, { from, to }: { from: number; to: number }) => {
    const code = names?.findEmojiCode(name)
    if (code === undefined) return
    const emoji = nodeType('emoji').create({ data: { code } })
    view.dispatch(view.state.tr.replaceWith(from, to, emoji).scrollIntoView())
  }
  const suggestions = createSuggestionList<EmojiChoice>({
    showsEmpty: false,
    find(view) {
      const { $from } = view.state.selection
      if (!$from.parent.inlineContent || $from.parent.type.spec.code) return undefined
      const text = $from.parent.textBetween(Math.max(0, $from.parentOffset - 40), $from.parentOffset, '\n', '\n')
      const [typed, query = '', end] = /(?<![\w:]):([a-z][\w+-]*)(:?)$/.exec(text) ?? []
      if (typed === undefined || query.length < 2) return undefined
      const trigger = { from: $from.pos - typed.length, to: $from.pos, query }
      if (!names) load(view)
      else if (end === ':') insert(view, query, trigger)
      return end === ':' ? undefined : trigger
    },
    list: (query) =>
      (names?.findEmojiNames(query, maxChoices) ?? []).map(({ name, emoji }) => ({ title: name, emoji, name })),
    insert: (view, { name }, trigger) => insert(view, name, trigger),
  })
  return suggestions
}
