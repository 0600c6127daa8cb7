import type { ComponentChildren } from 'preact'
import { appHref } from '../../base-path.ts'
import { address, navigate } from '../../router.ts'
import { useOrganizations, useShownOrganization } from '../../session.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { type Crumb, Frame } from '../../ui/frame.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.ts'
import { Menu } from '../../ui/menu.tsx'
import { CreateMenu } from './create-menu.tsx'
import { SpaceTree } from './space-tree.tsx'

const texts = defineTexts('organization', {
  organization: 'Organization: {name}',
  navigation: 'Organization',
  home: 'Home',
  changeRequests: 'Change requests',
  sites: 'Sites',
  specs: 'API specifications',
  translations: 'Translations',
  settings: 'Settings',
  spaces: 'Spaces',
})

interface OrganizationFrameProps {
  organizationId: string
  /** Crumbs after the organization. */
  crumbs?: readonly Crumb[]
  title?: string
  children: ComponentChildren
}

/** Path of the first screen of the settings that the user may see; only administrators change the organization itself. */
const settingsPath = (organizationId: string, { admin }: { admin: boolean }): string =>
  `/orgs/${organizationId}/${admin ? 'settings' : 'members'}`

/** The frame of screens of an organization: the navigation lists its spaces. */
export function OrganizationFrame({ organizationId, crumbs = [], title, children }: OrganizationFrameProps) {
  const organizations = useOrganizations()
  const organization = organizations?.find(({ id }) => id === organizationId)
  const permissions = organization?.permissions
  useShownOrganization(organizationId)
  return (
    <Frame
      crumbs={[
        { title: organization?.title ?? '', ...(crumbs.length > 0 && { path: `/orgs/${organizationId}` }) },
        ...crumbs,
      ]}
      title={title ?? crumbs.at(-1)?.title ?? texts.home}
      sidebarLabel={texts.navigation}
      sidebar={
        <>
          <div class="sidebar-head">
            <Menu
              label={fillText(texts.organization, { name: organization?.title ?? '' })}
              items={(organizations ?? []).map(({ id, title: name }) => ({
                title: name,
                isChecked: id === organizationId,
                onSelect: () => navigate(`/orgs/${id}`),
              }))}
            >
              {organization?.title ?? ''}
            </Menu>
          </div>
          <ul class="sidebar-links">
            <SidebarLink icon="home" title={texts.home} path={`/orgs/${organizationId}`} />
            <SidebarLink
              icon="git-pull-request"
              title={texts.changeRequests}
              path={`/orgs/${organizationId}/change-requests`}
            />
            <SidebarLink icon="world" title={texts.sites} path={`/orgs/${organizationId}/sites`} />
            {permissions?.listMembers === true && (
              <>
                <SidebarLink icon="code" title={texts.specs} path={`/orgs/${organizationId}/specs`} />
                <SidebarLink icon="language" title={texts.translations} path={`/orgs/${organizationId}/translations`} />
                <SidebarLink icon="gear" title={texts.settings} path={settingsPath(organizationId, permissions)} />
              </>
            )}
          </ul>
          <div class="sidebar-section">
            <h2 class="sidebar-title">{texts.spaces}</h2>
            {permissions?.createContent === true && <CreateMenu organizationId={organizationId} />}
          </div>
          <SpaceTree organizationId={organizationId} />
        </>
      }
    >
      {children}
    </Frame>
  )
}

export function SidebarLink({ icon, title, path }: { icon?: IconName; title: string; path: string }) {
  const isCurrent = address.value.path === path
  return (
    <li>
      <a class="sidebar-link" href={appHref(path)} aria-current={isCurrent ? 'page' : undefined}>
        {icon && <Icon name={icon} />}
        <span>{title}</span>
      </a>
    </li>
  )
}
