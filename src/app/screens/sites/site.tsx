import type { Site } from '../../../contract/site.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { siteTexts } from './site-texts.ts'

const texts = defineTexts('site', {
  open: 'Open the site',
  publish: 'Publish',
  unpublish: 'Unpublish',
  unpublishTitle: 'Unpublish “{title}”?',
  unpublishText: 'Its address stops working for everyone until it is published again.',
  spaces: 'Spaces of this site',
  noSpaces: 'This site has no spaces yet.',
})

/** A site: its address, its state, and the spaces that it publishes. */
export default function SiteScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  const {
    data: site,
    error,
    reload,
  } = useQuery('GET /orgs/{organizationId}/sites/{siteId}', {
    params: { organizationId, siteId },
  })
  return (
    <OrganizationFrame
      organizationId={organizationId}
      crumbs={[{ title: siteTexts.title, path: `/orgs/${organizationId}/sites` }, { title: site?.title ?? '' }]}
    >
      {!site && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {site && (
        <>
          <h1 class="screen-title">{site.title}</h1>
          <SiteState organizationId={organizationId} site={site} />
          <SiteSpaces organizationId={organizationId} siteId={siteId} />
        </>
      )}
    </OrganizationFrame>
  )
}

function SiteState({ organizationId, site }: { organizationId: string; site: Site }) {
  const { id: siteId, title, published, visibility, urls, permissions } = site
  const params = { organizationId, siteId }
  const [toggle, isRunning] = useAction(async () => {
    if (published) {
      const isConfirmed = await confirmAction({
        title: fillText(texts.unpublishTitle, { title }),
        text: texts.unpublishText,
        action: texts.unpublish,
      })
      if (!isConfirmed) return
      await request('POST /orgs/{organizationId}/sites/{siteId}/unpublish', { params })
    } else await request('POST /orgs/{organizationId}/sites/{siteId}/publish', { params })
    invalidate(`/orgs/${organizationId}/sites`)
  })
  return (
    <p class="toolbar">
      <Badge tone={published ? 'success' : 'neutral'}>{published ? siteTexts.published : siteTexts.unpublished}</Badge>
      <span class="quiet">{siteTexts[visibility]}</span>
      {urls.published !== undefined && (
        <LinkButton href={urls.published} icon="external-link" target="_blank" rel="noopener">
          {texts.open}
        </LinkButton>
      )}
      {permissions.create && (
        <Button kind={published ? 'secondary' : 'primary'} isBusy={isRunning} onClick={() => void toggle()}>
          {published ? texts.unpublish : texts.publish}
        </Button>
      )}
    </p>
  )
}

function SiteSpaces({ organizationId, siteId }: { organizationId: string; siteId: string }) {
  const { items, error, reload } = useList('GET /orgs/{organizationId}/sites/{siteId}/site-spaces', {
    params: { organizationId, siteId },
    query: { limit: 1000 },
  })
  return (
    <section class="section">
      <h2>{texts.spaces}</h2>
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && <p class="quiet">{texts.noSpaces}</p>}
      {items && items.length > 0 && (
        <ul class="rows">
          {items.map(({ id, title, path, space }) => (
            <li key={id}>
              <a class="row" href={appHref(`/spaces/${space.id}`)}>
                <Icon name="book" />
                <span class="row-title">{title}</span>
                <span class="row-facts">/{path}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
