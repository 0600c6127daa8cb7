import { useId, useState } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { useOrganization } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { listTexts as texts } from './list-texts.ts'

/** Maximum number of people that are listed; a search finds the others. */
const maxListed = 20

interface AuthorFilterProps {
  organizationId: string
  /** ID of the chosen author. */
  creator: string | undefined
  onChange: (userId: string | undefined) => void
}

/** Chooses the author whose change requests are shown. */
export function AuthorFilter({ organizationId, creator, onChange }: AuthorFilterProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { data: author } = useQuery(creator === undefined ? undefined : 'GET /users/{userId}', {
    params: { userId: creator ?? '' },
  })
  const organization = useOrganization(organizationId)
  const canList = organization?.permissions.listMembers === true
  if (!canList && creator === undefined) return null
  return (
    <div class="ui-field" role="group" aria-labelledby={id}>
      <span id={id} class="ui-field-label">
        {texts.author}
      </span>
      <span class="cr-author">
        <Button icon="user" disabled={!canList} onClick={() => setOpen(true)}>
          {creator === undefined ? texts.anyone : (author?.displayName ?? '…')}
        </Button>
        {creator !== undefined && (
          <Button kind="quiet" icon="x" label={texts.anyAuthor} onClick={() => onChange(undefined)} />
        )}
      </span>
      {isOpen && (
        <AuthorDialog
          organizationId={organizationId}
          onClose={() => setOpen(false)}
          onChoose={(userId) => {
            setOpen(false)
            onChange(userId)
          }}
        />
      )}
    </div>
  )
}

interface AuthorDialogProps {
  organizationId: string
  onChoose: (userId: string) => void
  onClose: () => void
}

function AuthorDialog({ organizationId, onChoose, onClose }: AuthorDialogProps) {
  const [text, setText] = useState('')
  const search = text.trim()
  const { data, error, reload } = useQuery('GET /orgs/{organizationId}/members', {
    params: { organizationId },
    query: { sort: 'name', order: 'asc', limit: maxListed, ...(search !== '' && { search }) },
  })
  const people = data?.items ?? []
  const [first] = people
  return (
    <Dialog title={texts.author} onClose={onClose} onSubmit={() => first && onChoose(first.id)}>
      <TextField label={texts.findAuthor} type="search" autoFocus value={text} onInput={setText} />
      {error && <ErrorState error={error} onRetry={() => void reload()} />}
      {!data && !error && <Loading lines={3} />}
      {data && people.length === 0 && <p class="quiet">{texts.noAuthor}</p>}
      {people.length > 0 && (
        <ul class="rows edit-link-rows">
          {people.map(({ id, user }) => (
            <li key={id}>
              <button type="button" class="row" onClick={() => onChoose(id)}>
                <Avatar person={user} />
                <span class="row-title">{user.displayName}</span>
                <span class="row-facts">{user.email}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
