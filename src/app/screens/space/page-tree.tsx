import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { toEmoji } from '../organization/space-rows.ts'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { WindowedList } from '../../ui/windowed-list.tsx'
import { type PageRow, findAncestors, toPageRows } from './page-rows.ts'
import { usePages } from './use-pages.ts'

const rowHeight = 32

interface PageTreeProps {
  space: Space
  changeRequest?: string | undefined
  pageId?: string | undefined
}

/** The pages of a space or of a change request. */
export function PageTree({ space, changeRequest, pageId }: PageTreeProps) {
  const { data, error, reload } = usePages(space.id, changeRequest)
  const opened = useSignal<ReadonlySet<string>>(new Set())
  const ancestors = useMemo(() => new Set(data && pageId ? findAncestors(data.pages, pageId) : []), [data, pageId])
  const isOpen = (id: string) => opened.value.has(id) || ancestors.has(id)
  const rows = useMemo(() => toPageRows(data?.pages ?? [], isOpen), [data, opened.value, ancestors])
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  const toggle = (id: string) => {
    const next = new Set(opened.value)
    if (!next.delete(id)) next.add(id)
    opened.value = next
  }
  return (
    <WindowedList
      items={rows}
      rowHeight={rowHeight}
      keyOf={({ page }) => page.id}
      shownIndex={rows.findIndex(({ page }) => page.id === pageId)}
      renderRow={(row) => (
        <PageLink
          row={row}
          isCurrent={row.page.id === pageId}
          isOpen={isOpen(row.page.id)}
          onToggle={() => toggle(row.page.id)}
          href={pageHref(space.id, changeRequest, row.page.id)}
        />
      )}
    />
  )
}

/** Returns the address of a page: the read view, or the editor in a change request. */
export const pageHref = (spaceId: string, changeRequest: string | undefined, pageId: string): string =>
  appHref(
    changeRequest === undefined
      ? `/spaces/${spaceId}/pages/${pageId}`
      : `/spaces/${spaceId}/change-requests/${changeRequest}/pages/${pageId}`,
  )

interface PageLinkProps {
  row: PageRow
  isCurrent: boolean
  isOpen: boolean
  onToggle: () => void
  href: string
}

function PageLink({ row: { page, depth, hasChildren }, isCurrent, isOpen, onToggle, href }: PageLinkProps) {
  const emoji = 'emoji' in page ? toEmoji(page.emoji) : ''
  return (
    <div class="tree-row" style={{ paddingInlineStart: `${depth * 16}px` }}>
      <button
        type="button"
        class="tree-toggle"
        aria-expanded={hasChildren ? isOpen : undefined}
        aria-label={page.title}
        hidden={!hasChildren}
        onClick={onToggle}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
      </button>
      <a class="sidebar-link" href={href} aria-current={isCurrent ? 'page' : undefined}>
        {emoji !== '' && <span class="emoji">{emoji}</span>}
        <span>{page.title}</span>
      </a>
    </div>
  )
}
