import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin, PluginKey, type Selection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { colorOf, initialsOf } from '../../ui/avatar.tsx'
import type { BlockTools } from '../blocks/block-tools.ts'

/** Another person whose cursor is in a block of the page. */
export interface Other {
  block: string
  name: string
}

interface PluginState {
  others: readonly Other[]
  marks: DecorationSet
}

const key = new PluginKey<PluginState>('others')

/** Returns the key of the innermost stored block with the cursor. */
export function findBlock(selection: Selection, { keyOfNode }: BlockTools): string | undefined {
  const { $from } = selection
  let found = selection instanceof NodeSelection ? keyOfNode(selection.node) : undefined
  for (let { depth } = $from; found === undefined && depth > 0; depth--) found = keyOfNode($from.node(depth))
  return found
}

/** Marks the blocks with the cursors of other users, and removes earlier marks. */
export function showOthers(view: EditorView, others: readonly Other[], tools: BlockTools): void {
  const isShown = key.get(view.state) !== undefined
  // Most pages are edited by one person.
  if (others.length === 0 && !isShown) return
  tools.readSelection(view)
  if (!isShown)
    view.updateState(view.state.reconfigure({ plugins: [...view.state.plugins, createOtherCursors(tools)] }))
  view.dispatch(view.state.tr.setMeta(key, others).setMeta('addToHistory', false))
}

const createOtherCursors = (tools: BlockTools): Plugin<PluginState> =>
  new Plugin<PluginState>({
    key,
    state: {
      init: () => ({ others: [], marks: DecorationSet.empty }),
      apply(tr, former) {
        const others = tr.getMeta(key) as readonly Other[] | undefined
        if (others) return { others, marks: draw(tr.doc, others, tools) }
        if (!tr.docChanged) return former
        const marks = former.marks.map(tr.mapping, tr.doc)
        // Blocks get their keys when they are saved, and content of others replaces blocks.
        const isComplete = marks.find().length >= new Set(former.others.map(({ block }) => block)).size
        return { others: former.others, marks: isComplete ? marks : draw(tr.doc, former.others, tools) }
      },
    },
    props: { decorations: (state) => key.getState(state)?.marks },
  })

function draw(doc: Node, others: readonly Other[], { keyOfNode }: BlockTools): DecorationSet {
  const names = new Map<string, string[]>()
  for (const { block, name } of others) names.set(block, [...(names.get(block) ?? []), name])
  if (names.size === 0) return DecorationSet.empty
  const decorations: Decoration[] = []
  doc.descendants((node, position) => {
    const here = node.isBlock ? names.get(keyOfNode(node) ?? '') : undefined
    const [first] = here ?? []
    if (here && first !== undefined)
      decorations.push(
        Decoration.node(position, position + node.nodeSize, {
          class: `has-others avatar-${colorOf(first)}`,
          'data-others': here.map(initialsOf).join(' '),
          title: here.join(', '),
        }),
      )
    return !node.isTextblock
  })
  return DecorationSet.create(doc, decorations)
}
