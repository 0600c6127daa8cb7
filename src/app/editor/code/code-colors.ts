import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { readSelection } from '../read-selection.ts'
import { findShownRange, isNearWindow } from './shown-range.ts'

/** A part of code with the class that published pages give it. */
export interface CodeToken {
  from: number
  to: number
  className: string
}

/** Highlights blocks of code; undefined for those that cannot be highlighted. */
export type HighlightCode = (
  codes: readonly { text: string; syntax: string }[],
) => Promise<readonly (readonly CodeToken[] | undefined)[]>

interface Colored {
  position: number
  node: Node
  tokens: readonly CodeToken[]
}

const key = new PluginKey<DecorationSet>('code-colors')
/** Code is highlighted this long after the last change, in milliseconds. */
const delay = 300
/** Maximum length of highlighted code in characters. */
const maxLength = 20_000
/** Code at this distance from the window is highlighted, too, in pixels. */
const margin = 600

const syntaxOf = ({ attrs }: Node): string => (attrs['data'] as { syntax?: string } | null)?.syntax ?? ''

const isHighlighted = (node: Node): boolean =>
  node.type.name === 'code_block' && syntaxOf(node) !== '' && node.content.size > 0 && node.content.size <= maxLength

/** Colors the visible code as published pages do: the server highlights it when typing pauses. */
export const createCodeColors = (highlight: HighlightCode): Plugin =>
  new Plugin({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const colored = tr.getMeta(key) as readonly Colored[] | undefined
        return (colored ?? []).reduce(
          (next, one) => addColors(next, tr.doc, one),
          tr.docChanged ? set.map(tr.mapping, tr.doc) : set,
        )
      },
    },
    props: { decorations: (state) => key.getState(state) },
    view: (view) => watchCode(view, highlight),
  })

function addColors(set: DecorationSet, doc: Node, { position, node, tokens }: Colored): DecorationSet {
  const start = position + 1
  const colors = tokens.map(({ from, to, className }) =>
    Decoration.inline(start + from, start + to, { class: className }),
  )
  return set.remove(set.find(start, start + node.content.size)).add(doc, colors)
}

/** Highlights code that is new or has changed. Nodes are immutable, so each is highlighted once. */
function watchCode(view: EditorView, highlight: HighlightCode) {
  const known = new WeakSet<Node>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void color(), delay)
  }
  const color = async () => {
    const nodes = findVisibleCode(view, known)
    if (nodes.length === 0) return
    for (const node of nodes) known.add(node)
    const found = await highlight(nodes.map((node) => ({ text: node.textContent, syntax: syntaxOf(node) })))
    if (view.isDestroyed) return
    readSelection(view)
    const tokensOf = new Map(nodes.map((node, index) => [node, found[index]]))
    const colored: Colored[] = []
    view.state.doc.descendants((node, position) => {
      const tokens = tokensOf.get(node)
      if (tokens) colored.push({ position, node, tokens })
      return !node.isTextblock
    })
    if (colored.length > 0) view.dispatch(view.state.tr.setMeta(key, colored).setMeta('addToHistory', false))
  }
  document.addEventListener('scroll', schedule, { capture: true, passive: true })
  schedule()
  return {
    update(_: EditorView, { doc }: EditorView['state']) {
      if (doc !== view.state.doc) schedule()
    },
    destroy() {
      clearTimeout(timer)
      document.removeEventListener('scroll', schedule, { capture: true })
    },
  }
}

function findVisibleCode(view: EditorView, known: WeakSet<Node>): Node[] {
  const nodes: Node[] = []
  const { from, to } = findShownRange(view, margin)
  view.state.doc.nodesBetween(from, to, (node, position) => {
    if (isHighlighted(node) && !known.has(node) && isNearWindow(view.nodeDOM(position), margin)) nodes.push(node)
    return !node.isTextblock
  })
  return nodes
}
