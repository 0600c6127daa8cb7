import type { Site, SiteSpace } from '../../../../contract/site.ts'
import { appHref } from '../../../base-path.ts'
import { useWholeList } from '../../../data/list.ts'
import { fillText } from '../../../texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ErrorState, Loading } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { siteTexts } from '../../sites/site-texts.ts'
import { AccessButton } from '../../access/access-button.tsx'
import { SiteFrame } from '../site-frame.tsx'
import { usePublishing } from '../use-publishing.ts'
import { overviewTexts as texts } from './overview-texts.ts'
import { SiteProblems } from './problems.tsx'

/** Overview of a site: its address, its state, the spaces that it publishes, and problems. */
export default function SiteOverviewScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  const { items, error, reload } = useWholeList('GET /orgs/{organizationId}/sites/{siteId}/site-spaces', {
    params: { organizationId, siteId },
  })
  return (
    <SiteFrame organizationId={organizationId} siteId={siteId}>
      {(site) => (
        <>
          <h1 class="screen-title">{site.title}</h1>
          <SiteState organizationId={organizationId} site={site} />
          {items && <SiteProblems organizationId={organizationId} site={site} siteSpaces={items} />}
          <section class="section">
            <h2>{texts.spaces}</h2>
            {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
            {items && <SpaceRows organizationId={organizationId} site={site} siteSpaces={items} />}
          </section>
        </>
      )}
    </SiteFrame>
  )
}

function SiteState({ organizationId, site }: { organizationId: string; site: Site }) {
  const { id: siteId, title, published, visibility, urls, permissions } = site
  const [toggle, isRunning] = usePublishing(organizationId, site)
  const readers = texts[`readers-${visibility}`]
  return (
    <div class="site-state">
      <p class="toolbar">
        <Badge tone={published ? 'success' : 'neutral'} icon={published ? 'circle-check' : 'circle-dashed'}>
          {published ? siteTexts.published : siteTexts.unpublished}
        </Badge>
        <span class="quiet">{fillText(published ? texts.readersNow : texts.whenPublished, { readers })}</span>
      </p>
      {urls.published === undefined ? (
        !published && <p class="quiet">{texts.noAddress}</p>
      ) : (
        <CopyField label={texts.address} value={urls.published} />
      )}
      <div class="toolbar">
        {urls.published !== undefined && (
          <LinkButton href={urls.published} icon="external-link" target="_blank" rel="noopener">
            {texts.open}
          </LinkButton>
        )}
        {permissions.admin && <AccessButton target={{ kind: 'site', id: siteId, organizationId, title }} />}
        {permissions.create && (
          <Button kind={published ? 'secondary' : 'primary'} isBusy={isRunning} onClick={() => void toggle()}>
            {published ? texts.unpublish : texts.publish}
          </Button>
        )}
        {permissions.edit && !published && (
          <LinkButton href={appHref(`/orgs/${organizationId}/new-site/${siteId}/look`)}>
            {texts.continueSetup}
          </LinkButton>
        )}
      </div>
    </div>
  )
}

interface SpaceRowsProps {
  organizationId: string
  site: Site
  siteSpaces: readonly SiteSpace[]
}

function SpaceRows({ organizationId, site, siteSpaces }: SpaceRowsProps) {
  if (siteSpaces.length === 0)
    return (
      <>
        <p class="quiet">{texts.noSpaces}</p>
        {site.permissions.edit && (
          <LinkButton icon="plus" href={appHref(`/orgs/${organizationId}/sites/${site.id}/structure`)}>
            {texts.addSpaces}
          </LinkButton>
        )}
      </>
    )
  return (
    <ul class="rows">
      {siteSpaces.map(({ id, title, path, space, draft }) => (
        <li key={id}>
          <a class="row" href={appHref(`/spaces/${space.id}`)}>
            <Icon name="book" />
            <span class="row-title">{title}</span>
            <span class="row-facts">
              {draft && <Badge icon="eye-off">{texts.hidden}</Badge>}
              <span>/{path}</span>
              <Time at={space.updatedAt} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
