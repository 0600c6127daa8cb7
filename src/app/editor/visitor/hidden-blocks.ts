import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { viewAsTexts as texts } from '../../screens/view-as/view-as-texts.ts'
import { readSelection } from '../read-selection.ts'

/** Returns whether a condition is true for the visitor. */
export type IsTrue = (expression: string) => boolean

interface HiddenBlocks {
  /** Undefined if all content is shown. */
  isTrue: IsTrue | undefined
  decorations: DecorationSet
}

const key = new PluginKey<HiddenBlocks>('hidden-blocks')

/** Dims conditional content that a visitor does not see. */
export const createHiddenBlocks = (): Plugin =>
  new Plugin<HiddenBlocks>({
    key,
    state: {
      init: () => ({ isTrue: undefined, decorations: DecorationSet.empty }),
      apply(tr, state) {
        const next = tr.getMeta(key) as { isTrue: IsTrue | undefined } | undefined
        if (!next && (!tr.docChanged || !state.isTrue)) return state
        const { isTrue } = next ?? state
        return { isTrue, decorations: isTrue ? draw(tr.doc, isTrue) : DecorationSet.empty }
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  })

/** Shows the content as a visitor sees it, or all content. */
export function showAsVisitor(view: EditorView, isTrue: IsTrue | undefined): void {
  if (isTrue === key.getState(view.state)?.isTrue) return
  readSelection(view)
  view.dispatch(view.state.tr.setMeta(key, { isTrue }).setMeta('addToHistory', false))
}

function draw(doc: Node, isTrue: IsTrue): DecorationSet {
  const decorations: Decoration[] = []
  doc.descendants((node, position) => {
    if (node.isTextblock) return false
    if (node.type.name !== 'if' || isTrue((node.attrs['data'] as { expression: string }).expression)) return true
    const attributes = { class: 'is-hidden-from-visitor', 'data-note': texts.blockHidden }
    decorations.push(Decoration.node(position, position + node.nodeSize, attributes))
    // Nested blocks are hidden, too.
    return false
  })
  return DecorationSet.create(doc, decorations)
}
