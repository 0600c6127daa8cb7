import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { fillText } from '../../../texts.ts'
import { joinClasses } from '../../../ui/classes.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { IconName } from '../../../ui/icons.ts'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { type PageRow, toPageRows } from '../../space/page-rows.ts'
import { handleTreeKey } from '../../space/tree-keys.ts'
import { RenameField, useDropTarget } from '../../space/tree-row.tsx'
import { type SiteDrop, type SiteItem, type SiteNode, findLineage } from './site-tree.ts'
import { structureTexts as texts } from './structure-texts.ts'
import { isPending } from './tree-edits.ts'

type Direction = 'up' | 'down' | 'in' | 'out'

interface StructureTreeProps {
  nodes: readonly SiteNode[]
  selected: string | undefined
  onSelect: (id: string) => void
  onRename: (item: SiteItem, title: string) => void
  onRemove: (item: SiteItem) => void
  onMove: (item: SiteItem, direction: Direction) => void
  onDrop: (item: SiteItem, drop: SiteDrop) => void
  listItems: (node: SiteNode, rename: () => void) => readonly MenuItem[]
}

const icons: Record<SiteItem['object'], IconName> = {
  'site-section': 'book',
  'site-section-group': 'folder',
  'site-space': 'file-text',
  'site-external-link': 'external-link',
}

/**
 * The sections, groups, links and spaces of a site in the order that readers see, with the same keys and dragging as the tree of
 * pages.
 */
export function StructureTree(props: StructureTreeProps) {
  const { nodes, selected, onSelect, onRename, onRemove, onMove, onDrop, listItems } = props
  const closed = useSignal<ReadonlySet<string>>(new Set())
  const renamed = useSignal<string | undefined>(undefined)
  const dragged = useRef<string | undefined>(undefined)
  const tree = useRef<HTMLDivElement>(null)
  const focused = useRef<string | undefined>(undefined)
  // An element that is moved in the document loses the focus; the row gets it back, unless it is elsewhere.
  useEffect(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return
    tree.current?.querySelector<HTMLElement>(`[data-tree-id="${CSS.escape(focused.current)}"]`)?.focus()
  }, [nodes])
  const isOpen = (id: string) => !closed.value.has(id)
  const rows = toPageRows(nodes, isOpen)
  const toggle = (id: string) => {
    const next = new Set(closed.value)
    if (!next.delete(id)) next.add(id)
    closed.value = next
  }
  const tabStop = rows.some(({ page }) => page.id === selected) ? selected : rows[0]?.page.id
  return (
    <div
      ref={tree}
      class="site-tree"
      role="tree"
      aria-label={texts.tree}
      onFocusIn={({ target }) => {
        focused.current = target instanceof HTMLElement ? target.dataset['treeId'] : undefined
      }}
      onKeyDown={(event) =>
        handleTreeKey(event, rows, {
          isOpen,
          toggle,
          rename: ({ page }) => (renamed.value = isPending(page) ? undefined : page.id),
          remove: ({ page }) => onRemove(page.item),
          move: ({ page }, direction) => onMove(page.item, direction),
        })
      }
    >
      {rows.map((row) => (
        <StructureRow
          key={row.page.id}
          row={row}
          isSelected={row.page.id === selected}
          isTabStop={row.page.id === tabStop}
          isOpen={isOpen(row.page.id)}
          isRenamed={renamed.value === row.page.id}
          items={listItems(row.page, () => (renamed.value = row.page.id))}
          onSelect={() => onSelect(row.page.id)}
          onToggle={() => toggle(row.page.id)}
          onRename={(title) => {
            renamed.value = undefined
            const trimmed = title?.trim()
            if (trimmed && trimmed !== row.page.title) onRename(row.page.item, trimmed)
          }}
          onDragStart={() => (dragged.current = row.page.id)}
          onDrop={(drop) => {
            const node = findLineage(nodes, dragged.current ?? '').at(-1)
            if (node) onDrop(node.item, drop)
          }}
        />
      ))}
    </div>
  )
}

interface StructureRowProps {
  row: PageRow<SiteNode>
  isSelected: boolean
  isTabStop: boolean
  isOpen: boolean
  isRenamed: boolean
  items: readonly MenuItem[]
  onSelect: () => void
  onToggle: () => void
  onRename: (title: string | undefined) => void
  onDragStart: () => void
  onDrop: (drop: SiteDrop) => void
}

function StructureRow(props: StructureRowProps) {
  const { row, isSelected, isTabStop, isOpen, isRenamed, items, onSelect, onToggle, onRename } = props
  const { page, depth, hasChildren, position, siblings } = row
  const { dropPosition, dragAttributes } = useDropTarget({ ...props, canMove: true })
  const facts = describeFacts(page.item)
  return (
    <div
      class={joinClasses(
        'tree-row',
        'site-tree-row',
        isSelected && 'is-current',
        dropPosition && `drop-${dropPosition}`,
      )}
      role="treeitem"
      data-tree-id={page.id}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={[page.title, ...facts].join(' ')}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isSelected}
      aria-busy={isPending(page)}
      style={{ paddingInlineStart: `${depth * 20}px` }}
      {...dragAttributes}
    >
      <button
        type="button"
        class="tree-toggle"
        tabIndex={-1}
        aria-label={fillText(texts.toggle, { title: page.title })}
        style={{ visibility: hasChildren ? 'visible' : 'hidden' }}
        onClick={onToggle}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
      </button>
      {isRenamed ? (
        <RenameField title={page.title} onDone={onRename} />
      ) : (
        <a
          class="sidebar-link"
          href={`?item=${page.id}`}
          tabIndex={-1}
          draggable
          onClick={(event) => {
            event.preventDefault()
            onSelect()
          }}
        >
          <Icon name={icons[page.item.object]} size={16} />
          <span>{page.title}</span> {facts.length > 0 && <span class="site-tree-facts">{facts.join(' ')}</span>}
        </a>
      )}
      {!isRenamed && !isPending(page) && (
        <span class="tree-menu">
          <Menu icon="dots" label={fillText(texts.actions, { title: page.title })} items={items} isTabStop={false} />
        </span>
      )}
    </div>
  )
}

/** Describes the properties of an item that readers notice: its path, and whether it is the default or hidden. */
function describeFacts(item: SiteItem): string[] {
  return [
    ...('default' in item && item.default ? [texts.isDefault] : []),
    ...(item.draft ? [texts.hidden] : []),
    ...('hidden' in item && item.hidden ? [texts.unlisted] : []),
    ...('path' in item ? [`/${item.path}`] : []),
  ]
}
