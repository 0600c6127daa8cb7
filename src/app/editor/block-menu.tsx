import { effect } from '@preact/signals'
import type { Node } from 'prosemirror-model'
import { NodeSelection, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useRef, useState } from 'preact/hooks'
import { appHref } from '../base-path.ts'
import { type CommentsState, setPanelOpen, startCommentOn } from '../screens/comments/comments-state.ts'
import { copyText } from '../ui/copy.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { useAction } from '../ui/use-action.ts'
import { keyOfNode } from './annotations/annotations.ts'
import { containerTexts } from './containers/container-texts.ts'
import { type Part, addPartAfter, deletePart, findPart, lastPart } from './containers/parts.ts'
import { editorTexts as texts } from './editor-texts.ts'
import { listBlockChoices } from './insertions.ts'
import { type FollowedRange, followRange } from './follow-range.ts'
import { isMenuOpen } from './open-menu.ts'
import type { VisualEditorModel } from './use-visual-editor.ts'

/** A block at the top level of the page. */
interface Target {
  position: number
  /** Distance of its element from the top of the editor. */
  top: number
  isText: boolean
  type: string
  isFirst: boolean
  isLast: boolean
  isCommented: boolean
}

const isSameTarget = (a: Target | undefined, b: Target): boolean =>
  a !== undefined && (Object.keys(b) as (keyof Target)[]).every((name) => a[name] === b[name])

interface BlockMenuProps {
  editor: VisualEditorModel
  /** Path of the screen. */
  path: string
  /** The comments beside the page, if the user may comment. */
  comments?: CommentsState
  /** Keys of blocks with comments. */
  commented: ReadonlySet<string>
}

