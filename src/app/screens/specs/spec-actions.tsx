import { useSignal } from '@preact/signals'
import type { OpenAPISpec } from '../../../contract/openapi-spec.ts'
import { request } from '../../api.ts'
import { deleteShown, invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { downloadText } from '../../ui/download.ts'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { SourceDialog, saveSource } from './source-dialog.tsx'
import { specTexts as texts } from './spec-texts.ts'

interface SpecProps {
  organizationId: string
  spec: OpenAPISpec
}

/** Actions of a specification for people who may change it. */
export function SpecActions({ organizationId, spec }: SpecProps) {
  const isReplacing = useSignal(false)
  const { sourceURL, visibility, lastVersion, processingState } = spec
  const [refresh, isRefreshing] = useAction(() => saveSource(organizationId, spec.slug, true, { url: sourceURL ?? '' }))
  const [run] = useAction((action: (spec: SpecProps) => Promise<void>) => action({ organizationId, spec }))
  return (
    <div class="toolbar">
      {sourceURL !== undefined && (
        <Button
          icon="refresh"
          isBusy={isRefreshing}
          disabled={processingState !== 'complete'}
          onClick={() => void refresh()}
        >
          {texts.refresh}
        </Button>
      )}
      <Button icon="upload" onClick={() => (isReplacing.value = true)}>
        {texts.replace}
      </Button>
      <Menu
        label={uiTexts.more}
        icon="dots"
        kind="secondary"
        items={[
          {
            title: visibility === 'public' ? texts.makePrivate : texts.makePublic,
            icon: visibility === 'public' ? 'lock' : 'world',
            onSelect: () => void run(toggleVisibility),
          },
          lastVersion !== undefined && {
            title: texts.download,
            icon: 'download',
            onSelect: () => void run(downloadSource),
          },
          {
            title: texts.remove,
            icon: 'trash',
            isDangerous: true,
            startsGroup: true,
            onSelect: () => void run(deleteSpec),
          },
        ]}
      />
      {isReplacing.value && (
        <SourceDialog organizationId={organizationId} spec={spec} onClose={() => (isReplacing.value = false)} />
      )}
    </div>
  )
}

async function toggleVisibility({ organizationId, spec }: SpecProps): Promise<void> {
  const visibility = spec.visibility === 'public' ? 'private' : 'public'
  const params = { organizationId, specSlug: spec.slug }
  await request('PATCH /orgs/{organizationId}/openapi/{specSlug}', { params, body: { visibility } })
  invalidate(`/orgs/${organizationId}/openapi`)
  showToast(visibility === 'public' ? texts.madePublic : texts.madePrivate)
}

async function downloadSource({ organizationId, spec: { slug } }: SpecProps): Promise<void> {
  const { text, format } = await request('GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content/raw', {
    params: { organizationId, specSlug: slug },
  })
  downloadText(`${slug}.${format}`, format === 'json' ? 'application/json' : 'application/yaml', text)
}

async function deleteSpec({ organizationId, spec: { slug } }: SpecProps): Promise<void> {
  const isConfirmed = await confirmAction({
    title: fillText(texts.removeTitle, { name: slug }),
    text: texts.removeText,
    action: texts.remove,
    isDangerous: true,
  })
  if (!isConfirmed) return
  await deleteShown(`/orgs/${organizationId}/openapi/${slug}`, () =>
    request('DELETE /orgs/{organizationId}/openapi/{specSlug}', { params: { organizationId, specSlug: slug } }),
  )
  navigate(`/orgs/${organizationId}/specs`)
  invalidate(`/orgs/${organizationId}/openapi`)
  showToast(texts.removed)
}
