import { signal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { Button } from '../../ui/button.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useOptimistic } from '../../ui/use-optimistic.ts'
import { WindowedList } from '../../ui/windowed-list.tsx'
import { type PageRow, type TreePage, toPageRows } from './page-rows.ts'
import {
  type TreeTarget,
  copyPageLink,
  deletePage,
  duplicatePage,
  insertGroup,
  insertPage,
  movePage,
  renamePage,
  setHidden,
} from './tree-actions.ts'
import { handleTreeKey } from './tree-keys.ts'
import {
  type TreePosition,
  findPage,
  toNeighborPosition,
  toPosition,
  withChangedPage,
  withMovedPage,
  withoutPage,
} from './tree-moves.ts'
import { TreeRow } from './tree-row.tsx'
import { treeTexts } from './tree-texts.ts'
import { useOpenPages } from './use-open-pages.ts'
import { usePages } from './use-pages.ts'
import { useTreeFocus } from './use-tree-focus.ts'

const rowHeight = 32
const noPages: readonly TreePage[] = []

/** ID of the page that is being renamed. A new group is renamed immediately, even if its change request opens another screen. */
const renamed = signal<string | undefined>(undefined)

const directions = [
  { direction: 'up', icon: 'chevron-up', title: 'moveUp' },
  { direction: 'down', icon: 'chevron-down', title: 'moveDown' },
  { direction: 'in', icon: 'chevron-right', title: 'moveIn' },
  { direction: 'out', icon: 'arrow-left', title: 'moveOut' },
] as const

interface PageTreeProps {
  space: Space
  changeRequest?: string | undefined
  /** ID of the earlier revision whose pages are shown. */
  revision?: string | undefined
  pageId?: string | undefined
}

/**
 * The pages of a space, of a change request or of an earlier revision. Users who may edit can change the tree with the pointer and
 * the keyboard.
 */
export function PageTree({ space, changeRequest, revision, pageId }: PageTreeProps) {
  const { data, error, reload, refresh } = usePages(space.id, { changeRequest, revision })
  const dragged = useRef<TreePage | undefined>(undefined)
  const [pages, change] = useOptimistic<readonly TreePage[]>(data?.pages ?? noPages, refresh)
  const { isOpen, toggle, opened } = useOpenPages(space.id, pages, pageId)
  const rows = useMemo(() => toPageRows(pages, isOpen), [pages, opened, pageId])
  const { tree, tabStop, reveal, onFocusIn } = useTreeFocus(rows, pageId)
  const target: TreeTarget = { space, changeRequest }
  const [run] = useAction((action: () => Promise<unknown>) => action().then(() => undefined))
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />

  const canEdit = space.permissions.edit && revision === undefined
  /**
   * Shows a change immediately. Outside a change request, the tree shows the live content, and the change opens a change request.
   */
  const edit = (apply: (shown: readonly TreePage[]) => readonly TreePage[], send: () => Promise<unknown>): void =>
    void (changeRequest === undefined ? run(send) : change({ apply, send }))
  const move = (page: TreePage, position: TreePosition | undefined): void => {
    if (!position) return
    edit(
      (shown) => withMovedPage(shown, page, position),
      () => movePage(target, page, position),
    )
  }
  const rename = (page: TreePage, title: string | undefined) => {
    renamed.value = undefined
    const trimmed = title?.trim()
    if (!trimmed || trimmed === page.title) return
    edit(
      (shown) => withChangedPage(shown, page, { title: trimmed }),
      () => renamePage(target, page, trimmed),
    )
  }
  const addGroup = async () => {
    renamed.value = await insertGroup(target, pageId === undefined ? undefined : findPage(pages, pageId))
  }
  const remove = ({ page, parent }: PageRow) =>
    edit(
      (shown) => withoutPage(shown, page),
      () => deletePage(target, page, parent === undefined ? undefined : findPage(pages, parent)),
    )

  /** Moves for touch screens, on which nothing can be dragged. */
  const moveItems = (page: TreePage): MenuItem[] =>
    directions.flatMap(({ direction, icon, title }) => {
      const position = toNeighborPosition(pages, page, direction)
      return position ? [{ title: treeTexts[title], icon, onSelect: () => move(page, position) }] : []
    })
  const listItems = (row: PageRow): MenuItem[] => {
    const { page } = row
    const copyItem: MenuItem = {
      title: treeTexts.copyLink,
      icon: 'link',
      onSelect: () => void run(() => copyPageLink(space.id, page.id)),
    }
    if (!canEdit) return [copyItem]
    const isHidden = page.hidden === true
    const after = toPosition(pages, { ...page, id: '' }, { page: page.id, position: 'after' })
    return [
      { title: treeTexts.rename, icon: 'edit', onSelect: () => (renamed.value = page.id) },
      ...(page.type === 'link' || page.type === 'computed'
        ? []
        : [
            {
              title: treeTexts.newBelow,
              icon: 'plus' as const,
              onSelect: () => void run(() => insertPage(target, page.id)),
            },
          ]),
      ...(page.type === 'document' && after
        ? [
            {
              title: treeTexts.duplicate,
              icon: 'copy' as const,
              onSelect: () => void run(() => duplicatePage(target, page, after)),
            },
          ]
        : []),
      copyItem,
      ...moveItems(page),
      {
        title: isHidden ? treeTexts.show : treeTexts.hide,
        icon: isHidden ? 'eye' : 'eye-off',
        onSelect: () =>
          edit(
            (shown) => withChangedPage(shown, page, { hidden: !isHidden }),
            () => setHidden(target, page, !isHidden),
          ),
      },
      {
        title: treeTexts.remove,
        icon: 'trash',
        isDangerous: true,
        startsGroup: true,
        onSelect: () => remove(row),
      },
    ]
  }

  return (
    <>
      <div
        ref={tree}
        onFocusIn={onFocusIn}
        onKeyDown={(event) =>
          handleTreeKey(event, rows, {
            isOpen,
            toggle,
            reveal: ({ page }) => reveal(page.id),
            ...(canEdit && {
              rename: ({ page }) => (renamed.value = page.id),
              remove,
              move: ({ page }, direction) => move(page, toNeighborPosition(pages, page, direction)),
            }),
          })
        }
      >
        <WindowedList
          items={rows}
          rowHeight={rowHeight}
          role="tree"
          label={treeTexts.pages}
          keyOf={({ page }) => page.id}
          shownIndex={rows.findIndex(({ page }) => page.id === pageId)}
          keptIndex={rows.findIndex(({ page }) => page.id === (renamed.value ?? tabStop))}
          renderRow={(row) => (
            <TreeRow
              row={row}
              href={
                revision === undefined
                  ? pageHref(space.id, changeRequest, row.page.id)
                  : appHref(`/spaces/${space.id}/revisions/${revision}/pages/${row.page.id}`)
              }
              isCurrent={row.page.id === pageId}
              isOpen={isOpen(row.page.id)}
              isTabStop={row.page.id === tabStop}
              isRenamed={renamed.value === row.page.id}
              onToggle={() => toggle(row.page.id)}
              onRename={(title) => rename(row.page, title)}
              items={listItems(row)}
              canMove={canEdit}
              onDragStart={() => (dragged.current = row.page)}
              onDrop={(drop) => {
                const page = dragged.current && findPage(pages, dragged.current.id)
                if (page) move(page, toPosition(pages, page, drop))
              }}
            />
          )}
        />
      </div>
      {canEdit && (
        <div class="tree-add">
          <Button kind="quiet" icon="plus" onClick={() => void run(() => insertPage(target, null))}>
            {treeTexts.newPage}
          </Button>
          <Button kind="quiet" icon="folder-plus" label={treeTexts.newGroup} onClick={() => void run(addGroup)} />
        </div>
      )}
    </>
  )
}

/** Returns the address of a page: the read view, or the editor in a change request. */
export const pageHref = (spaceId: string, changeRequest: string | undefined, pageId: string): string =>
  appHref(
    changeRequest === undefined
      ? `/spaces/${spaceId}/pages/${pageId}`
      : `/spaces/${spaceId}/change-requests/${changeRequest}/pages/${pageId}`,
  )
