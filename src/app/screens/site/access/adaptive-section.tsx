import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate, useQuery } from '../../../data/query.ts'
import { Fact, FactList } from '../../../ui/facts.tsx'
import { Checkbox } from '../../../ui/fields.tsx'
import { ErrorState, Loading } from '../../../ui/states.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { adaptiveTexts as texts } from './adaptive-texts.ts'
import { SchemaEditor } from './schema-editor.tsx'
import { emptySchema } from './schema-claims.ts'

interface SectionProps {
  organizationId: string
  site: Site
}

/** Whether adaptive content is enabled for a site, and the claims that it can use. */
export function AdaptiveSection({ organizationId, site }: SectionProps) {
  const [setEnabled, isSaving] = useAction(async (enabled: boolean) => {
    await request('PATCH /orgs/{organizationId}/sites/{siteId}', {
      params: { organizationId, siteId: site.id },
      body: { adaptiveContent: { enabled } },
    })
    invalidate(`/orgs/${organizationId}/sites/${site.id}`)
  })
  return (
    <section class="section">
      <h2>{texts.title}</h2>
      <p class="quiet section-hint">{texts.hint}</p>
      <Checkbox
        label={texts.enabled}
        hint={texts.enabledHint}
        checked={site.adaptiveContent.enabled}
        disabled={isSaving}
        onChange={(isEnabled) => void setEnabled(isEnabled)}
      />
      <h3 class="section-title">{texts.schema}</h3>
      {site.permissions.editAdaptiveSchema ? (
        <StoredSchema organizationId={organizationId} site={site} />
      ) : (
        <p class="quiet">{texts.noAccess}</p>
      )}
    </section>
  )
}

function StoredSchema({ organizationId, site }: SectionProps) {
  const params = { organizationId, siteId: site.id }
  const hasSchema = site.adaptiveContent.schemaUpdatedAt !== undefined
  const { data, error, reload } = useQuery(
    hasSchema ? 'GET /orgs/{organizationId}/sites/{siteId}/adaptive-schema' : undefined,
    { params },
  )
  const { data: conditions } = useQuery(
    data && 'GET /orgs/{organizationId}/sites/{siteId}/adaptive-schema/template-conditions',
    { params },
  )
  if (!data && hasSchema) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  return (
    <>
      <p class="quiet section-hint">{texts.schemaHint}</p>
      <SchemaEditor
        key={data?.updatedAt ?? ''}
        schema={data?.jsonSchema ?? emptySchema}
        onSave={async (jsonSchema) => {
          await request('PUT /orgs/{organizationId}/sites/{siteId}/adaptive-schema', { params, body: { jsonSchema } })
          invalidate(`/orgs/${organizationId}/sites/${site.id}`)
        }}
      />
      {conditions && conditions.items.length > 0 && (
        <details class="conditions">
          <summary>{texts.conditions}</summary>
          <FactList>
            {conditions.items.slice(0, maxConditions).map(({ condition, description }) => (
              <Fact key={condition} name={description}>
                <code>{condition}</code>
              </Fact>
            ))}
          </FactList>
        </details>
      )}
    </>
  )
}

/** Maximum number of conditions that are shown. */
const maxConditions = 50
