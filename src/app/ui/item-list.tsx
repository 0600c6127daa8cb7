import type { ComponentChildren } from 'preact'
import type { List } from '../data/list.ts'
import { Button } from './button.tsx'
import { joinClasses } from './classes.ts'
import { ErrorState, Loading } from './states.tsx'
import { uiTexts } from './ui-texts.ts'

interface ItemListProps<Item> {
  list: List<Item>
  keyOf: (item: Item) => string
  renderItem: (item: Item, index: number) => ComponentChildren
  /** Shown instead of the list if it has no items. */
  empty: ComponentChildren
  class?: string
  /** Number of lines that are shown while the list is loading. */
  loadingLines?: number
}

/** Shows a list of the API in rows, in all its states. */
export function ItemList<Item>(props: ItemListProps<Item>) {
  const { list, keyOf, renderItem, empty, loadingLines } = props
  const { items, error, reload } = list
  if (!items)
    return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={loadingLines} />
  if (items.length === 0) return <>{empty}</>
  return (
    <>
      <ul class={joinClasses('rows', props.class)}>
        {items.map((item, index) => (
          <li key={keyOf(item)}>{renderItem(item, index)}</li>
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  )
}

type LoadMoreProps = { list: Pick<List<unknown>, 'hasMore' | 'isLoading' | 'loadMore'> }

/** A button that reads the next items of a list, if there are any. */
export function LoadMore({ list: { hasMore, isLoading, loadMore } }: LoadMoreProps) {
  if (!hasMore) return null
  return (
    <Button isBusy={isLoading} onClick={() => void loadMore()}>
      {uiTexts.loadMore}
    </Button>
  )
}
