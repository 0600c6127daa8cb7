import type { ComponentChildren } from 'preact'
import type { Space } from '../../../contract/space.ts'
import { useQuery } from '../../data/query.ts'
import { useOrganization, useShownOrganization } from '../../session.ts'
import { defineTexts } from '../../texts.ts'
import { type Crumb, Frame } from '../../ui/frame.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { AccessButton } from '../access/access-button.tsx'
import { SidebarLink } from '../organization/organization-frame.tsx'
import { PageTree } from './page-tree.tsx'

const texts = defineTexts('space', {
  navigation: 'Pages',
  changeRequests: 'Change requests',
  history: 'History',
  search: 'Search',
  replace: 'Find and replace',
  files: 'Files',
  reusable: 'Reusable content',
  variables: 'Variables',
  links: 'Links',
  git: 'Git',
  settings: 'Settings',
})

interface SpaceFrameProps {
  spaceId: string
  /** Number or ID of the change request whose content is shown; without it, the live content. */
  changeRequest?: string | undefined
  /** ID of the earlier revision whose content is shown. */
  revision?: string | undefined
  /** ID of the current page. */
  pageId?: string | undefined
  /** Crumbs after the space. */
  crumbs?: readonly Crumb[]
  title?: string | undefined
  /** Navigation instead of the pages of the space. */
  sidebar?: ComponentChildren
  sidebarLabel?: string | undefined
  aside?: ComponentChildren
  asideLabel?: string
  isWide?: boolean
  /** Renders the content as soon as the space is loaded. */
  children: (space: Space) => ComponentChildren
}

/** The frame of screens of a space: the navigation shows its pages. */
export function SpaceFrame({
  spaceId,
  changeRequest,
  revision,
  pageId,
  crumbs = [],
  title,
  sidebar,
  sidebarLabel,
  aside,
  asideLabel,
  isWide = false,
  children,
}: SpaceFrameProps) {
  const { data: space, error, reload } = useQuery('GET /spaces/{spaceId}', { params: { spaceId } })
  const organization = useOrganization(space?.organization)
  useShownOrganization(space?.organization)
  const path = `/spaces/${spaceId}`
  const contentPath = changeRequest === undefined ? path : `${path}/change-requests/${changeRequest}`
  return (
    <Frame
      crumbs={[
        ...(organization ? [{ title: organization.title, path: `/orgs/${organization.id}` }] : []),
        ...(space ? [{ title: space.title, ...(crumbs.length > 0 && { path }) }] : []),
        ...crumbs,
      ]}
      title={title}
      isWide={isWide}
      aside={aside}
      {...(asideLabel !== undefined && { asideLabel })}
      sidebarLabel={sidebarLabel ?? texts.navigation}
      sidebar={
        sidebar ??
        (space && (
          <>
            <PageTree space={space} changeRequest={changeRequest} revision={revision} pageId={pageId} />
            <ul class="sidebar-links sidebar-tools">
              <SidebarLink icon="search" title={texts.search} path={`${path}/search`} />
              {space.permissions.edit && (
                <SidebarLink icon="replace" title={texts.replace} path={`${contentPath}/replace`} />
              )}
              <SidebarLink icon="git-pull-request" title={texts.changeRequests} path={`${path}/change-requests`} />
              <SidebarLink icon="history" title={texts.history} path={`${path}/history`} />
              <SidebarLink icon="files" title={texts.files} path={`${contentPath}/files`} />
              <SidebarLink icon="stack" title={texts.reusable} path={`${contentPath}/reusable`} />
              <SidebarLink icon="variable" title={texts.variables} path={`${contentPath}/variables`} />
              <SidebarLink icon="link" title={texts.links} path={`${path}/links`} />
              {(space.gitSync !== undefined || space.permissions.installIntegration) && (
                <SidebarLink icon="brand-git" title={texts.git} path={`${path}/git`} />
              )}
              {space.permissions.admin && (
                <li>
                  <AccessButton
                    inSidebar
                    target={{ kind: 'space', id: space.id, organizationId: space.organization, title: space.title }}
                  />
                </li>
              )}
              {space.permissions.admin && <SidebarLink icon="gear" title={texts.settings} path={`${path}/settings`} />}
            </ul>
          </>
        ))
      }
    >
      {space ? (
        children(space)
      ) : error ? (
        <ErrorState isWholeScreen error={error} onRetry={() => void reload()} />
      ) : (
        <Loading />
      )}
    </Frame>
  )
}
