import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { WindowedList } from '../../ui/windowed-list.tsx'
import { type SpaceRow, toSpaceRows } from './space-rows.ts'

const rowHeight = 32

/** Lists the spaces of an organization in their collections. */
export function SpaceTree({ organizationId }: { organizationId: string }) {
  const params = { organizationId }
  const spaces = useList('GET /orgs/{organizationId}/spaces', { params, query: { limit: 1000 } })
  const collections = useQuery('GET /orgs/{organizationId}/collections', { params, query: { limit: 1000 } })
  if (spaces.error) return <ErrorState error={spaces.error} onRetry={() => void spaces.reload()} />
  if (!spaces.items || !collections.data) return <Loading />
  return (
    <WindowedList
      items={toSpaceRows(spaces.items, collections.data.items)}
      rowHeight={rowHeight}
      keyOf={({ id }) => id}
      renderRow={(row) => <SpaceLink row={row} />}
      onEnd={spaces.continueLoading}
    />
  )
}

function SpaceLink({ row }: { row: SpaceRow }) {
  const { kind, id, title, emoji, depth } = row
  return (
    <a class="sidebar-link" href={appHref(`/${kind}s/${id}`)} style={{ paddingInlineStart: `${8 + depth * 16}px` }}>
      {emoji === '' ? <Icon name={kind === 'collection' ? 'folder' : 'book'} /> : <span class="emoji">{emoji}</span>}
      <span>{title}</span>
    </a>
  )
}
