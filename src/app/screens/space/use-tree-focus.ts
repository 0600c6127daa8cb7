import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PageRow } from './page-rows.ts'
import { focusRow } from './tree-keys.ts'

/** Returns the row of a tree that the Tab key reaches: the one that last had the focus, the current page, or the first one. */
export function useTreeFocus(rows: readonly PageRow[], pageId: string | undefined) {
  const tree = useRef<HTMLDivElement>(null)
  const focusedId = useSignal<string | undefined>(undefined)
  /** ID of a row that gets the focus as soon as it is rendered. */
  const awaitedId = useRef<string | undefined>(undefined)
  const has = (id: string | undefined) => id !== undefined && rows.some(({ page }) => page.id === id)
  const tabStop = [focusedId.value, pageId].find(has) ?? rows[0]?.page.id
  useLayoutEffect(() => {
    if (awaitedId.current === undefined || !tree.current) return
    focusRow(tree.current, awaitedId.current)
    awaitedId.current = undefined
  }, [focusedId.value])
  const reveal = (id: string): void => {
    awaitedId.current = id
    focusedId.value = id
  }
  const onFocusIn = ({ target }: FocusEvent): void => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-tree-id]') : null
    if (row) focusedId.value = row.dataset['treeId']
  }
  return { tree, tabStop, reveal, onFocusIn }
}
