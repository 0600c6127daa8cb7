import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type TreePage, findAncestors } from './page-rows.ts'

/** Open and closed pages in the tree of each space, which are the same on all screens of the space. */
const openBySpace = new Map<string, Signal<ReadonlyMap<string, boolean>>>()

function getOpenPages(spaceId: string): Signal<ReadonlyMap<string, boolean>> {
  const found = openBySpace.get(spaceId) ?? signal<ReadonlyMap<string, boolean>>(new Map())
  openBySpace.set(spaceId, found)
  return found
}

/** Returns the open pages of a tree: those that the user opened, and the ancestors of the current page. */
export function useOpenPages(spaceId: string, pages: readonly TreePage[], pageId: string | undefined) {
  const state = useMemo(() => getOpenPages(spaceId), [spaceId])
  const ancestors = useMemo(
    () => (pageId === undefined ? undefined : findAncestors(pages, pageId)) ?? [],
    [pages, pageId],
  )
  const isOpen = (id: string): boolean => state.value.get(id) ?? ancestors.includes(id)
  // They remain open when another page is opened.
  useEffect(() => {
    if (ancestors.some((id) => state.peek().get(id) !== true))
      state.value = new Map([...state.peek(), ...ancestors.map((id) => [id, true] as const)])
  }, [pageId, ancestors.length > 0])
  const toggle = (id: string): void => void (state.value = new Map(state.value).set(id, !isOpen(id)))
  return { isOpen, toggle, opened: state.value }
}
