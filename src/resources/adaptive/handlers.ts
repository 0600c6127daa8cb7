import { type SiteAdaptiveSchema, siteAdaptiveSchema } from '../../contract/adaptive-schema.ts'
import { invalidFields, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { validateAdaptiveSchema, parseStoredAdaptiveSchema } from '../../publishing/adaptive-schema.ts'
import { createTemplateConditions } from '../../publishing/template-conditions.ts'
import type { Row } from '../../schema/tables.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { updateSite } from '../../domain/sites/update-site.ts'

export const siteAdaptiveRoutes = implement(siteAdaptiveSchema, {
  getSiteAdaptiveSchema({ site }) {
    return presentSchema(site)
  },

  async updateSiteAdaptiveSchema(context, { body }) {
    const parsed = validateAdaptiveSchema(body.jsonSchema)
    if ('problems' in parsed) throw invalidFields(parsed.problems)
    const changed = await updateSite(context, context.site, {
      adaptive_schema: JSON.stringify(parsed.schema),
      adaptive_schema_updated_at: context.now(),
    })
    await recordEventAbout(context, 'site', changed, 'site.adaptive-schema-update', {
      before: { jsonSchema: parseStoredAdaptiveSchema(context.site.adaptive_schema) },
      after: { jsonSchema: parsed.schema },
    })
    return presentSchema(changed)
  },

  listSiteAdaptiveTemplateConditions({ site }) {
    const schema = parseStoredAdaptiveSchema(site.adaptive_schema)
    return { items: schema === undefined ? [] : createTemplateConditions(schema) }
  },
})

function presentSchema(site: Row<'sites'>): SiteAdaptiveSchema {
  const jsonSchema = parseStoredAdaptiveSchema(site.adaptive_schema)
  const updatedAt = site.adaptive_schema_updated_at
  if (jsonSchema === undefined || updatedAt === null) throw notFound('adaptive schema')
  return { object: 'site-adaptive-schema', jsonSchema, updatedAt }
}
