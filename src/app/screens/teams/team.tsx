import { useState } from 'preact/hooks'
import type { Team } from '../../../contract/team.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { deleteShown, invalidate, useQuery } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { countText, fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { WindowedList } from '../../ui/windowed-list.tsx'
import { NameDialog } from '../collection/collection-dialogs.tsx'
import { type Chosen, PeoplePicker, chosenIds } from '../organization/people-picker.tsx'
import { SettingsFrame } from '../organization/settings-frame.tsx'
import { TeamMemberRow } from './team-member-row.tsx'
import { teamTexts as texts } from './team-texts.ts'

/** Height of a row in pixels. */
const rowHeight = 56

/** Shows a team with its members. */
export default function TeamScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', teamId = '' } = params
  const {
    data: team,
    error,
    reload,
  } = useQuery('GET /orgs/{organizationId}/teams/{teamId}', { params: { organizationId, teamId } })
  return (
    <SettingsFrame
      organizationId={organizationId}
      crumbs={[{ title: texts.title, path: `/orgs/${organizationId}/teams` }, { title: team?.title ?? '' }]}
      needs="listTeams"
    >
      {(organization) =>
        team ? (
          <>
            <TeamHead organizationId={organizationId} team={team} isAdmin={organization.permissions.admin} />
            <TeamMembers organizationId={organizationId} team={team} />
          </>
        ) : error ? (
          <ErrorState isWholeScreen error={error} onRetry={() => void reload()} />
        ) : (
          <Loading />
        )
      }
    </SettingsFrame>
  )
}

interface TeamHeadProps {
  organizationId: string
  team: Team
  /** Whether the user may rename and delete the team; owners only manage its members. */
  isAdmin: boolean
}

function TeamHead({ organizationId, team, isAdmin }: TeamHeadProps) {
  const [open, setOpen] = useState<'add' | 'rename' | undefined>(undefined)
  const params = { organizationId, teamId: team.id }
  const [remove] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: fillText(texts.removeTitle, { title: team.title }),
      text: texts.removeText,
      action: texts.remove,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await deleteShown(`/orgs/${organizationId}/teams/${team.id}`, () =>
      request('DELETE /orgs/{organizationId}/teams/{teamId}', { params }),
    )
    navigate(`/orgs/${organizationId}/teams`)
    invalidate(`/orgs/${organizationId}/teams`)
    showToast(texts.removed)
  })
  return (
    <div class="screen-head">
      <div>
        <h1 class="screen-title">{team.title}</h1>
        <p class="quiet">
          {countText(texts.members, team.members)} · {countText(texts.spaces, team.spaces)}
        </p>
      </div>
      <div class="toolbar">
        {team.permissions.admin && (
          <Button kind="primary" icon="user-plus" onClick={() => setOpen('add')}>
            {texts.add}
          </Button>
        )}
        {isAdmin && (
          <Menu
            label={uiTexts.more}
            icon="dots"
            kind="secondary"
            items={[
              { title: texts.rename, icon: 'edit', onSelect: () => setOpen('rename') },
              {
                title: texts.remove,
                icon: 'trash',
                isDangerous: true,
                startsGroup: true,
                onSelect: () => void remove(),
              },
            ]}
          />
        )}
      </div>
      {open === 'add' && (
        <AddMembersDialog organizationId={organizationId} team={team} onClose={() => setOpen(undefined)} />
      )}
      {open === 'rename' && (
        <NameDialog
          title={texts.rename}
          action={texts.save}
          name={team.title}
          onClose={() => setOpen(undefined)}
          onSave={async ({ title }) => {
            await request('PATCH /orgs/{organizationId}/teams/{teamId}', { params, body: { title } })
            invalidate(`/orgs/${organizationId}/teams`)
          }}
        />
      )}
    </div>
  )
}

function TeamMembers({ organizationId, team }: { organizationId: string; team: Team }) {
  const { items, error, continueLoading, reload } = useList('GET /orgs/{organizationId}/teams/{teamId}/members', {
    params: { organizationId, teamId: team.id },
    query: { limit: 200 },
  })
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0)
    return (
      <EmptyState icon="users" title={texts.noMembers}>
        {texts.noMembersHint}
      </EmptyState>
    )
  return (
    <WindowedList
      class="org-list"
      label={team.title}
      items={items}
      rowHeight={rowHeight}
      keyOf={({ organization }) => organization.id}
      renderRow={(member) => <TeamMemberRow organizationId={organizationId} team={team} member={member} />}
      onEnd={continueLoading}
    />
  )
}

interface AddMembersProps {
  organizationId: string
  team: Team
  onClose: () => void
}

function AddMembersDialog({ organizationId, team, onClose }: AddMembersProps) {
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [add, isAdding] = useAction(async () => {
    await request('PUT /orgs/{organizationId}/teams/{teamId}/members', {
      params: { organizationId, teamId: team.id },
      body: { add: chosenIds(chosen, 'user') },
    })
    invalidate(`/orgs/${organizationId}/teams`)
    onClose()
  })
  return (
    <FormDialog
      title={texts.add}
      onClose={onClose}
      onSubmit={() => void add()}
      action={texts.addAction}
      isBusy={isAdding}
      isIncomplete={chosen.size === 0}
    >
      <PeoplePicker organizationId={organizationId} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
