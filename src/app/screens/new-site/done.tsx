import type { Site } from '../../../contract/site.ts'
import { appHref } from '../../base-path.ts'
import { useQuery } from '../../data/query.ts'
import { useOrganization } from '../../session.ts'
import { fillText } from '../../texts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.ts'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { newSiteTexts as texts } from './new-site-texts.ts'
import { useNewSite } from './use-site.ts'

/** Last screen of creating a site: its address and the next steps. */
export default function DoneScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { ids, data: site, error, reload } = useNewSite(params)
  const { data: links } = useQuery(
    site?.visibility === 'share-link' ? 'GET /orgs/{organizationId}/sites/{siteId}/share-links' : undefined,
    { params: ids, query: { limit: 100 } },
  )
  const shared = links?.items.find(({ active }) => active)?.urls.published
  const url = shared ?? site?.urls.published
  return (
    <OrganizationFrame organizationId={ids.organizationId} crumbs={[{ title: texts.title }]}>
      {!site && (error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />)}
      {site && (
        <div class="wizard">
          <h1 class="screen-title">
            <Icon name="circle-check" size={24} /> {fillText(texts.doneTitle, { title: site.title })}
          </h1>
          {url !== undefined && (
            <CopyField label={shared === undefined ? texts.address : texts.shareLink} value={url} />
          )}
          <div class="wizard-actions">
            {url !== undefined && (
              <LinkButton kind="primary" href={url} icon="external-link" target="_blank" rel="noopener">
                {texts.open}
              </LinkButton>
            )}
            <LinkButton href={appHref(`/orgs/${ids.organizationId}/sites/${ids.siteId}`)}>{texts.overview}</LinkButton>
          </div>
          <NextSteps organizationId={ids.organizationId} site={site} />
        </div>
      )}
    </OrganizationFrame>
  )
}

function NextSteps({ organizationId, site }: { organizationId: string; site: Site }) {
  const organization = useOrganization(organizationId)
  const path = `/orgs/${organizationId}/sites/${site.id}`
  const next: { icon: IconName; title: string; hint: string; path: string }[] = [
    ...(site.visibility === 'visitor-auth'
      ? [{ icon: 'lock' as const, title: texts.signIn, hint: texts.signInHint, path: `${path}/access` }]
      : []),
    ...(organization?.permissions.admin === true
      ? [
          {
            icon: 'user-plus' as const,
            title: texts.invite,
            hint: texts.inviteHint,
            path: `/orgs/${organizationId}/members`,
          },
        ]
      : []),
    { icon: 'world', title: texts.domain, hint: texts.domainHint, path: `${path}/domain` },
  ]
  return (
    <ul class="ways section">
      {next.map(({ icon, title, hint, path: target }) => (
        <li key={target}>
          <a class="way" href={appHref(target)}>
            <Icon name={icon} size={20} />
            <strong>{title}</strong>
            <span>{hint}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
