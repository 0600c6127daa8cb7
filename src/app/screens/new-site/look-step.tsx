import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { address, navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { ErrorState, Loading, describeError } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PreviewFrame } from '../site/customize/preview-frame.tsx'
import { SettingField } from '../site/customize/setting-field.tsx'
import { customizeTexts } from '../site/customize/setting-texts.ts'
import { settingGroups } from '../site/customize/settings.ts'
import { readValue, useDraft } from '../site/customize/use-draft.ts'
import { usePreview } from '../site/customize/use-preview.ts'
import { newSiteTexts as texts } from './new-site-texts.ts'
import { useNewSite } from './use-site.ts'
import { Wizard } from './wizard.tsx'

/** Paths of the settings in this step; all others are under Customize. */
const askedPaths: ReadonlySet<string> = new Set(['styling.theme', 'styling.primaryColor'])
const askedSettings = settingGroups.flatMap(({ settings }) => settings).filter(({ path }) => askedPaths.has(path))

/** Third step: theme and color, with a preview of the site. */
export default function LookStep({ params }: { params: Readonly<Record<string, string>> }) {
  const { ids, path, data: site, error, reload, spaces } = useNewSite(params)
  const settings = useQuery('GET /orgs/{organizationId}/sites/{siteId}/customization', { params: ids })
  const { data: saved } = settings
  const [first] = spaces ?? []
  const { data: space } = useQuery(first ? 'GET /spaces/{spaceId}' : undefined, {
    params: { spaceId: first?.space.id ?? '' },
  })
  const { draft, change, clear } = useDraft(ids.siteId)
  // The preview is created again when an import has added pages.
  const preview = usePreview(
    site?.permissions.edit === true ? ids : undefined,
    draft,
    `${saved?.updatedAt} ${space?.revision}`,
  )
  const importPath = address.value.query.get('import')
  const [save, isSaving] = useAction(async () => {
    if (Object.keys(draft.site).length > 0) {
      await request('PATCH /orgs/{organizationId}/sites/{siteId}/customization', {
        params: ids,
        body: draft.site,
      })
      invalidate(`/orgs/${ids.organizationId}/sites`)
      clear()
    }
    navigate(`${path}/audience`)
  })
  return (
    <Wizard
      organizationId={ids.organizationId}
      step="look"
      title={texts.lookTitle}
      action={texts.next}
      isBusy={isSaving}
      isComplete={saved !== undefined}
      onContinue={() => void save()}
    >
      {error && <ErrorState error={error} onRetry={() => void reload()} />}
      {!saved &&
        !error &&
        (settings.error ? <ErrorState error={settings.error} onRetry={() => void settings.reload()} /> : <Loading />)}
      <p class="quiet">{texts.created}</p>
      {importPath?.startsWith(`/orgs/${ids.organizationId}/`) && (
        <p>
          {texts.importing}{' '}
          <a href={appHref(importPath)} target="_blank">
            {texts.seeImport}
          </a>
        </p>
      )}
      {saved && (
        <div class="customize-fields">
          {askedSettings.map((setting) => (
            <SettingField
              key={setting.path}
              setting={setting}
              read={(name) => readValue(saved, draft.site, name)}
              change={(name, value) => change('', saved, name, value)}
            />
          ))}
        </div>
      )}
      <p class="quiet">{texts.moreLook}</p>
      {preview.error && (
        <p class="customize-error" role="alert">
          {fillText(customizeTexts.previewFailed, { reason: describeError(preview.error) })}
        </p>
      )}
      {preview.base !== undefined && (
        <div class="wizard-preview">
          <PreviewFrame base={preview.base} path="" defaultMode="light" />
        </div>
      )}
    </Wizard>
  )
}
