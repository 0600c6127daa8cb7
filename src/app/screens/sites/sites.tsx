import type { Site } from '../../../contract/site.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { useOrganization } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemList } from '../../ui/item-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { siteTexts as texts } from './site-texts.ts'

/** Lists the sites of an organization with their addresses. */
export default function SitesScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const list = useList('GET /orgs/{organizationId}/sites', {
    params: { organizationId },
    query: { limit: 100 },
  })
  const organization = useOrganization(organizationId)
  const canCreate = organization?.permissions.createContent === true
  const newSite = (
    <LinkButton kind="primary" icon="plus" href={appHref(`/orgs/${organizationId}/new-site`)}>
      {texts.create}
    </LinkButton>
  )
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }]}>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        {canCreate && list.items && list.items.length > 0 && newSite}
      </div>
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="world" title={texts.empty} actions={canCreate && newSite}>
            {texts.emptyHint}
          </EmptyState>
        }
        renderItem={(site) => <SiteRow organizationId={organizationId} site={site} />}
      />
    </OrganizationFrame>
  )
}

function SiteRow({ organizationId, site }: { organizationId: string; site: Site }) {
  const { id, title, published, visibility, urls } = site
  return (
    <a class="row" href={appHref(`/orgs/${organizationId}/sites/${id}`)}>
      <Icon name="world" />
      <span class="row-title row-title-with-text">
        {title}
        {urls.published !== undefined && <span class="row-text">{urls.published.replace(/^https?:\/\//, '')}</span>}
      </span>
      <span class="row-facts">
        {published && <span>{texts[visibility]}</span>}
        <Badge tone={published ? 'success' : 'neutral'} icon={published ? 'circle-check' : 'circle-dashed'}>
          {published ? texts.published : texts.unpublished}
        </Badge>
      </span>
    </a>
  )
}
