import { useState } from 'preact/hooks'
import type { TeamAccess, UserAccess } from '../../../contract/access.ts'
import type { Role, RoleOrGuest } from '../../../contract/roles.ts'
import { countText, fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RoleSelect, roleName } from '../organization/roles.tsx'
import { type AccessTarget, share, useTeamAccess, useUserAccess } from './access-target.ts'
import { accessTexts as texts } from './access-texts.ts'
import { describeReason, findOwnGrant } from './describe-reason.ts'
import { GeneralAccess } from './general-access.tsx'
import { ShareForm } from './share-form.tsx'

/** Shows and changes who has access to a space, a collection or a site, with the sources of their access. */
export function AccessDialog({ target, onClose }: { target: AccessTarget; onClose: () => void }) {
  const [isSharing, setSharing] = useState(false)
  if (isSharing) return <ShareForm target={target} onClose={() => setSharing(false)} />
  return (
    <Dialog
      isWide
      title={fillText(texts.titleOf, { title: target.title })}
      onClose={onClose}
      actions={
        <Button kind="primary" icon="user-plus" onClick={() => setSharing(true)}>
          {texts.share}
        </Button>
      }
    >
      <GeneralAccess target={target} />
      <Teams target={target} />
      <People target={target} />
    </Dialog>
  )
}

function Teams({ target }: { target: AccessTarget }) {
  const { items } = useTeamAccess(target)
  if (!items || items.length === 0) return null
  return (
    <section class="access-section">
      <h3>{texts.teams}</h3>
      <ul class="access-list">
        {items.map((entry) => (
          <TeamRow key={entry.team.id} target={target} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function TeamRow({ target, entry }: { target: AccessTarget; entry: TeamAccess }) {
  const { team, role, reasons } = entry
  return (
    <li class="access-row">
      <Icon name="users" size={24} />
      <span class="access-who">
        <strong>{team.title}</strong>
        <small>
          {countText(texts.teamMembers, team.members)}
          {reasons.map(
            (reason) =>
              reason.type === 'team' &&
              reason.source.id !== target.id && (
                <span key={reason.source.id}>
                  {' · '}
                  {fillText(texts.userFrom, { title: reason.source.title ?? texts.hiddenSource })}
                </span>
              ),
          )}
        </small>
      </span>
      <GrantControl
        name={team.title}
        grant={findOwnGrant(reasons, target, 'team')}
        role={role}
        onShare={(next) => share(target, { teams: [team.id] }, next)}
      />
    </li>
  )
}

function People({ target }: { target: AccessTarget }) {
  const [search, setSearch] = useState('')
  const text = search.trim()
  const list = useUserAccess(target, { limit: 50, ...(text !== '' && { search: text }) })
  return (
    <section class="access-section">
      <h3>{texts.people}</h3>
      <TextField label={texts.search} type="search" value={search} onInput={setSearch} />
      {!list.items && (list.error ? <ErrorState error={list.error} onRetry={() => void list.reload()} /> : <Loading />)}
      {list.items?.length === 0 && <p class="quiet">{texts.nobody}</p>}
      <ul class="access-list">
        {list.items?.map((entry) => (
          <UserRow key={entry.user.id} target={target} entry={entry} />
        ))}
      </ul>
      <LoadMore list={list} />
    </section>
  )
}

function UserRow({ target, entry }: { target: AccessTarget; entry: UserAccess }) {
  const { user, role, reasons } = entry
  return (
    <li class="access-row">
      <Avatar person={user} size={32} />
      <span class="access-who">
        <strong>{user.displayName}</strong>
        <ul class="access-reasons">
          {reasons.map((reason, index) => (
            <li key={index}>
              {reasons.length > 1 && <span class="access-reason-role">{roleName(reason.role)}: </span>}
              {describeReason(reason, target)}
            </li>
          ))}
        </ul>
      </span>
      <GrantControl
        name={user.displayName}
        grant={findOwnGrant(reasons, target, 'user')}
        role={role}
        onShare={(next) => share(target, { users: [user.id] }, next)}
      />
    </li>
  )
}

interface GrantControlProps {
  name: string
  /** Role that was given in this target and can be changed here. */
  grant: Role | undefined
  /** Effective role. */
  role: Role
  onShare: (role: RoleOrGuest) => Promise<void>
}

/** Changes and removes a role that was given in this target; other roles are read-only. */
function GrantControl({ name, grant, role, onShare }: GrantControlProps) {
  const [change, isChanging] = useAction(onShare)
  const [remove] = useAction(async () => {
    await onShare(null)
    showToast(fillText(texts.removed, { name }), {
      action: { title: texts.undo, onSelect: () => void onShare(grant ?? null).catch(showError) },
    })
  })
  if (grant === undefined) return <span class="org-row-role">{roleName(role)}</span>
  return (
    <>
      <RoleSelect
        label={fillText(texts.roleOf, { name })}
        value={grant}
        withGuest={false}
        disabled={isChanging}
        onChange={(next) => void change(next)}
      />
      <Button kind="quiet" icon="x" label={fillText(texts.remove, { name })} onClick={() => void remove()} />
    </>
  )
}
