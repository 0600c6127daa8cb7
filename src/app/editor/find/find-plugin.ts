import { type EditorState, Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { type FindQuery, type Match, createFinder } from './find-matches.ts'

/** The search in the page. */
export interface FindState {
  matches: readonly Match[]
  /** Index of the selected match; -1 if there is none. */
  current: number
}

interface PluginState extends FindState {
  find: ReturnType<typeof createFinder>
  decorations: DecorationSet
}

type Action = { query: FindQuery } | { current: number }

const key = new PluginKey<PluginState>('find')
const noQuery: FindQuery = { text: '', isCaseSensitive: false, isWholeWord: false }

const draw = (state: EditorState, matches: readonly Match[], current: number): DecorationSet =>
  DecorationSet.create(
    state.doc,
    matches.map(({ from, to }, index) =>
      Decoration.inline(from, to, { class: index === current ? 'find-match is-current' : 'find-match' }),
    ),
  )

/** Returns the index of the first match at or after a position, or of the first one. */
const indexAfter = (matches: readonly Match[], position: number): number => {
  const index = matches.findIndex(({ from }) => from >= position)
  return index === -1 && matches.length > 0 ? 0 : index
}

/** Marks the matches of the search in the page. */
const createFind = (): Plugin =>
  new Plugin<PluginState>({
    key,
    state: {
      init: () => ({ find: createFinder(noQuery), matches: [], current: -1, decorations: DecorationSet.empty }),
      apply(tr, before, _, state) {
        const action = tr.getMeta(key) as Action | undefined
        if (action && 'query' in action)
          return update({ ...before, find: createFinder(action.query) }, state, tr.selection.from)
        if (action) return { ...before, ...action, decorations: draw(state, before.matches, action.current) }
        if (!tr.docChanged) return before
        const selected = before.matches[before.current]
        return update(before, state, selected ? tr.mapping.map(selected.from, 1) : tr.selection.from)
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  })

function update(before: PluginState, state: EditorState, position: number): PluginState {
  const matches = before.find(state.doc)
  const current = indexAfter(matches, position)
  return { ...before, matches, current, decorations: draw(state, matches, current) }
}

/** Adds the search to an editor, which is created without it. */
export function addFind(view: EditorView): void {
  if (key.get(view.state)) return
  view.updateState(view.state.reconfigure({ plugins: [...view.state.plugins, createFind()] }))
}

export const getFind = (state: EditorState): FindState => key.getState(state) ?? { matches: [], current: -1 }

/** Starts a search at the cursor and shows the first match. */
export function setQuery(view: EditorView, query: FindQuery): void {
  view.dispatch(view.state.tr.setMeta(key, { query }))
  showCurrent(view)
}

export const clearQuery = (view: EditorView): void => view.dispatch(view.state.tr.setMeta(key, { query: noQuery }))

/** Moves to the next or the previous match. */
export function goToMatch(view: EditorView, by: 1 | -1): void {
  const { matches, current } = getFind(view.state)
  if (matches.length === 0) return
  view.dispatch(view.state.tr.setMeta(key, { current: (current + by + matches.length) % matches.length }))
  showCurrent(view)
}

/** Selects the current match; the selection becomes visible when the editor gets the focus. */
function showCurrent(view: EditorView): void {
  const { matches, current } = getFind(view.state)
  const match = matches[current]
  if (!match) return
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, match.from, match.to)))
  const { node } = view.domAtPos(match.from)
  const element = node instanceof HTMLElement ? node : node.parentElement
  element?.scrollIntoView({ block: 'center' })
}

/** Replaces the current match and moves to the next one. */
export function replaceMatch(view: EditorView, text: string): void {
  const { matches, current } = getFind(view.state)
  const match = matches[current]
  if (!match) return
  view.dispatch(replaceIn(view.state.tr, match, text))
  showCurrent(view)
}

/** Replaces all matches, as one step of the undo history; returns their number. */
export function replaceAllMatches(view: EditorView, text: string): number {
  const { matches } = getFind(view.state)
  if (matches.length === 0) return 0
  view.dispatch(matches.toReversed().reduce((tr, match) => replaceIn(tr, match, text), view.state.tr))
  return matches.length
}

const replaceIn = (tr: EditorState['tr'], { from, to }: Match, text: string): EditorState['tr'] =>
  text === '' ? tr.delete(from, to) : tr.insertText(text, from, to)
