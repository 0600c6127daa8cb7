import type { ComponentChildren } from 'preact'
import type { Organization } from '../../../contract/organizations.ts'
import { useQuery } from '../../data/query.ts'
import { useShownOrganization } from '../../session.ts'
import { defineTexts } from '../../texts.ts'
import { type Crumb, Frame } from '../../ui/frame.tsx'
import { ErrorState, ForbiddenState, Loading } from '../../ui/states.tsx'
import { SidebarLink } from './organization-frame.tsx'

const texts = defineTexts('organizationSettings', {
  navigation: 'Settings of the organization',
  back: 'Back to the organization',
  general: 'General',
  people: 'People',
  members: 'Members',
  teams: 'Teams',
  security: 'Security',
  sso: 'Single sign-on',
  audit: 'Audit log',
  content: 'Content',
  trash: 'Trash',
})

type Permission = 'listMembers' | 'listTeams' | 'admin'

interface SettingsFrameProps {
  organizationId: string
  /** Crumbs after the organization. */
  crumbs: readonly Crumb[]
  /** Permission that the screen needs. */
  needs: Permission
  children: (organization: Organization) => ComponentChildren
}

/** The frame of screens for administering an organization. Without the permission, it shows who can grant it. */
export function SettingsFrame({ organizationId, crumbs, needs, children }: SettingsFrameProps) {
  const { data: organization, error, reload } = useQuery('GET /orgs/{organizationId}', { params: { organizationId } })
  useShownOrganization(organizationId)
  return (
    <Frame
      crumbs={[{ title: organization?.title ?? '', path: `/orgs/${organizationId}` }, ...crumbs]}
      sidebarLabel={texts.navigation}
      sidebar={<SettingsNavigation organizationId={organizationId} permissions={organization?.permissions} />}
    >
      {!organization &&
        (error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />)}
      {organization && !organization.permissions[needs] && <ForbiddenState />}
      {organization?.permissions[needs] === true && children(organization)}
    </Frame>
  )
}

interface SettingsNavigationProps {
  organizationId: string
  permissions: Organization['permissions'] | undefined
}

function SettingsNavigation({ organizationId, permissions }: SettingsNavigationProps) {
  const path = `/orgs/${organizationId}`
  const isAdmin = permissions?.admin === true
  return (
    <>
      <ul class="sidebar-links">
        <SidebarLink icon="arrow-left" title={texts.back} path={path} />
        {isAdmin && <SidebarLink icon="gear" title={texts.general} path={`${path}/settings`} />}
      </ul>
      <h2 class="sidebar-title">{texts.people}</h2>
      <ul class="sidebar-links">
        {permissions?.listMembers === true && (
          <SidebarLink icon="user" title={texts.members} path={`${path}/members`} />
        )}
        {permissions?.listTeams === true && <SidebarLink icon="users" title={texts.teams} path={`${path}/teams`} />}
      </ul>
      {isAdmin && (
        <>
          <h2 class="sidebar-title">{texts.security}</h2>
          <ul class="sidebar-links">
            <SidebarLink icon="lock" title={texts.sso} path={`${path}/sso`} />
            <SidebarLink icon="shield" title={texts.audit} path={`${path}/audit`} />
          </ul>
          <h2 class="sidebar-title">{texts.content}</h2>
          <ul class="sidebar-links">
            <SidebarLink icon="trash" title={texts.trash} path={`${path}/trash`} />
          </ul>
        </>
      )}
    </>
  )
}
