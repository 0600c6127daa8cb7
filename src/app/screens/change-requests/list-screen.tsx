import { useState } from 'preact/hooks'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { useList } from '../../data/list.ts'
import { address, navigate, setQuery } from '../../router.ts'
import { useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { useFirstSpaces } from '../organization/use-spaces.ts'
import { SpaceFrame } from '../space/space-frame.tsx'
import { AuthorFilter } from './author-filter.tsx'
import { ChangeRequestList } from './change-request-list.tsx'
import { listTexts as texts } from './list-texts.ts'

/** The change requests of a space or of all spaces of an organization. */
export default function ChangeRequestListScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { spaceId, organizationId } = params
  const crumbs = [{ title: texts.title }]
  if (spaceId !== undefined) {
    return (
      <SpaceFrame spaceId={spaceId} crumbs={crumbs}>
        {(space) => (
          <>
            <header class="cr-list-title">
              <h1 class="screen-title">{texts.title}</h1>
              {space.permissions.edit && <NewChangeRequest space={space} />}
            </header>
            <FilteredLists organizationId={space.organization} spaceId={spaceId} />
          </>
        )}
      </SpaceFrame>
    )
  }
  return (
    <OrganizationFrame organizationId={organizationId ?? ''} crumbs={crumbs}>
      <h1 class="screen-title">{texts.title}</h1>
      <FilteredLists organizationId={organizationId ?? ''} />
    </OrganizationFrame>
  )
}

const statuses = ['active', 'open', 'draft', 'merged', 'archived'] as const
const groups = ['everyone', 'mine', 'toReview'] as const

function readFilter<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
  const value = address.value.query.get(name)
  return values.find((one) => one === value) ?? values[0]
}

/** Stores a filter in the address, unless it is the initial one. */
const setFilter = (name: string, value: string, initial: string): void =>
  setQuery(name, value === initial ? undefined : value)

/** Filters, and the lists that match them. The filters are part of the address. */
function FilteredLists({ organizationId, spaceId }: { organizationId: string; spaceId?: string }) {
  const status = readFilter('status', statuses)
  const group = readFilter('show', groups)
  const creator = address.value.query.get('creator') ?? undefined
  const user = useUser()
  return (
    <>
      <div class="cr-filters">
        <SelectField
          label={texts.status}
          value={status}
          options={statuses.map((value) => ({ value, title: texts[value] }))}
          onChange={(value) => setFilter('status', value, 'active')}
        />
        <SelectField
          label={texts.people}
          value={group}
          options={groups.map((value) => ({ value, title: texts[value] }))}
          onChange={(value) => setFilter('show', value, 'everyone')}
        />
        <AuthorFilter
          organizationId={organizationId}
          creator={creator}
          onChange={(userId) => setQuery('creator', userId)}
        />
      </div>
      {user && (
        <Lists
          key={`${status} ${group} ${creator}`}
          organizationId={organizationId}
          filter={{
            ...(spaceId !== undefined && { space: spaceId }),
            ...(creator !== undefined && { creator }),
            ...(group === 'mine' && { creator: user.id }),
            ...(group === 'toReview' && { requestedReviewer: user.id }),
          }}
          status={status}
          isFiltered={status !== 'active' || group !== 'everyone' || creator !== undefined}
        />
      )}
    </>
  )
}

interface ListsProps {
  organizationId: string
  filter: { space?: string; creator?: string; requestedReviewer?: string }
  status: (typeof statuses)[number]
  isFiltered: boolean
}

/** Without a status, those in review come first and then the drafts. */
function Lists({ organizationId, filter, status, isFiltered }: ListsProps) {
  const first = useStatusList(organizationId, filter, status === 'active' ? 'open' : status)
  const drafts = useStatusList(organizationId, filter, status === 'active' ? 'draft' : undefined)
  const spaces = useFirstSpaces(filter.space === undefined ? organizationId : undefined)
  const isEmpty = first.items?.length === 0 && (status !== 'active' || drafts.items?.length === 0)
  if (isEmpty) {
    return (
      <EmptyState
        icon="git-pull-request"
        title={texts.emptyTitle}
        actions={
          isFiltered && (
            <Button onClick={() => navigate(address.value.path, { replace: true })}>{texts.clearFilters}</Button>
          )
        }
      >
        {isFiltered ? texts.emptyFiltered : texts.emptyText}
      </EmptyState>
    )
  }
  return (
    <>
      <ChangeRequestList list={first} spaces={spaces} empty={null} />
      {status === 'active' && drafts.items && drafts.items.length > 0 && (
        <section class="section">
          <h2>{texts.drafts}</h2>
          <ChangeRequestList list={drafts} spaces={spaces} empty={null} />
        </section>
      )}
    </>
  )
}

const useStatusList = (
  organizationId: string,
  filter: ListsProps['filter'],
  status: 'open' | 'draft' | 'merged' | 'archived' | undefined,
) =>
  useList(status && 'GET /orgs/{organizationId}/change-requests', {
    params: { organizationId },
    query: { ...filter, status: [status ?? 'open'], limit: 50 },
  })

/** Starts a change request without a page; its pages are edited from its screen. */
function NewChangeRequest({ space }: { space: Space }) {
  const [subject, setSubject] = useState<string | undefined>(undefined)
  const [create, isCreating] = useAction(async () => {
    const { number } = await request('POST /spaces/{spaceId}/change-requests', {
      params: { spaceId: space.id },
      body: { subject: subject?.trim() ?? '' },
    })
    invalidate(`/spaces/${space.id}/change-requests`, `/orgs/${space.organization}/change-requests`)
    navigate(`/spaces/${space.id}/change-requests/${number}`)
  })
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setSubject('')}>
        {texts.create}
      </Button>
      {subject !== undefined && (
        <Dialog
          title={texts.create}
          onClose={() => setSubject(undefined)}
          onSubmit={() => void create()}
          actions={
            <>
              <Button onClick={() => setSubject(undefined)}>{uiTexts.cancel}</Button>
              <Button type="submit" kind="primary" isBusy={isCreating}>
                {texts.create}
              </Button>
            </>
          }
        >
          <TextField
            label={texts.subject}
            hint={texts.subjectHint}
            maxLength={100}
            autoFocus
            value={subject}
            onInput={setSubject}
          />
        </Dialog>
      )}
    </>
  )
}
