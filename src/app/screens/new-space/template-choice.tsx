import { useEffect } from 'preact/hooks'
import type { Template } from '../../../contract/template.ts'
import { useQuery } from '../../data/query.ts'
import { useOrganization } from '../../session.ts'
import { countText } from '../../texts.ts'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { toEmoji } from '../organization/space-rows.ts'
import { newSpaceTexts as texts } from './new-space-texts.ts'

interface TemplateChoiceProps {
  organizationId: string
  /** ID of the chosen template. */
  value: string | undefined
  /** ID of the initially selected template. */
  preferred?: string | undefined
  onChange: (template: Template) => void
}

/** Chooses a built-in template or one of the organization; initially the first is selected. */
export function TemplateChoice({ organizationId, value, preferred, onChange }: TemplateChoiceProps) {
  const canList = useOrganization(organizationId)?.permissions.listMembers === true
  const builtIn = useQuery('GET /templates', { query: { limit: 100 } })
  const own = useQuery(canList ? 'GET /orgs/{organizationId}/templates' : undefined, {
    params: { organizationId },
    query: { limit: 100 },
  })
  const templates = builtIn.data && [...(own.data?.items ?? []), ...builtIn.data.items]
  const first = own.isLoading ? undefined : (templates?.find(({ id }) => id === preferred) ?? templates?.[0])
  useEffect(() => {
    if (value === undefined && first) onChange(first)
  }, [first?.id])
  if (!templates)
    return builtIn.error ? <ErrorState error={builtIn.error} onRetry={() => void builtIn.reload()} /> : <Loading />
  return (
    <fieldset class="radio-choice">
      <legend>{texts.template}</legend>
      <div class="template-list">
        {templates.map((template) => (
          <label key={template.id} class="template">
            <input type="radio" name="template" checked={template.id === value} onChange={() => onChange(template)} />
            <span class="emoji" aria-hidden="true">
              {toEmoji(template.emoji) || '📄'}
            </span>
            <span class="template-about">
              <strong>{template.title}</strong>
              <span>{template.subtitle}</span>
              <small>{[countText(texts.templatePages, template.pages), ...template.features].join(' · ')}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
