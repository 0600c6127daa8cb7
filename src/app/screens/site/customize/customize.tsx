import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { useWholeList } from '../../../data/list.ts'
import { invalidate, useQuery } from '../../../data/query.ts'
import { address, setQuery } from '../../../router.ts'
import { countText, fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm.ts'
import { SelectField } from '../../../ui/fields.tsx'
import { ErrorState, Loading, describeError } from '../../../ui/states.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { SiteFrame } from '../site-frame.tsx'
import { toItemPath } from '../structure/site-tree.ts'
import { ImageSite } from './image-upload.tsx'
import { PreviewFrame } from './preview-frame.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { customizeTexts as texts } from './setting-texts.ts'
import { type Draft, countChanges, readValue, useDraft } from './use-draft.ts'
import { usePreview } from './use-preview.ts'

/** Changes the customization of a site, with a preview for readers. */
export default function CustomizeScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  return (
    <SiteFrame organizationId={organizationId} siteId={siteId} screen="customize" isWide>
      {(site) => <Customize key={site.id} organizationId={organizationId} site={site} />}
    </SiteFrame>
  )
}

function Customize({ organizationId, site }: { organizationId: string; site: Site }) {
  const params = { organizationId, siteId: site.id }
  const scope = address.value.query.get('space') ?? ''
  const { data: saved, error, reload } = useQuery('GET /orgs/{organizationId}/sites/{siteId}/customization', { params })
  const { data: structure } = useQuery('GET /orgs/{organizationId}/sites/{siteId}/structure', { params })
  const { items: siteSpaces } = useWholeList('GET /orgs/{organizationId}/sites/{siteId}/site-spaces', {
    params,
  })
  const ofSpace = useQuery(
    scope === '' ? undefined : 'GET /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    { params: { ...params, siteSpaceId: scope } },
  )
  const savedOfSpace = ofSpace.data
  const { draft, change, clear } = useDraft(site.id)
  const preview = usePreview(params, draft, saved?.updatedAt)
  const path = useSignal('')
  useEffect(() => {
    if (structure && scope !== '') path.value = toItemPath(structure, scope)
  }, [structure, scope])
  const [reset, isResetting] = useAction(async () => {
    const question = { title: texts.removeOverridesTitle, text: texts.removeOverridesText, action: texts.remove }
    if (!(await confirmAction({ ...question, isDangerous: true }))) return
    await request('DELETE /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization', {
      params: { ...params, siteSpaceId: scope },
    })
    invalidate(`/orgs/${organizationId}/sites`)
  })
  const shown = scope === '' ? saved : savedOfSpace
  if (!saved) return error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />
  const changes = scope === '' ? draft.site : (draft.spaces[scope] ?? {})
  return (
    <div class="customize">
      <section class="customize-panel" aria-label={texts.settings}>
        <h1 class="sr-only">{texts.title}</h1>
        {(siteSpaces?.length ?? 0) > 1 && (
          <SelectField
            label={texts.scope}
            value={scope}
            options={[
              { value: '', title: texts.wholeSite },
              ...(siteSpaces ?? []).map(({ id, title }) => ({ value: id, title })),
            ]}
            onChange={(chosen) => setQuery('space', chosen || undefined)}
          />
        )}
        {shown ? (
          <ImageSite value={params}>
            <SettingsPanel
              key={scope}
              isSpace={scope !== ''}
              read={(name) => readValue(shown, changes, name)}
              change={(name, value) => change(scope, shown, name, value)}
            />
          </ImageSite>
        ) : ofSpace.error ? (
          <ErrorState error={ofSpace.error} onRetry={() => void ofSpace.reload()} />
        ) : (
          <Loading />
        )}
        {scope !== '' && savedOfSpace?.hasOverrides === true && (
          <Button icon="arrow-back-up" isBusy={isResetting} onClick={() => void reset()}>
            {texts.removeOverrides}
          </Button>
        )}
        <SaveBar params={params} draft={draft} isPublished={site.published} clear={clear} />
      </section>
      <section class="customize-preview" aria-label={texts.preview}>
        {preview.error && (
          <p class="customize-error" role="alert">
            {fillText(texts.previewFailed, { reason: describeError(preview.error) })}
          </p>
        )}
        {siteSpaces?.length === 0 && <p class="quiet">{texts.noSpaces}</p>}
        {preview.base !== undefined && siteSpaces && siteSpaces.length > 0 && (
          <PreviewFrame
            base={preview.base}
            path={path.value}
            defaultMode={readValue(saved, draft.site, 'themes.default') === 'dark' ? 'dark' : 'light'}
          />
        )}
      </section>
    </div>
  )
}

interface SaveBarProps {
  params: { organizationId: string; siteId: string }
  draft: Draft
  isPublished: boolean
  clear: () => void
}

function SaveBar({ params, draft, isPublished, clear }: SaveBarProps) {
  const count = countChanges(draft)
  const [save, isSaving] = useAction(async () => {
    if (Object.keys(draft.site).length > 0)
      await request('PATCH /orgs/{organizationId}/sites/{siteId}/customization', {
        params,
        body: draft.site,
      })
    for (const [siteSpaceId, changes] of Object.entries(draft.spaces))
      await request('PATCH /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization', {
        params: { ...params, siteSpaceId },
        body: changes,
      })
    clear()
    invalidate(`/orgs/${params.organizationId}/sites`)
    showToast(isPublished ? texts.saved : texts.savedUnpublished)
  })
  const discard = async () => {
    const question = { title: texts.discardTitle, text: texts.discardText, action: texts.discard, isDangerous: true }
    if (await confirmAction(question)) clear()
  }
  return (
    <div class="customize-save">
      <span class="quiet" role="status">
        {count === 0 ? texts.noChanges : countText(texts.unsaved, count)}
      </span>
      <Button disabled={count === 0 || isSaving} onClick={() => void discard()}>
        {texts.discard}
      </Button>
      <Button kind="primary" isBusy={isSaving} disabled={count === 0} onClick={() => void save()}>
        {texts.save}
      </Button>
    </div>
  )
}
