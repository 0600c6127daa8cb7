import type { Site } from '../../../../contract/site.ts'
import { useQuery } from '../../../data/query.ts'
import { ErrorState, Loading } from '../../../ui/states.tsx'
import { SiteFrame } from '../site-frame.tsx'
import { ConnectedDomain } from './connected-domain.tsx'
import { ConnectForm } from './connect-form.tsx'
import { domainTexts as texts } from './domain-texts.ts'
import { ProxyForm } from './proxy-form.tsx'

/** Domain of a site: the form that connects it, the state of its DNS records, and a path of another website. */
export default function SiteDomainScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  return (
    <SiteFrame organizationId={organizationId} siteId={siteId} screen="domain">
      {(site) => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <p class="quiet site-address">
            {site.urls.published === undefined ? (
              texts.unpublished
            ) : (
              <>
                {texts.current}{' '}
                <a href={site.urls.published} target="_blank" rel="noopener">
                  {site.urls.published}
                </a>
              </>
            )}
          </p>
          <CustomDomain organizationId={organizationId} site={site} />
          <ProxyForm key={site.proxy?.origin} organizationId={organizationId} site={site} />
        </>
      )}
    </SiteFrame>
  )
}

function CustomDomain({ organizationId, site }: { organizationId: string; site: Site }) {
  const { data, error, reload } = useQuery('GET /orgs/{organizationId}/sites/{siteId}/custom-hostnames', {
    params: { organizationId, siteId: site.id },
  })
  const [claim] = data?.items ?? []
  return (
    <section class="section">
      <h2>{texts.custom}</h2>
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && !claim && <ConnectForm organizationId={organizationId} site={site} />}
      {claim && <ConnectedDomain organizationId={organizationId} site={site} claim={claim} onReload={reload} />}
    </section>
  )
}
