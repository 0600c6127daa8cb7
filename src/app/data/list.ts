import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type AnyRequest, type OperationOf, type RequestArguments, buildRequestPath } from '../../client/request.ts'
import { ApiError, type ReadRoute, type ReplyOfRoute, requestPath } from '../api.ts'
import { describeError } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'
import { uiTexts } from '../ui/ui-texts.ts'
import { useQuery } from './query.ts'

/** Routes whose replies are pages of a list. */
export type ListRoute = {
  [Route in ReadRoute]: ReplyOfRoute<Route> extends { items: readonly unknown[] } ? Route : never
}[ReadRoute]

export type ItemOf<Route extends ListRoute> =
  ReplyOfRoute<Route> extends { items: readonly (infer Item)[] } ? Item : never

interface Page {
  items: readonly unknown[]
  count?: number
  next?: { page: string } | undefined
}

export interface List<Item> {
  /** The items read so far; undefined until there is a reply. */
  items: readonly Item[] | undefined
  /** Number of all items on the server; undefined if it does not count them. */
  count: number | undefined
  error: ApiError | undefined
  isLoading: boolean
  /** Whether there are more items on the server. */
  hasMore: boolean
  /** Reads the next items; if that fails, a message shows the reason. */
  loadMore: () => Promise<void>
  /** Reads the next items, unless that failed before; for lists that grow while the user scrolls. */
  continueLoading: () => void
  reload: () => Promise<void>
}

/** Reads a list of the API; further items are read with `loadMore`. When the start of the list changes, they are read again. */
export function useList<Route extends ListRoute>(
  route: Route | undefined,
  ...[input]: RequestArguments<OperationOf<Route>>
): List<ItemOf<Route>> {
  const first = useQuery(route as Route, ...([input] as unknown as RequestArguments<OperationOf<Route>>))
  const page = first.data as Page | undefined
  const more = useSignal<{ items: readonly unknown[]; next: string | undefined } | undefined>(undefined)
  const error = useSignal<ApiError | undefined>(undefined)
  const isLoadingMore = useSignal(false)
  const path = route && buildRequestPath(route.slice('GET '.length), (input ?? {}) as AnyRequest)
  useEffect(() => {
    more.value = undefined
    error.value = undefined
  }, [page, path])
  const shown = useRef<{ page: Page | undefined; path: string | undefined }>(undefined)
  shown.current = { page, path }
  useEffect(() => () => void (shown.current = undefined), [])
  /** Whether this list is still shown, and its start has not changed. */
  const isShown = () => shown.current !== undefined && shown.current.page === page && shown.current.path === path
  const items = useMemo(() => page && [...page.items, ...(more.value?.items ?? [])], [page, more.value])
  const next = more.value ? more.value.next : page?.next?.page

  async function loadMore(): Promise<void> {
    if (next === undefined || isLoadingMore.value || path === undefined || !isShown()) return
    isLoadingMore.value = true
    try {
      const separator = path.includes('?') ? '&' : '?'
      const nextPath = `${enlargePages(path)}${separator}page=${encodeURIComponent(next)}`
      const reply = (await requestPath(`GET ${nextPath}`, {})) as Page
      if (!isShown()) return
      more.value = { items: [...(more.value?.items ?? []), ...reply.items], next: reply.next?.page }
      error.value = undefined
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      if (!isShown()) return
      error.value = thrown
      const action = { title: uiTexts.retry, onSelect: () => void loadMore() }
      showToast(describeError(thrown), { kind: 'error', action })
    } finally {
      isLoadingMore.value = false
    }
  }

  return {
    items: items as readonly ItemOf<Route>[] | undefined,
    count: page?.count,
    error: first.error ?? error.value,
    isLoading: first.isLoading || isLoadingMore.value,
    hasMore: next !== undefined,
    loadMore,
    continueLoading: () => void (error.value ?? loadMore()),
    reload: first.reload,
  }
}

/** Minimum page size of lists whose further pages have the maximum size. */
const longPage = 200
/** Maximum page size of the API. */
const maxPage = 1000

/** Returns the path of a long list with larger pages, so that its end is reached with few requests. */
const enlargePages = (path: string): string =>
  path.replace(/([?&]limit=)(\d+)/, (all, name: string, limit: string) =>
    Number(limit) >= longPage ? `${name}${maxPage}` : all,
  )

/** Reads all items of a list, for choices and names; `items` grows with each reply. */
export function useWholeList<Route extends ListRoute>(
  route: Route | undefined,
  ...[input]: RequestArguments<OperationOf<Route>>
): List<ItemOf<Route>> {
  const request = (input ?? {}) as AnyRequest
  const whole = { ...request, query: { ...request.query, limit: maxPage } }
  const list = useList(route, ...([whole] as unknown as RequestArguments<OperationOf<Route>>))
  // A late reply may be ignored because the start of the list has changed, so the end of each request is counted, too.
  useEffect(() => {
    if (!list.error) list.continueLoading()
  }, [list.items, list.isLoading])
  return list
}

/** Reads all items of a list, page by page. */
export async function readAll<Route extends ListRoute>(
  route: Route,
  ...[input]: RequestArguments<OperationOf<Route>>
): Promise<ItemOf<Route>[]> {
  const request = (input ?? {}) as AnyRequest
  const items: unknown[] = []
  let page: string | undefined
  do {
    const reply = (await requestPath(route, { ...request, query: { ...request.query, page } })) as Page
    items.push(...reply.items)
    page = reply.next?.page
  } while (page !== undefined)
  return items as ItemOf<Route>[]
}
