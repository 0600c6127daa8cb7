import { useSignal } from '@preact/signals'
import type { Template } from '../../../contract/template.ts'
import { useList } from '../../data/list.ts'
import { address, setQuery } from '../../router.ts'
import { useOrganization } from '../../session.ts'
import { countText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { toEmoji } from '../organization/space-rows.ts'
import { SaveTemplateDialog } from './save-template-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { templateTexts as texts } from './template-texts.ts'

/** Lists the templates of an organization and the built-in ones. `?save={spaceId}` opens the dialog that saves a space. */
export default function TemplatesScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const permissions = useOrganization(organizationId)?.permissions
  const shown = useSignal<Template | undefined>(undefined)
  const saved = address.value.query.get('save') ?? undefined
  const canCreate = permissions?.createContent === true
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }]}>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        {canCreate && (
          <Button icon="plus" onClick={() => setQuery('save', '')}>
            {texts.save}
          </Button>
        )}
      </div>
      {permissions?.listMembers === true && (
        <section class="section">
          <h2>{texts.own}</h2>
          <OwnTemplates organizationId={organizationId} onOpen={(template) => (shown.value = template)} />
        </section>
      )}
      <section class="section">
        <h2>{texts.builtIn}</h2>
        <BuiltInTemplates onOpen={(template) => (shown.value = template)} />
      </section>
      {shown.value && (
        <TemplateDialog
          organizationId={organizationId}
          template={shown.value}
          canCreate={canCreate}
          onClose={() => (shown.value = undefined)}
        />
      )}
      {saved !== undefined && canCreate && (
        <SaveTemplateDialog
          organizationId={organizationId}
          spaceId={saved}
          onClose={() => setQuery('save', undefined)}
        />
      )}
    </OrganizationFrame>
  )
}

interface TemplatesProps {
  onOpen: (template: Template) => void
}

function OwnTemplates({ organizationId, onOpen }: TemplatesProps & { organizationId: string }) {
  const list = useList('GET /orgs/{organizationId}/templates', { params: { organizationId }, query: { limit: 50 } })
  const { items, error, reload } = list
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0) return <p class="quiet">{texts.noOwn}</p>
  return (
    <>
      <TemplateGrid templates={items} onOpen={onOpen} />
      <LoadMore list={list} />
    </>
  )
}

function BuiltInTemplates({ onOpen }: TemplatesProps) {
  const { items, error, reload } = useList('GET /templates', { query: { limit: 100 } })
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  return <TemplateGrid templates={items} onOpen={onOpen} />
}

function TemplateGrid({ templates, onOpen }: TemplatesProps & { templates: readonly Template[] }) {
  return (
    <ul class="template-grid">
      {templates.map((template) => (
        <li key={template.id}>
          <button type="button" class="template" onClick={() => onOpen(template)}>
            <span class="emoji" aria-hidden="true">
              {toEmoji(template.emoji) || '📄'}
            </span>
            <span class="template-about">
              <strong>{template.title}</strong>
              <span>{template.subtitle}</span>
              <small>{[countText(texts.pages, template.pages), ...template.features].join(' · ')}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
