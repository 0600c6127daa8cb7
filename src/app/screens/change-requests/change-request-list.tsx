import type { ComponentChildren } from 'preact'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import type { List } from '../../data/list.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { StatusBadge } from './status-badge.tsx'

export const changeRequestTexts = defineTexts('changeRequests', {
  untitled: 'Untitled change request',
  by: 'by {name}',
})

interface ChangeRequestListProps {
  list: List<ChangeRequest>
  empty: ComponentChildren
  /** Spaces by their IDs if the list is about several, because numbers are unique in a space only. */
  spaces?: ReadonlyMap<string, Space> | undefined
}

/** Shows change requests with their status, author and age. */
export function ChangeRequestList({ list, empty, spaces }: ChangeRequestListProps) {
  const { items, error, reload } = list
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={2} />
  if (items.length === 0) return <>{empty}</>
  return (
    <>
      <ul class="rows">
        {items.map((changeRequest) => (
          <ChangeRequestRow
            key={changeRequest.id}
            changeRequest={changeRequest}
            spaceTitle={spaces?.get(changeRequest.space)?.title}
          />
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  )
}

interface ChangeRequestRowProps {
  changeRequest: ChangeRequest
  spaceTitle: string | undefined
}

function ChangeRequestRow({ changeRequest, spaceTitle }: ChangeRequestRowProps) {
  const { number, subject, status, createdBy, updatedAt, space, comments } = changeRequest
  return (
    <li>
      <a class="row" href={appHref(`/spaces/${space}/change-requests/${number}`)}>
        <StatusBadge status={status} />
        <span class="row-title">{subject || changeRequestTexts.untitled}</span>
        <span class="row-facts">
          {spaceTitle !== undefined && <span>{spaceTitle}</span>}
          <span>#{number}</span>
          <span>{fillText(changeRequestTexts.by, { name: createdBy.displayName })}</span>
          {comments > 0 && (
            <span>
              <Icon name="message" size={14} /> {comments}
            </span>
          )}
          <Time at={updatedAt} />
        </span>
      </a>
    </li>
  )
}
