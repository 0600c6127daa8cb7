import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { Fact, FactList } from '../../ui/facts.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { siteTexts } from '../sites/site-texts.ts'
import { newSiteTexts as texts } from './new-site-texts.ts'
import { useNewSite } from './use-site.ts'
import { Wizard } from './wizard.tsx'

/** Last step: publishing. A site with share links gets its first link. */
export default function PublishStep({ params }: { params: Readonly<Record<string, string>> }) {
  const { ids, path, data: site, error, reload, spaces } = useNewSite(params)
  const [publish, isPublishing] = useAction(async () => {
    if (site?.visibility === 'share-link') await ensureShareLink(ids)
    await request('POST /orgs/{organizationId}/sites/{siteId}/publish', { params: ids })
    invalidate(`/orgs/${ids.organizationId}/sites`)
    navigate(`${path}/done`)
  })
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
        <FactList>
          <Fact name={texts.summaryName}>{site.title}</Fact>
          <Fact name={texts.summaryAudience}>{texts[`${site.visibility}Hint`]}</Fact>
          <Fact name={texts.summarySpaces}>{(spaces ?? []).map(({ title }) => title).join(', ')}</Fact>
          <Fact name={siteTexts.published}>{site.published ? site.urls.published : siteTexts.unpublished}</Fact>
        </FactList>
      )}
    </Wizard>
  )
}

async function ensureShareLink(params: { organizationId: string; siteId: string }): Promise<void> {
  const { items } = await request('GET /orgs/{organizationId}/sites/{siteId}/share-links', {
    params,
    query: { limit: 100 },
  })
  if (items.some(({ active }) => active)) return
  await request('POST /orgs/{organizationId}/sites/{siteId}/share-links', {
    params,
    body: { name: texts.shareLinkName },
  })
}
