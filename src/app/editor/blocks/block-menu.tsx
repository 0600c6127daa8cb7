import { effect } from '@preact/signals'
import type { Node } from 'prosemirror-model'
import { type Command, NodeSelection, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useRef, useState } from 'preact/hooks'
import { appHref } from '../../base-path.ts'
import { type CommentsState, setPanelOpen, startCommentOn } from '../../screens/comments/comments-state.ts'
import { copyText } from '../../ui/copy.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMedia } from '../../ui/use-media.ts'
import type { Part } from '../containers/parts.ts'
import type { FollowedRange } from '../follow-range.ts'
import type { VisualEditorModel } from '../use-visual-editor.ts'
import { BlockBar } from './block-bar.tsx'
import { nameBlock } from './block-names.ts'
import { blockTexts } from './block-texts.ts'
import { canMoveBlock, deleteBlock, listBlocksAt, moveBlock } from './block-places.ts'
import type { BlockTools } from './block-tools.ts'
import { duplicateBlock, findText, insertAfter, isItem, toWholeBlock } from './edit-block.ts'
import { findBlockAt } from './find-block-at.ts'

/** The innermost block under the pointer or with the cursor. */
interface Target {
  position: number
  /** Side of the block at which its text starts. */
  side: 'left' | 'right'
  /** Distances of its handle from the top and this side of the editor, in pixels. */
  top: number
  start: number
  /** Context that the entries of the menu depend on. */
  entries: string
}

const isSameTarget = (a: Target | undefined, b: Target): boolean =>
  a?.position === b.position && a.side === b.side && a.top === b.top && a.start === b.start && a.entries === b.entries

interface BlockMenuProps {
  editor: VisualEditorModel
  tools: BlockTools
  /** Path of the screen. */
  path: string
  /** The comments beside the page, if the user may comment. */
  comments?: CommentsState
  /** Keys of blocks with comments. */
  commented: ReadonlySet<string>
}

