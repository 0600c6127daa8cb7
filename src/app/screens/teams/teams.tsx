import { useState } from 'preact/hooks'
import type { Organization } from '../../../contract/organizations.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { countText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { NameDialog } from '../collection/collection-dialogs.tsx'
import { SettingsFrame } from '../organization/settings-frame.tsx'
import { teamTexts as texts } from './team-texts.ts'

/** Lists the teams of an organization. */
export default function TeamsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <SettingsFrame organizationId={params['organizationId'] ?? ''} crumbs={[{ title: texts.title }]} needs="listTeams">
      {(organization) => <Teams organization={organization} />}
    </SettingsFrame>
  )
}

function Teams({ organization }: { organization: Organization }) {
  const [search, setSearch] = useState('')
  const [isNaming, setNaming] = useState(false)
  const params = { organizationId: organization.id }
  const title = search.trim()
  const { items, error, reload, ...more } = useList('GET /orgs/{organizationId}/teams', {
    params,
    query: { limit: 100, ...(title !== '' && { title }) },
  })
  const newTeam = organization.permissions.admin && (
    <Button kind="primary" icon="plus" onClick={() => setNaming(true)}>
      {texts.newTeam}
    </Button>
  )
  const isEmpty = items?.length === 0 && title === ''
  return (
    <>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        {!isEmpty && newTeam}
      </div>
      {!isEmpty && (
        <div class="org-filters">
          <TextField label={texts.search} type="search" value={search} onInput={setSearch} />
        </div>
      )}
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {isEmpty && (
        <EmptyState icon="users" title={texts.empty} actions={newTeam}>
          {texts.emptyHint}
        </EmptyState>
      )}
      {items?.length === 0 && title !== '' && <p class="quiet">{texts.nothingFound}</p>}
      {items && items.length > 0 && (
        <ul class="rows">
          {items.map((team) => (
            <li key={team.id}>
              <a class="row" href={appHref(`/orgs/${organization.id}/teams/${team.id}`)}>
                <Icon name="users" />
                <span class="row-title">{team.title}</span>
                <span class="row-facts">
                  <span>{countText(texts.members, team.members)}</span>
                  <span>{countText(texts.spaces, team.spaces)}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={more} />
      {isNaming && (
        <NameDialog
          title={texts.newTeam}
          action={texts.create}
          name=""
          onClose={() => setNaming(false)}
          onSave={async (fields) => {
            const team = await request('PUT /orgs/{organizationId}/teams', { params, body: { title: fields.title } })
            invalidate(`/orgs/${organization.id}/teams`)
            navigate(`/orgs/${organization.id}/teams/${team.id}`)
          }}
        />
      )}
    </>
  )
}