/** Shows a button beside the block under the pointer or with the cursor, which moves, duplicates, changes and deletes it. */
export function BlockMenu({ editor, path, comments, commented }: BlockMenuProps) {
  const { getView, host, changes } = editor
  const [target, setTarget] = useState<Target>()
  const commentedKeys = useRef(commented)
  commentedKeys.current = commented
  const [copy] = useAction(editor.copyMarkdown)
  const [copyLink] = useAction(async (node: Node) => {
    const key = await editor.readKey(node)
    if (key !== undefined) await copyText(location.origin + appHref(`${path}#block-${key}`))
  })
  const [comment] = useAction(async (node: Node) => {
    const key = await editor.readKey(node)
    if (key === undefined || !comments) return
    if (commented.has(key)) {
      setPanelOpen(comments, true)
      comments.shown.value = key
    } else startCommentOn(comments, key, node.textContent)
  })
  /** The shown block, which may move while its menu is open. */
  const followed = useRef<FollowedRange>(undefined)
  const place = (position: number) => {
    const view = getView()
    if (isMenuOpen(host.current)) return
    const element = view?.nodeDOM(position)
    const root = host.current?.getBoundingClientRect()
    const node = view?.state.doc.nodeAt(position)
    if (!(element instanceof HTMLElement) || !root || !view || !node) return
    const next = {
      position,
      top: element.getBoundingClientRect().top - root.top,
      isText: node.isTextblock,
      type: node.type.name,
      isFirst: position === 0,
      isLast: position + node.nodeSize === view.state.doc.content.size,
      isCommented: commentedKeys.current.has(keyOfNode(node) ?? ''),
    }
    followed.current?.stop()
    followed.current = followRange(view, position, position + node.nodeSize)
    setTarget((shown) => (isSameTarget(shown, next) ? shown : next))
  }
  useEffect(() => {
    let frame = 0
    const stop = effect(() => {
      void changes.value
      cancelAnimationFrame(frame)
      // The frame computes the layout anyway.
      frame = requestAnimationFrame(() => {
        const $from = getView()?.state.selection.$from
        if ($from) place($from.depth === 0 ? $from.pos : $from.before(1))
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      stop()
      followed.current?.stop()
    }
  }, [])
  useEffect(() => {
    const element = host.current
    let last: MouseEvent | undefined
    const follow = (event: MouseEvent) => {
      const isSame = last?.clientX === event.clientX && last.clientY === event.clientY && last.target === event.target
      last = event
      // Browsers repeat the event after each layout, and finding the block takes long in long pages.
      if (isSame) return
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
  if (!target || !view) return null
  /** Runs an action with the block, unless it was deleted meanwhile. */
  const withBlock = (run: (node: Node, position: number) => unknown) => () => {
    const { from, to } = followed.current ?? { from: 0, to: 0 }
    const node = from < to ? view.state.doc.nodeAt(from) : null
    if (node) run(node, from)
  }
  return (
    <div
      class="block-menu"
      style={{ top: `${target.top}px` }}
      draggable
      onDragStart={(event) =>
        withBlock((node, position) => {
          const selection = NodeSelection.create(view.state.doc, position)
          view.dispatch(view.state.tr.setSelection(selection))
          event.dataTransfer?.setData('text/plain', node.textContent)
          view.dragging = { slice: selection.content(), move: true }
        })()
      }
    >
      <Menu
        label={texts.block}
        icon="grip-vertical"
        items={[
          ...(target.isText ? listBlockChoices().filter(({ isBeside }) => !isBeside) : []).map(
            ({ title, icon, run }) => ({
              title,
              icon,
              onSelect: withBlock((_, position) => {
                view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, position + 1)))
                run(view.state, view.dispatch, view)
                view.focus()
              }),
            }),
          ),
          ...listPartItems(target.type, (change) =>
            withBlock((node, position) => {
              const { tr, selection } = view.state
              view.dispatch(change(tr, findPart(selection.$from, position) ?? lastPart(node, position)))
              view.focus()
            }),
          ),
          !target.isFirst && {
            title: texts.moveUp,
            icon: 'chevron-up',
            startsGroup: true,
            onSelect: withBlock((_, position) => move(view, position, -1)),
          },
          !target.isLast && {
            title: texts.moveDown,
            icon: 'chevron-down',
            startsGroup: target.isFirst,
            onSelect: withBlock((_, position) => move(view, position, 1)),
          },
          {
            title: texts.copyLink,
            icon: 'link',
            startsGroup: true,
            onSelect: withBlock((node) => void copyLink(node)),
          },
          comments && {
            title: target.isCommented ? texts.showComments : texts.comment,
            icon: 'message',
            onSelect: withBlock((node) => void comment(node)),
          },
          {
            title: texts.makeReusable,
            icon: 'stack',
            onSelect: withBlock((_, position) => (editor.form.value = { kind: 'new-reusable', position })),
          },
          { title: texts.copyMarkdown, icon: 'markdown', onSelect: withBlock((node) => void copy(node)) },
          {
            title: texts.duplicate,
            icon: 'copy',
            onSelect: withBlock((node, position) => duplicate(view, position, node)),
          },
          {
            title: texts.delete,
            icon: 'trash',
            isDangerous: true,
            onSelect: withBlock((node, position) => {
              view.dispatch(view.state.tr.delete(position, position + node.nodeSize))
              view.focus()
            }),
          },
        ]}
      />
    </div>
  )
}

/** Returns the actions for the part of a block that has the cursor, or for its last one. */
function listPartItems(
  type: string,
  toAction: (change: (tr: Transaction, part: Part) => Transaction) => () => void,
): MenuItem[] {
  if (type !== 'stepper' && type !== 'columns') return []
  const { addStep, deleteStep, addColumn, deleteColumn } = containerTexts
  const [add, remove] = type === 'stepper' ? [addStep, deleteStep] : [addColumn, deleteColumn]
  return [
    { title: add, icon: 'plus', onSelect: toAction(addPartAfter) },
    { title: remove, icon: 'trash', onSelect: toAction(deletePart) },
  ]
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
  const { key: _, ...json } = (node.attrs['json'] ?? {}) as { key?: string }
  const attrs = node.type.name === 'protected_block' ? { json } : { ...node.attrs, key: null }
  view.dispatch(view.state.tr.insert(position + node.nodeSize, node.type.create(attrs, node.content, node.marks)))
  view.focus()
}