/** Shows a handle with a menu beside the block under the pointer or with the cursor; on phones, a bar for the block with the cursor. */
export function BlockMenu({ editor, tools, path, comments, commented }: BlockMenuProps) {
  const { getView, host, changes } = editor
  const { editorTexts: texts } = tools
  const isTouch = useMedia('(max-width: 48rem), (pointer: coarse)')
  const [target, setTarget] = useState<Target>()
  /** Number of the chosen container of the target, from the outermost one; undefined for the target itself. */
  const [level, setLevel] = useState<number>()
  const [copy] = useAction(editor.copyMarkdown)
  const [copyLink] = useAction((node: Node) =>
    copyText(editor.readKey(node).then((key) => location.origin + appHref(`${path}#block-${key}`))),
  )
  const [comment] = useAction(async (node: Node) => {
    const key = await editor.readKey(node)
    if (!comments) return
    if (commented.has(key)) {
      setPanelOpen(comments, true)
      comments.shown.value = key
    } else startCommentOn(comments, key, node.textContent)
  })
  /** The target, which may move while its menu is open. */
  const followed = useRef<FollowedRange>(undefined)
  /** Whether the pointer was moved after the last key or click. */
  const isPointed = useRef(false)
  const place = (position: number | undefined) => {
    const view = getView()
    if (tools.isMenuOpen(host.current) || !view || position === undefined) return
    const next = measure(view, host.current, position)
    const node = view.state.doc.nodeAt(position)
    if (!next || !node) return
    followed.current?.stop()
    followed.current = tools.followRange(view, position, position + node.nodeSize)
    setLevel(undefined)
    setTarget((shown) => (isSameTarget(shown, next) ? shown : next))
  }
  useEffect(() => {
    let frame = 0
    const stop = effect(() => {
      void changes.value
      cancelAnimationFrame(frame)
      // The frame computes the layout in any case.
      frame = requestAnimationFrame(() => {
        const $from = getView()?.state.selection.$from
        const { from, to } = followed.current ?? { from: 0, to: 0 }
        // A save or a change by another person does not move the handle away from the pointer.
        if (isPointed.current && from < to) place(from)
        else if ($from) place(listBlocksAt($from).at(-1))
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
    if (isTouch) return
    let last: MouseEvent | undefined
    const follow = (event: MouseEvent) => {
      const isSame = last?.clientX === event.clientX && last.clientY === event.clientY && last.target === event.target
      last = event
      // Browsers repeat the event after each layout, and finding the block takes long in long pages. While a button is pressed,
      // the pointer drags or selects.
      const view = isSame || event.buttons !== 0 ? undefined : getView()
      if (!view) return
      isPointed.current = true
      place(findBlockAt(view, { left: event.clientX, top: event.clientY }))
    }
    const stopFollowing = () => {
      isPointed.current = false
    }
    element?.addEventListener('mousemove', follow)
    element?.addEventListener('keydown', stopFollowing, true)
    element?.addEventListener('pointerdown', stopFollowing, true)
    return () => {
      element?.removeEventListener('mousemove', follow)
      element?.removeEventListener('keydown', stopFollowing, true)
      element?.removeEventListener('pointerdown', stopFollowing, true)
    }
  }, [isTouch])
  const view = getView()
  if (!target || !view) return null
  /** Returns the blocks from the outermost one to the target, and the chosen one. */
  const find = () => {
    const { from, to } = followed.current ?? { from: 0, to: 0 }
    const levels = from < to ? listBlocksAt(view.state.doc.resolve(from)) : []
    const position = levels[level ?? levels.length - 1]
    const node = position === undefined ? null : view.state.doc.nodeAt(position)
    return { levels, position, node }
  }
  /** Runs an action with the block, unless it has been deleted in the meantime. */
  const withBlock = (run: (node: Node, position: number) => unknown) => () => {
    const { node, position } = find()
    if (node && position !== undefined) run(node, position)
  }
  const change = (edit: (tr: Transaction, position: number) => Transaction) =>
    withBlock((_, position) => {
      isPointed.current = false
      // Lists that are opened by typing need the focus.
      view.focus()
      view.dispatch(edit(view.state.tr, position))
    })
  const { levels, position, node } = find()
  if (!node || position === undefined) return null
  const { doc } = view.state
  const isCommented = commented.has(tools.keyOfNode(node) ?? '')
  const [canMoveUp, canMoveDown] = [canMoveBlock(doc, position, -1), canMoveBlock(doc, position, 1)]
  const container = findPartsBlock(doc, position)
  const items: (MenuItem | false | undefined)[] = [
    ...listLevelItems(view, levels, { chosen: position, tools, onChoose: setLevel }),
    {
      title: blockTexts.insertBelow,
      icon: 'plus',
      startsGroup: levels.length > 1,
      onSelect: change(insertAfter),
    },
    canMoveUp && {
      title: texts.moveUp,
      icon: 'chevron-up',
      onSelect: change((tr, at) => moveBlock(tr, at, -1)),
    },
    canMoveDown && {
      title: texts.moveDown,
      icon: 'chevron-down',
      onSelect: change((tr, at) => moveBlock(tr, at, 1)),
    },
    { title: texts.duplicate, icon: 'copy', onSelect: change(duplicateBlock) },
    { title: texts.delete, icon: 'trash', isDangerous: true, onSelect: change(deleteBlock) },
    ...listPartItems(container?.block.type.name, tools, (edit) =>
      withBlock((_, at) => {
        const { selection, tr, doc: shown } = view.state
        const block = findPartsBlock(shown, at)
        if (!block) return
        const part = tools.findPart(shown.resolve(at), block.at) ?? tools.findPart(selection.$from, block.at)
        view.dispatch(edit(tr, part ?? tools.lastPart(block.block, block.at)))
        view.focus()
      }),
    ),
    ...(findText(node, position) === undefined ? [] : tools.listBlockChoices().filter(({ isBeside }) => !isBeside)).map(
      ({ title, icon, run }, index) => ({
        title,
        icon,
        ...(index === 0 && { startsGroup: true, groupTitle: blockTexts.turnInto }),
        onSelect: withBlock((block, at) => {
          turnInto(view, block, at, index === 0 && isItem(block) ? tools.outdentItem : run)
          view.focus()
        }),
      }),
    ),
    {
      title: blockTexts.copyLink,
      icon: 'link',
      startsGroup: true,
      onSelect: withBlock((block) => void copyLink(block)),
    },
    comments && {
      title: isCommented ? blockTexts.showComments : blockTexts.comment,
      icon: 'message',
      onSelect: withBlock((block) => void comment(block)),
    },
    !isItem(node) && {
      title: blockTexts.makeReusable,
      icon: 'stack',
      onSelect: withBlock((_, at) => (editor.form.value = { kind: 'new-reusable', position: at })),
    },
    {
      title: texts.copyMarkdown,
      icon: 'markdown',
      onSelect: withBlock((_, at) => void copy(toWholeBlock(view.state.doc, at))),
    },
  ]
  const menu = <Menu label={texts.block} icon="grip-vertical" items={items} />
  if (isTouch)
    return (
      <BlockBar
        menu={menu}
        editor={editor}
        tools={tools}
        view={view}
        onInsert={change(insertAfter)}
        onMoveUp={canMoveUp && change((tr, at) => moveBlock(tr, at, -1))}
        onMoveDown={canMoveDown && change((tr, at) => moveBlock(tr, at, 1))}
      />
    )
  return (
    <div
      class={`block-menu is-${target.side}`}
      style={{ top: `${target.top}px`, [target.side]: `calc(${target.start}px - 2rem)` }}
      draggable
      onKeyDown={(event) => {
        const key = event.key.toLowerCase()
        if (!(event.ctrlKey || event.metaKey) || (key !== 'z' && key !== 'y')) return
        // The browser would revert typed text without the rest of the changes.
        event.preventDefault()
        view.focus()
        const command = key === 'y' || event.shiftKey ? tools.redo : tools.undo
        command(view.state, view.dispatch, view)
      }}
      onDragStart={(event) =>
        withBlock((block, at) => {
          const selection = NodeSelection.create(view.state.doc, at)
          view.dispatch(view.state.tr.setSelection(selection))
          event.dataTransfer?.setData('text/plain', block.textContent)
          view.dragging = { slice: selection.content(), move: true }
        })()
      }
    >
      {menu}
    </div>
  )
}

/** Returns where the handle of a block is: beside the page, or beside the column that contains the block. */
function measure(view: EditorView, host: HTMLElement | null, position: number): Target | undefined {
  const element = view.nodeDOM(position)
  const root = host?.getBoundingClientRect()
  if (!(element instanceof HTMLElement) || !root) return undefined
  const column = element.parentElement?.closest('.column')?.getBoundingClientRect() ?? root
  const isRightToLeft = getComputedStyle(element).direction === 'rtl'
  return {
    position,
    side: isRightToLeft ? 'right' : 'left',
    top: element.getBoundingClientRect().top - root.top,
    entries: describeEntries(view.state.doc, position),
    start: isRightToLeft ? root.right - column.right : column.left - root.left,
  }
}

const describeEntries = (doc: Node, position: number): string => {
  const names = listBlocksAt(doc.resolve(position)).map((at) => doc.nodeAt(at)?.type.name)
  return [...names, canMoveBlock(doc, position, -1), canMoveBlock(doc, position, 1)].join()
}

/** Converts a block, or all selected blocks if it is one of them, to another block. */
function turnInto(view: EditorView, node: Node, position: number, command: Command): void {
  const { selection, tr, doc } = view.state
  const isSelected = !selection.empty && selection.from < position + node.nodeSize && selection.to > position
  if (!isSelected) view.dispatch(tr.setSelection(TextSelection.create(doc, findText(node, position) ?? position)))
  command(view.state, view.dispatch, view)
}

/** Returns entries that choose a container of the block instead of the block. */
function listLevelItems(
  { state: { doc } }: EditorView,
  levels: readonly number[],
  { chosen, tools, onChoose }: { chosen: number; tools: BlockTools; onChoose: (level: number) => void },
): MenuItem[] {
  if (levels.length < 2) return []
  return levels.map((position, level) => {
    const node = doc.nodeAt(position)
    const title = node ? nameBlock(node, tools) : ''
    return {
      title,
      isChecked: position === chosen,
      keepsOpen: true,
      onSelect: () => onChoose(level),
      ...(level === 0 && { groupTitle: blockTexts.appliesTo }),
    }
  })
}

/** Returns the innermost block of steps or columns that contains a block, or the block itself. */
function findPartsBlock(doc: Node, position: number): { at: number; block: Node } | undefined {
  return listBlocksAt(doc.resolve(position))
    .flatMap((at) => {
      const block = doc.nodeAt(at)
      return block?.type.name === 'stepper' || block?.type.name === 'columns' ? [{ at, block }] : []
    })
    .at(-1)
}

/** Returns the actions for the part of a block that has the cursor, or for its last one. */
function listPartItems(
  type: string | undefined,
  { containerTexts, addPartAfter, deletePart }: BlockTools,
  toAction: (change: (tr: Transaction, part: Part) => Transaction) => () => void,
): MenuItem[] {
  if (type === undefined) return []
  const { addStep, deleteStep, addColumn, deleteColumn } = containerTexts
  const [add, remove] = type === 'stepper' ? [addStep, deleteStep] : [addColumn, deleteColumn]
  return [
    { title: add, icon: 'plus', startsGroup: true, onSelect: toAction(addPartAfter) },
    { title: remove, icon: 'trash', onSelect: toAction(deletePart) },
  ]
}
