import { useSignal } from '@preact/signals'
import type { SiteVisibility } from '../../../contract/site.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { ErrorState } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { siteTexts } from '../sites/site-texts.ts'
import { newSiteTexts as texts } from './new-site-texts.ts'
import { useNewSite } from './use-site.ts'
import { Wizard } from './wizard.tsx'

const visibilities: readonly SiteVisibility[] = ['public', 'unlisted', 'share-link', 'visitor-auth']

/** Fourth step: who can read the site. */
export default function AudienceStep({ params }: { params: Readonly<Record<string, string>> }) {
  const { ids, path, data: site, error, reload } = useNewSite(params)
  const chosen = useSignal<SiteVisibility | undefined>(undefined)
  const visibility = chosen.value ?? site?.visibility
  const [save, isSaving] = useAction(async () => {
    if (visibility !== undefined && visibility !== site?.visibility) {
      await request('PATCH /orgs/{organizationId}/sites/{siteId}', { params: ids, body: { visibility } })
      invalidate(`/orgs/${ids.organizationId}/sites`)
    }
    navigate(`${path}/publish`)
  })
  return (
    <Wizard
      organizationId={ids.organizationId}
      step="audience"
      title={texts.audienceTitle}
      backPath={`${path}/look`}
      action={texts.next}
      isBusy={isSaving}
      isComplete={site !== undefined}
      onContinue={() => void save()}
    >
      {error && <ErrorState error={error} onRetry={() => void reload()} />}
      {site && (
        <fieldset class="radio-choice">
          <legend class="sr-only">{texts.audience}</legend>
          <div class="template-list">
            {visibilities.map((one) => (
              <label key={one} class="template">
                <input
                  type="radio"
                  name="visibility"
                  checked={one === visibility}
                  onChange={() => (chosen.value = one)}
                />
                <span class="template-about">
                  <strong>{siteTexts[one]}</strong>
                  <span>{texts[`${one}Hint`]}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Wizard>
  )
}
