import { useState } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { countText, defineTexts } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'

const texts = defineTexts('peoplePicker', {
  find: 'Find people and teams',
  findPeople: 'Find people',
  people: 'People',
  teams: 'Teams',
  nobody: 'Nobody was found',
  teamMembers: { one: '{count} member', other: '{count} members' },
})

/** Maximum number of people and teams that are listed; a search finds the others. */
const maxListed = 20

export type Chosen = ReadonlyMap<string, 'user' | 'team'>

interface PeoplePickerProps {
  organizationId: string
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  withTeams?: boolean
}

/** Selects members by their names, and teams if they are offered. */
export function PeoplePicker({ organizationId, chosen, onChange, withTeams = false }: PeoplePickerProps) {
  const [input, setInput] = useState('')
  const search = input.trim()
  const params = { organizationId }
  const members = useQuery('GET /orgs/{organizationId}/members', {
    params,
    query: { sort: 'name', order: 'asc', limit: maxListed, ...(search !== '' && { search }) },
  })
  const teams = useQuery(withTeams ? 'GET /orgs/{organizationId}/teams' : undefined, {
    params,
    query: { limit: maxListed, ...(search !== '' && { title: search }) },
  })
  const toggle = (id: string, kind: 'user' | 'team') => {
    const next = new Map(chosen)
    if (!next.delete(id)) next.set(id, kind)
    onChange(next)
  }
  const people = members.data?.items ?? []
  const groups = teams.data?.items ?? []
  return (
    <>
      <TextField
        label={withTeams ? texts.find : texts.findPeople}
        type="search"
        autoFocus
        value={input}
        onInput={setInput}
      />
      {members.error && <ErrorState error={members.error} onRetry={() => void members.reload()} />}
      {!members.data && !members.error && <Loading lines={3} />}
      {members.data && people.length + groups.length === 0 && <p class="quiet">{texts.nobody}</p>}
      {groups.length > 0 && (
        <fieldset class="cr-options">
          <legend>{texts.teams}</legend>
          {groups.map(({ id, title, members: count }) => (
            <label key={id} class="cr-option">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id, 'team')} />
              <Icon name="users" size={20} />
              <span>{title}</span>
              <small>{countText(texts.teamMembers, count)}</small>
            </label>
          ))}
        </fieldset>
      )}
      {people.length > 0 && (
        <fieldset class="cr-options">
          <legend>{texts.people}</legend>
          {people.map(({ id, user }) => (
            <label key={id} class="cr-option">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id, 'user')} />
              <Avatar person={user} />
              <span>{user.displayName}</span>
              {user.email !== undefined && <small>{user.email}</small>}
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}

/** Returns the IDs of the chosen items of one kind. */
export const chosenIds = (chosen: Chosen, kind: 'user' | 'team'): string[] =>
  [...chosen].filter(([, one]) => one === kind).map(([id]) => id)
