import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { useQuery } from '../../data/query.ts'
import { countText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { texts } from './texts.ts'
import { invalidateChangeRequests, paramsOf } from './use-change-request.ts'

/** Maximum number of people and teams that are listed; a search finds the others. */
const maxListed = 20

interface RequestReviewProps {
  changeRequest: ChangeRequest
  space: Space
  onClose: () => void
}

/** Asks people and the members of teams for a review. */
export function RequestReviewDialog({ changeRequest, space, onClose }: RequestReviewProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<string, 'user' | 'team'>>(new Map())
  const toggle = (id: string, kind: 'user' | 'team') => {
    const next = new Map(chosen)
    if (!next.delete(id)) next.set(id, kind)
    setChosen(next)
  }
  const [send, isSending] = useAction(async () => {
    const users = await listUsers(space.organization, chosen)
    await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers', {
      params: paramsOf(changeRequest),
      body: { users },
    })
    invalidateChangeRequests(changeRequest)
    showToast(countText(texts.reviewsRequested, users.length))
    onClose()
  })
  return (
    <FormDialog
      title={texts.requestReview}
      onClose={onClose}
      onSubmit={() => chosen.size > 0 && void send()}
      action={texts.requestReview}
      isBusy={isSending}
      isIncomplete={chosen.size === 0}
    >
      <TextField
        label={texts.findReviewers}
        hint={texts.requestReviewHint}
        type="search"
        autoFocus
        value={search}
        onInput={setSearch}
      />
      <ReviewerOptions
        organizationId={space.organization}
        author={changeRequest.createdBy.id}
        search={search.trim()}
        chosen={chosen}
        onToggle={toggle}
      />
    </FormDialog>
  )
}

interface ReviewerOptionsProps {
  organizationId: string
  author: string
  search: string
  chosen: ReadonlyMap<string, 'user' | 'team'>
  onToggle: (id: string, kind: 'user' | 'team') => void
}

function ReviewerOptions({ organizationId, author, search, chosen, onToggle }: ReviewerOptionsProps) {
  const params = { organizationId }
  const members = useQuery('GET /orgs/{organizationId}/members', {
    params,
    query: { sort: 'name', order: 'asc', limit: maxListed, ...(search !== '' && { search }) },
  })
  const teams = useQuery('GET /orgs/{organizationId}/teams', {
    params,
    query: { limit: maxListed, ...(search !== '' && { title: search }) },
  })
  if (members.error) return <ErrorState error={members.error} onRetry={() => void members.reload()} />
  if (!members.data) return <Loading lines={3} />
  const people = members.data.items.filter(({ id, disabled }) => !disabled && id !== author)
  const groups = (teams.data?.items ?? []).filter((team) => team.members > 0)
  if (people.length + groups.length === 0)
    return <p class="quiet">{search === '' ? texts.nobodyElse : texts.noReviewersFound}</p>
  return (
    <>
      {people.length > 0 && (
        <fieldset class="cr-options">
          <legend>{texts.people}</legend>
          {people.map(({ id, user: person }) => (
            <label key={id} class="cr-option">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => onToggle(id, 'user')} />
              <Avatar person={person} />
              <span>{person.displayName}</span>
              {person.email !== undefined && <small>{person.email}</small>}
            </label>
          ))}
        </fieldset>
      )}
      {groups.length > 0 && (
        <fieldset class="cr-options">
          <legend>{texts.teams}</legend>
          {groups.map(({ id, title, members: count }) => (
            <label key={id} class="cr-option">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => onToggle(id, 'team')} />
              <Icon name="users" size={20} />
              <span>{title}</span>
              <small>{countText(texts.teamMembers, count)}</small>
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}

/** Returns the chosen people and the members of the chosen teams. */
async function listUsers(organizationId: string, chosen: ReadonlyMap<string, 'user' | 'team'>): Promise<string[]> {
  const users = new Set<string>()
  for (const [id, kind] of chosen) {
    if (kind === 'user') users.add(id)
    else {
      const { items } = await request('GET /orgs/{organizationId}/teams/{teamId}/members', {
        params: { organizationId, teamId: id },
        query: { limit: 100 },
      })
      for (const member of items) users.add(member.organization.id)
    }
  }
  return [...users]
}
