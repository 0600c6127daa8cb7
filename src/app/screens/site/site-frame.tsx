import type { ComponentChildren } from 'preact'
import type { Site } from '../../../contract/site.ts'
import { useQuery } from '../../data/query.ts'
import { useOrganization, useShownOrganization } from '../../session.ts'
import { defineTexts } from '../../texts.ts'
import { Frame } from '../../ui/frame.tsx'
import { ErrorState, ForbiddenState, Loading } from '../../ui/states.tsx'
import { SidebarLink } from '../organization/organization-frame.tsx'

const texts = defineTexts('siteFrame', {
  navigation: 'Site',
  sites: 'Sites',
  overview: 'Overview',
  structure: 'Structure',
  customize: 'Customize',
  domain: 'Domain',
  access: 'Access',
  redirects: 'Redirects',
  insights: 'Insights',
  settings: 'Settings',
})

/** Screens of a site after the overview, for members who may change it. */
const screens = [
  { name: 'structure', icon: 'list-tree' },
  { name: 'customize', icon: 'palette' },
  { name: 'domain', icon: 'world' },
  { name: 'access', icon: 'lock' },
  { name: 'redirects', icon: 'arrow-right' },
  { name: 'insights', icon: 'eye' },
  { name: 'settings', icon: 'gear' },
] as const

type SiteScreen = (typeof screens)[number]['name']

interface SiteFrameProps {
  organizationId: string
  siteId: string
  /** The current screen; undefined for the overview. */
  screen?: SiteScreen
  isWide?: boolean
  /** Renders the content as soon as the site is loaded; except for the overview, only for members who may change the site. */
  children: (site: Site) => ComponentChildren
}

/** The frame of screens of a site: the navigation lists the screens that the user may open. */
export function SiteFrame({ organizationId, siteId, screen, isWide = false, children }: SiteFrameProps) {
  const {
    data: site,
    error,
    reload,
  } = useQuery('GET /orgs/{organizationId}/sites/{siteId}', { params: { organizationId, siteId } })
  const organization = useOrganization(organizationId)
  useShownOrganization(organizationId)
  const path = `/orgs/${organizationId}/sites/${siteId}`
  return (
    <Frame
      crumbs={[
        { title: organization?.title ?? '', path: `/orgs/${organizationId}` },
        { title: texts.sites, path: `/orgs/${organizationId}/sites` },
        { title: site?.title ?? '', ...(screen && { path }) },
        ...(screen ? [{ title: texts[screen] }] : []),
      ]}
      isWide={isWide}
      sidebarLabel={texts.navigation}
      sidebar={
        <ul class="sidebar-links">
          <SidebarLink icon="home" title={texts.overview} path={path} />
          {site?.permissions.edit === true &&
            screens.map(({ name, icon }) => (
              <SidebarLink key={name} icon={icon} title={texts[name]} path={`${path}/${name}`} />
            ))}
        </ul>
      }
    >
      {!site && (error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />)}
      {site && (screen === undefined || site.permissions.edit) && children(site)}
      {site && screen !== undefined && !site.permissions.edit && <ForbiddenState />}
    </Frame>
  )
}
