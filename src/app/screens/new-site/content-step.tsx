import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { request } from '../../api.ts'
import { useWholeList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { address, navigate, setQuery } from '../../router.ts'
import { SelectField } from '../../ui/fields.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SourceChoice } from '../new-space/source-choice.tsx'
import { SourceFields } from '../new-space/source-fields.tsx'
import { type Source, sources } from '../new-space/sources.ts'
import { type StartedSpace, maxTitleLength } from '../new-space/start-space.ts'
import { useNewSpace } from '../new-space/use-new-space.ts'
import { canPublishSpace } from '../site/structure/structure-actions.ts'
import { readNewSite, removeNewSite, titleLengths } from './new-site-draft.ts'
import { newSiteTexts as texts } from './new-site-texts.ts'
import { Wizard } from './wizard.tsx'

/** Second step: an existing space, or new content. Then the site is created without publishing it. */
export default function ContentStep({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const { title } = readNewSite(organizationId)
  const { query } = address.value
  const source = sources.find((one) => one === query.get('from')) ?? 'template'
  const form = useNewSpace(organizationId, source, '')
  const { items } = useWholeList('GET /orgs/{organizationId}/spaces', { params: { organizationId } })
  const spaces = (items ?? []).filter(canPublishSpace)
  const isExisting = query.get('use') === 'existing' && spaces.length > 0
  const chosen = useSignal<string | undefined>(undefined)
  const spaceId = chosen.value ?? spaces[0]?.id ?? ''
  // If creating the site fails, the next attempt uses the same space.
  const created = useRef<StartedSpace & { source: Source }>(undefined)
  // After a reload without a name, or after the site was created, the first step is shown.
  useEffect(() => {
    if (title.length < titleLengths.min) navigate(`/orgs/${organizationId}/new-site`, { replace: true })
  }, [])
  const [create, isCreating] = useAction(async () => {
    if (form.title.value === '') form.title.value = title.slice(0, maxTitleLength)
    if (!isExisting && created.current?.source !== source) created.current = { source, ...(await form.create()) }
    const started = isExisting ? { spaceId, path: '' } : (created.current as StartedSpace)
    const site = await request('POST /orgs/{organizationId}/sites', {
      params: { organizationId },
      body: { title, spaces: [started.spaceId] },
    })
    removeNewSite(organizationId)
    invalidate(`/orgs/${organizationId}`)
    const isImport = !isExisting && source !== 'template' && source !== 'blank'
    const progress = isImport ? `?import=${encodeURIComponent(started.path)}` : ''
    navigate(`/orgs/${organizationId}/new-site/${site.id}/look${progress}`)
  })
  return (
    <Wizard
      organizationId={organizationId}
      step="content"
      title={texts.contentTitle}
      backPath={`/orgs/${organizationId}/new-site`}
      action={texts.create}
      isBusy={isCreating}
      isComplete={title.length >= titleLengths.min && (isExisting ? spaceId !== '' : form.isComplete)}
      onContinue={() => void create()}
    >
      {spaces.length > 0 && (
        <Segmented
          label={texts.choice}
          isLabelHidden
          value={isExisting ? 'existing' : 'new'}
          options={[
            { value: 'new', title: texts.new },
            { value: 'existing', title: texts.existing },
          ]}
          onChange={(use) => setQuery('use', use === 'existing' ? use : undefined)}
        />
      )}
      {isExisting ? (
        <SelectField
          label={texts.space}
          value={spaceId}
          options={spaces.map(({ id, title: name }) => ({ value: id, title: name }))}
          onChange={(id) => (chosen.value = id)}
        />
      ) : (
        <>
          <SourceChoice source={source} onChange={(one) => setQuery('from', one)} />
          <SourceFields organizationId={organizationId} source={source} form={form} />
        </>
      )}
    </Wizard>
  )
}
