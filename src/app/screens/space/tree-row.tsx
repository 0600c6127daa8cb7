import { useState } from 'preact/hooks'
import { fillText } from '../../texts.ts'
import { joinClasses } from '../../ui/classes.ts'
import { ContentIcon } from '../../ui/content-icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { PageRow, TreeNode } from './page-rows.ts'
import type { DropTarget } from './tree-moves.ts'
import { treeTexts } from './tree-texts.ts'

interface TreeRowProps {
  row: PageRow
  href: string
  isCurrent: boolean
  isOpen: boolean
  /** Whether the Tab key reaches this row; only one row of the tree can be reached. */
  isTabStop: boolean
  isRenamed: boolean
  onToggle: () => void
  onRename: (title: string | undefined) => void
  /** Actions of the page; empty if the user may not change it. */
  items: readonly MenuItem[]
  canMove: boolean
  onDragStart: () => void
  onDrop: (target: DropTarget) => void
}

/** A page in the tree. */
export function TreeRow(props: TreeRowProps) {
  const { row, href, isCurrent, isOpen, isTabStop, isRenamed, onToggle, onRename, items } = props
  const { page, depth, hasChildren, position, siblings } = row
  const { dropPosition, dragAttributes } = useDropTarget(props)
  const isHidden = page.hidden === true
  const icon = page.type === 'link' ? 'external-link' : page.type === 'computed' ? 'bolt' : undefined
  const indent = { paddingInlineStart: `${depth * 16}px` }
  const label = page.linkTitle ?? page.title
  return (
    <div
      class={joinClasses('tree-row', isCurrent && 'is-current', dropPosition && `drop-${dropPosition}`)}
      role="treeitem"
      data-tree-id={page.id}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={isHidden ? `${label}, ${treeTexts.hidden}` : label}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      style={indent}
      {...dragAttributes}
    >
      <button
        type="button"
        class="tree-toggle"
        tabIndex={-1}
        aria-label={fillText(treeTexts.toggle, { title: label })}
        style={hasChildren ? undefined : { visibility: 'hidden' }}
        onClick={onToggle}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
      </button>
      {isRenamed ? (
        <RenameField title={page.title} onDone={onRename} />
      ) : (
        <a
          class={joinClasses('sidebar-link', page.type === 'group' && 'tree-group')}
          href={page.type === 'group' ? undefined : href}
          tabIndex={-1}
          draggable={props.canMove}
          onClick={page.type === 'group' ? onToggle : undefined}
        >
          <ContentIcon emoji={page.emoji} icon={page.icon} />
          {icon && <Icon name={icon} size={14} />}
          <span>{label}</span>
          {isHidden && (
            <span class="tree-hidden" title={treeTexts.hidden}>
              <Icon name="eye-off" size={14} />
            </span>
          )}
        </a>
      )}
      {items.length > 0 && !isRenamed && (
        <span class="tree-menu">
          <Menu icon="dots" label={fillText(treeTexts.actions, { title: label })} items={items} isTabStop={false} />
        </span>
      )}
    </div>
  )
}

/** Field for a new title; Escape keeps the old one. */
export function RenameField({ title, onDone }: { title: string; onDone: (title: string | undefined) => void }) {
  const [value, setValue] = useState(title)
  return (
    <input
      class="tree-rename"
      aria-label={treeTexts.title}
      value={value}
      maxLength={1000}
      ref={(input) => {
        if (input && document.activeElement !== input) {
          input.focus()
          input.select()
        }
      }}
      onInput={(event) => setValue(event.currentTarget.value)}
      onBlur={() => onDone(value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') onDone(value)
        if (event.key === 'Escape') onDone(undefined)
      }}
    />
  )
}

interface DropProps {
  row: PageRow<TreeNode>
  canMove: boolean
  onDragStart: () => void
  onDrop: (target: DropTarget) => void
}

/** Shows where a dragged page would be dropped: above, below, or inside this row. */
export function useDropTarget({ row, canMove, onDragStart, onDrop }: DropProps) {
  const [dropPosition, setDropPosition] = useState<DropTarget['position'] | undefined>()
  const { id } = row.page
  if (!canMove) return { dropPosition: undefined, dragAttributes: {} }
  return {
    dropPosition,
    dragAttributes: {
      onDragStart: (event: DragEvent) => {
        event.dataTransfer?.setData('text/plain', row.page.title)
        onDragStart()
      },
      onDragOver: (event: DragEvent & { currentTarget: HTMLElement }) => {
        event.preventDefault()
        setDropPosition(findDropPosition(event))
      },
      onDragLeave: () => setDropPosition(undefined),
      onDrop: (event: DragEvent & { currentTarget: HTMLElement }) => {
        event.preventDefault()
        setDropPosition(undefined)
        onDrop({ page: id, position: findDropPosition(event) })
      },
    },
  }
}

/** Fraction of the height of a row, at its top and bottom, in which a page is dropped beside the row. */
const edge = 0.28

function findDropPosition({
  clientY,
  currentTarget,
}: DragEvent & { currentTarget: HTMLElement }): DropTarget['position'] {
  const { top, height } = currentTarget.getBoundingClientRect()
  const share = (clientY - top) / height
  return share < edge ? 'before' : share > 1 - edge ? 'after' : 'inside'
}
