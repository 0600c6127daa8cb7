import type { Node } from 'prosemirror-model'
import { NodeSelection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useState } from 'preact/hooks'
import { Menu } from '../ui/menu.tsx'
import { useAction } from '../ui/use-action.ts'
import { editorTexts as texts } from './editor-texts.ts'
import { listBlockChoices } from './insertions.ts'
import type { VisualEditorModel } from './use-visual-editor.ts'

/** A block at the top level of the page, and the distance of its element from the top of the editor. */
interface Target {
  position: number
  top: number
}

/** Shows a button beside the block under the pointer or with the cursor, which moves, duplicates, changes and deletes it. */
export function BlockMenu({ editor }: { editor: VisualEditorModel }) {
  const { getView, host, changes } = editor
  const [target, setTarget] = useState<Target>()
  const [copy] = useAction(editor.copyMarkdown)
  const place = (position: number) => {
    const view = getView()
    const element = view?.nodeDOM(position)
    const root = host.current?.getBoundingClientRect()
    if (element instanceof HTMLElement && root)
      setTarget({ position, top: element.getBoundingClientRect().top - root.top })
  }
  useEffect(() => {
    const view = getView()
    if (!view) return
    const { $from } = view.state.selection
    place($from.depth === 0 ? $from.pos : $from.before(1))
  }, [changes.value])
  useEffect(() => {
    const element = host.current
    const follow = (event: MouseEvent) => {
      const view = getView()
      const found = view?.posAtCoords({ left: event.clientX, top: event.clientY })
      if (!view || !found) return
      const $at = view.state.doc.resolve(found.inside < 0 ? found.pos : found.inside)
      place($at.depth === 0 ? $at.pos : $at.before(1))
    }
    element?.addEventListener('mousemove', follow)
    return () => element?.removeEventListener('mousemove', follow)
  }, [])
  const view = getView()
  const node =
    target && view && target.position < view.state.doc.content.size ? view.state.doc.nodeAt(target.position) : null
  if (!target || !view || !node) return null
  const { position } = target
  const index = view.state.doc.resolve(position).index()
  return (
    <div
      class="block-menu"
      style={{ top: `${target.top}px` }}
      draggable
      onDragStart={(event) => {
        const selection = NodeSelection.create(view.state.doc, position)
        view.dispatch(view.state.tr.setSelection(selection))
        event.dataTransfer?.setData('text/plain', node.textContent)
        view.dragging = { slice: selection.content(), move: true }
      }}
    >
      <Menu
        label={texts.block}
        icon="grip-vertical"
        items={[
          ...(node.isTextblock ? listBlockChoices() : []).map(({ title, icon, run }) => ({
            title,
            icon,
            onSelect: () => {
              view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, position + 1)))
              run(view.state, view.dispatch, view)
              view.focus()
            },
          })),
          index > 0 && {
            title: texts.moveUp,
            icon: 'chevron-up',
            startsGroup: true,
            onSelect: () => move(view, position, -1),
          },
          index < view.state.doc.childCount - 1 && {
            title: texts.moveDown,
            icon: 'chevron-down',
            onSelect: () => move(view, position, 1),
          },
          { title: texts.copyMarkdown, icon: 'markdown', onSelect: () => void copy(node) },
          { title: texts.duplicate, icon: 'copy', onSelect: () => duplicate(view, position, node) },
          {
            title: texts.delete,
            icon: 'trash',
            isDangerous: true,
            onSelect: () => {
              view.dispatch(view.state.tr.delete(position, position + node.nodeSize))
              view.focus()
            },
          },
        ]}
      />
    </div>
  )
}

/** Exchanges a block with the one before or after it. */
function move(view: EditorView, position: number, by: -1 | 1): void {
  const { doc, tr } = view.state
  const node = doc.nodeAt(position)
  const other = doc.maybeChild(doc.resolve(position).index() + by)
  if (!node || !other) return
  const target = by < 0 ? position - other.nodeSize : position + other.nodeSize
  view.dispatch(
    tr
      .delete(position, position + node.nodeSize)
      .insert(target, node)
      .scrollIntoView(),
  )
  view.focus()
}

/** Inserts a copy of a block after it. */
function duplicate(view: EditorView, position: number, node: Node): void {
  // A block with the same key would be taken for the same block.
  const attrs = 'key' in node.attrs ? { ...node.attrs, key: null } : node.attrs
  view.dispatch(view.state.tr.insert(position + node.nodeSize, node.type.create(attrs, node.content, node.marks)))
  view.focus()
}
