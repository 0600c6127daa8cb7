import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { RevisionSummary } from '../../../contract/revision.ts'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { navigate } from '../../router.ts'
import { countText, fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { Time, formatAge } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SpaceFrame } from '../space/space-frame.tsx'
import { type RevisionGroup, groupSaves } from './group-saves.ts'
import { historyTexts } from './history-texts.ts'

/** The versions of a space, newest first. */
export default function HistoryScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const spaceId = params['spaceId'] ?? ''
  return (
    <SpaceFrame spaceId={spaceId} crumbs={[{ title: historyTexts.title }]}>
      {(space) => (
        <>
          <h1 class="screen-title">{historyTexts.title}</h1>
          <RevisionList space={space} />
        </>
      )}
    </SpaceFrame>
  )
}

function RevisionList({ space }: { space: Space }) {
  const list = useList('GET /spaces/{spaceId}/revisions', { params: { spaceId: space.id }, query: { limit: 50 } })
  const [selected, setSelected] = useState<readonly string[]>([])
  const { items, error, reload } = list
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0) return <EmptyState icon="history" title={historyTexts.empty} />
  // The two versions that were selected last are compared, the older one first.
  const select = (id: string, isSelected: boolean) =>
    setSelected(isSelected ? [...selected, id].slice(-2) : selected.filter((one) => one !== id))
  const [older, newer] = items
    .map(({ id }) => id)
    .filter((id) => selected.includes(id))
    .toReversed()
  return (
    <>
      <p class="toolbar">
        <Button
          icon="git-compare"
          disabled={newer === undefined}
          onClick={() => navigate(`/spaces/${space.id}/compare/${older}/${newer}`)}
        >
          {historyTexts.compare}
        </Button>
        <span class="quiet">{historyTexts.compareHint}</span>
      </p>
      <ul class="rows">
        {groupSaves(items).map((group) => (
          <RevisionRows key={group[0].id} space={space} group={group} selected={selected} onSelect={select} />
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  )
}

interface RevisionRowsProps {
  space: Space
  group: RevisionGroup
  selected: readonly string[]
  onSelect: (id: string, isSelected: boolean) => void
}

/** The newest of consecutive saves, with a button that shows the others. */
function RevisionRows({ space, group, selected, onSelect }: RevisionRowsProps) {
  const [isOpen, setOpen] = useState(false)
  const [newest] = group
  const shown = isOpen ? group : [newest]
  return (
    <>
      {shown.map((revision) => (
        <RevisionRow
          key={revision.id}
          space={space}
          revision={revision}
          {...(revision === newest && !isOpen && { parent: group.at(-1)?.parents[0] })}
          isSelected={selected.includes(revision.id)}
          onSelect={(isSelected) => onSelect(revision.id, isSelected)}
        >
          {revision === newest && group.length > 1 && (
            <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {countText(historyTexts.saves, group.length)}
            </Button>
          )}
        </RevisionRow>
      ))}
    </>
  )
}

interface RevisionRowProps {
  space: Space
  revision: RevisionSummary
  /** The previous revision, or the one before the saves that are shown together. */
  parent?: string | undefined
  children?: ComponentChildren
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

function RevisionRow(props: RevisionRowProps) {
  const { space, revision, isSelected, onSelect, children } = props
  const { id, createdAt, createdBy } = revision
  const isLive = id === space.revision
  const [restore] = useAction(async () => {
    const changeRequest = await request('POST /spaces/{spaceId}/revisions/{revisionId}/restore', {
      params: { spaceId: space.id, revisionId: id },
      body: {},
    })
    showToast(fillText(historyTexts.restored, { number: changeRequest.number }))
    navigate(`/spaces/${space.id}/change-requests/${changeRequest.number}`)
  })
  const parent = props.parent ?? revision.parents[0]
  const path = `/spaces/${space.id}`
  return (
    <li class="row">
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={fillText(historyTexts.select, { time: formatAge(createdAt) })}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      {createdBy && <Avatar person={createdBy} />}
      <a class="row-title row-link" href={appHref(`${path}/revisions/${id}`)}>
        {describeRevision(revision)}
      </a>
      {children}
      {isLive && <Badge tone="success">{historyTexts.live}</Badge>}
      <span class="row-facts">
        {createdBy && <span>{fillText(historyTexts.byName, { name: createdBy.displayName })}</span>}
        <Time at={createdAt} />
      </span>
      <Menu
        icon="dots"
        label={historyTexts.actions}
        items={[
          { title: historyTexts.view, icon: 'eye', href: appHref(`${path}/revisions/${id}`) },
          parent !== undefined && {
            title: historyTexts.compareWithPrevious,
            icon: 'git-compare',
            href: appHref(`${path}/compare/${parent}/${id}`),
          },
          !isLive && {
            title: historyTexts.compareWithLive,
            icon: 'git-compare',
            href: appHref(`${path}/compare/${id}/${space.revision}`),
          },
          !isLive &&
            space.permissions.edit && {
              title: historyTexts.restore,
              icon: 'arrow-back-up',
              startsGroup: true,
              onSelect: () => void restore(),
            },
        ]}
      />
    </li>
  )
}

/** Describes the origin of a revision. */
function describeRevision(revision: RevisionSummary): string {
  if (revision.type === 'merge') {
    const { number, subject } = revision.mergedFrom
    return fillText(historyTexts.merge, { number, subject })
  }
  const message = revision.git?.message?.split('\n')[0]
  if (message) return fillText(historyTexts.imported, { message })
  return historyTexts[revision.type]
}
