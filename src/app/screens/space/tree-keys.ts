import type { PageRow, TreeNode } from './page-rows.ts'

interface TreeKeyActions<Page extends TreeNode> {
  isOpen: (id: string) => boolean
  toggle: (id: string) => void
  /** Renders a row that is not in view, and moves the focus to it; undefined if all rows are rendered. */
  reveal?: (row: PageRow<Page>) => void
  /** Undefined if the user may not change the tree. */
  rename?: (row: PageRow<Page>) => void
  remove?: (row: PageRow<Page>) => void
  move?: (row: PageRow<Page>, direction: 'up' | 'down' | 'in' | 'out') => void
}

const moves = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' } as const

/** Handles the keys of a tree: arrows move the focus, and with Alt the page; Enter opens, F2 renames, Delete deletes. */
export function handleTreeKey<Page extends TreeNode>(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  rows: readonly PageRow<Page>[],
  actions: TreeKeyActions<Page>,
): void {
  const element = findRowElement(event.target)
  const index = rows.findIndex(({ page }) => page.id === element?.dataset['treeId'])
  const row = rows[index]
  if (!row) return
  const { key } = event
  if (event.altKey) {
    const direction = moves[key as keyof typeof moves]
    if (!direction || !actions.move) return
    event.preventDefault()
    return actions.move(row, direction)
  }
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  const target = findTargetRow(key, rows, index, actions.isOpen)
  if (target) {
    if (!focusRow(event.currentTarget, target.page.id)) actions.reveal?.(target)
  } else if (key === 'Enter') element?.querySelector('a')?.click()
  else if (key === 'ArrowRight' && row.hasChildren && !actions.isOpen(row.page.id)) actions.toggle(row.page.id)
  else if (key === 'ArrowLeft' && row.hasChildren && actions.isOpen(row.page.id)) actions.toggle(row.page.id)
  else if (key === 'F2') actions.rename?.(row)
  else if (key === 'Delete') actions.remove?.(row)
  else return
  event.preventDefault()
}

/**
 * Returns the element of the row that has the focus, or whose link has it after a click. Other controls handle their keys
 * themselves.
 */
const findRowElement = (target: EventTarget | null): HTMLElement | null =>
  target instanceof HTMLElement && target.matches('[data-tree-id], [data-tree-id] > a')
    ? target.closest<HTMLElement>('[data-tree-id]')
    : null

/** Returns the row that gets the focus; undefined if the key opens, closes or changes a page. */
function findTargetRow<Page extends TreeNode>(
  key: string,
  rows: readonly PageRow<Page>[],
  index: number,
  isOpen: (id: string) => boolean,
): PageRow<Page> | undefined {
  const row = rows[index] as PageRow<Page>
  const isOpenBranch = row.hasChildren && isOpen(row.page.id)
  if (key === 'ArrowDown') return rows[index + 1]
  if (key === 'ArrowUp') return rows[index - 1]
  if (key === 'Home') return rows[0]
  if (key === 'End') return rows.at(-1)
  if (key === 'ArrowRight' && isOpenBranch) return rows[index + 1]
  if (key === 'ArrowLeft' && !isOpenBranch) return rows.find(({ page }) => page.id === row.parent)
  return undefined
}

/** Moves the focus to a row; returns whether it is rendered. */
export function focusRow(tree: HTMLElement, id: string): boolean {
  const row = tree.querySelector<HTMLElement>(`[data-tree-id="${CSS.escape(id)}"]`)
  row?.focus()
  return row !== null
}
