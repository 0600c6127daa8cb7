import { type SiteAdaptiveSchema, siteAdaptiveSchema } from '../../contract/adaptive-schema.ts'
import { invalidFields, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { readAdaptiveSchema, storedAdaptiveSchema } from '../../publishing/adaptive-schema.ts'
import { templateConditions } from '../../publishing/template-conditions.ts'
import type { Row } from '../../schema/tables.ts'
import { updateSite } from '../../domain/sites/update-site.ts'

export const siteAdaptiveRoutes = implement(siteAdaptiveSchema, {
  getSiteAdaptiveSchema({ site }) {
    return presentSchema(site)
  },

  async updateSiteAdaptiveSchema(context, { body }) {
    const reading = readAdaptiveSchema(body.jsonSchema)
    if ('problems' in reading) throw invalidFields(reading.problems)
    const changed = await updateSite(context, context.site, {
      adaptive_schema: JSON.stringify(reading.schema),
      adaptive_schema_updated_at: context.now(),
    })
    return presentSchema(changed)
  },

  listSiteAdaptiveTemplateConditions({ site }) {
    const schema = storedAdaptiveSchema(site.adaptive_schema)
    return { items: schema === undefined ? [] : templateConditions(schema) }
  },
})

function presentSchema(site: Row<'sites'>): SiteAdaptiveSchema {
  const jsonSchema = storedAdaptiveSchema(site.adaptive_schema)
  const updatedAt = site.adaptive_schema_updated_at
  if (jsonSchema === undefined || updatedAt === null) throw notFound('adaptive schema')
  return { object: 'site-adaptive-schema', jsonSchema, updatedAt }
}
