import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { ErrorState } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { siteTexts } from '../sites/site-texts.ts'
import { newSiteTexts as texts } from './new-site-texts.ts'
import { useNewSite } from './use-site.ts'
import { Wizard } from './wizard.tsx'

/** Last step: publishing. A site that is open with secret links gets a first one. */
export default function PublishStep({ params }: { params: Readonly<Record<string, string>> }) {
  const { ids, path, data: site, error, reload, spaces } = useNewSite(params)
  const [publish, isPublishing] = useAction(async () => {
    if (site?.visibility === 'share-link') await ensureShareLink(ids)
    await request('POST /orgs/{organizationId}/sites/{siteId}/publish', { params: ids })
    invalidate(`/orgs/${ids.organizationId}/sites`)
    navigate(`${path}/done`)
  })
  const facts = site && [
    { name: texts.summaryName, value: site.title },
    { name: texts.summaryAudience, value: texts[`${site.visibility}Hint`] },
    { name: texts.summarySpaces, value: (spaces ?? []).map(({ title }) => title).join(', ') },
  ]
  return (
    <Wizard
      organizationId={ids.organizationId}
      step="publish"
      title={texts.publishTitle}
      backPath={`${path}/audience`}
      action={texts.publishAction}
      isBusy={isPublishing}
      isComplete={site !== undefined}
      onContinue={() => void publish()}
    >
      {error && <ErrorState error={error} onRetry={() => void reload()} />}
      <p class="quiet">{texts.publishHint}</p>
      {site && (
        <dl class="wizard-summary">
          {facts?.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <div>
            <dt>{siteTexts.published}</dt>
            <dd>{site.published ? site.urls.published : siteTexts.unpublished}</dd>
          </div>
        </dl>
      )}
    </Wizard>
  )
}

async function ensureShareLink(params: { organizationId: string; siteId: string }): Promise<void> {
  const { items } = await request('GET /orgs/{organizationId}/sites/{siteId}/share-links', {
    params,
    query: { limit: 1 },
  })
  if (items.length > 0) return
  await request('POST /orgs/{organizationId}/sites/{siteId}/share-links', {
    params,
    body: { name: texts.shareLinkName },
  })
}
