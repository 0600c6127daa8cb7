import { z } from 'zod'
import { operation } from './operation.ts'
import { Timestamp } from './shared.ts'

const Description = z.string().describe('Description of the claim')

const BooleanClaim = z.object({ type: z.literal('boolean'), description: Description.optional() })
const StringClaim = z.object({
  type: z.literal('string'),
  enum: z.array(z.string()).optional().describe('Allowed values; any string when absent'),
  description: Description,
})
const NumberClaim = z.object({ type: z.literal('number'), description: Description })

export const AdaptivePrimitiveClaim = z
  .discriminatedUnion('type', [BooleanClaim, StringClaim, NumberClaim])
  .meta({ id: 'SiteAdaptivePrimitiveClaim' })
export type AdaptivePrimitiveClaim = z.infer<typeof AdaptivePrimitiveClaim>

const ListClaim = z.object({ type: z.literal('array'), description: Description, items: AdaptivePrimitiveClaim })
type ListClaim = z.infer<typeof ListClaim>

export interface AdaptiveObjectClaim {
  type: 'object'
  description: string
  properties: Record<string, AdaptiveClaim>
  additionalProperties: false
}

export type AdaptiveClaim = AdaptivePrimitiveClaim | ListClaim | AdaptiveObjectClaim

const ObjectClaim = z.object({
  type: z.literal('object'),
  description: Description,
  get properties(): z.ZodType<Record<string, AdaptiveClaim>, Record<string, AdaptiveClaim>> {
    return z.record(z.string(), AdaptiveClaim)
  },
  additionalProperties: z.literal(false),
})

export const AdaptiveClaim = z
  .discriminatedUnion('type', [BooleanClaim, StringClaim, NumberClaim, ListClaim, ObjectClaim])
  .meta({ id: 'SiteAdaptiveClaim' })

export const AdaptiveJSONSchema = z
  .object({
    $schema: z.literal('http://json-schema.org/draft-07/schema#').optional(),
    type: z.literal('object'),
    properties: z
      .record(z.string(), AdaptiveClaim)
      .describe('Signed claims by name; the optional property `unsigned` is an object with the unsigned claims'),
    additionalProperties: z.literal(false),
  })
  .meta({ id: 'SiteAdaptiveJSONSchema' })
export type AdaptiveJSONSchema = z.infer<typeof AdaptiveJSONSchema>

export const SiteAdaptiveSchema = z
  .object({
    object: z.literal('site-adaptive-schema'),
    jsonSchema: AdaptiveJSONSchema,
    updatedAt: Timestamp,
  })
  .meta({ id: 'SiteAdaptiveSchema' })
export type SiteAdaptiveSchema = z.infer<typeof SiteAdaptiveSchema>

export const AdaptiveTemplateCondition = z
  .object({
    description: z.string().describe('Human-readable description of the condition'),
    condition: z.string().describe('Expression over `visitor.claims`'),
  })
  .meta({ id: 'SiteAdaptiveTemplateCondition' })
export type AdaptiveTemplateCondition = z.infer<typeof AdaptiveTemplateCondition>

export const siteAdaptiveSchema = {
  getSiteAdaptiveSchema: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/adaptive-schema',
    summary: 'Get the visitor schema of a site',
    access: 'site:viewAdaptiveSchema',
    scope: 'site:read',
    reply: SiteAdaptiveSchema,
    errors: [404],
  }),
  updateSiteAdaptiveSchema: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/sites/{siteId}/adaptive-schema',
    summary: 'Set the visitor schema of a site',
    description:
      'The schema must match `SiteAdaptiveJSONSchema` and may have at most 200 claims with names of up to 64 characters, 5 levels of nesting, 100 listed values per claim, 2000 listed values in total, and 64 KB of JSON.',
    access: 'site:editAdaptiveSchema',
    scope: 'site:write',
    body: z.object({
      jsonSchema: z.record(z.string(), z.unknown()).describe('JSON Schema (draft-07) of the visitor claims'),
    }),
    reply: SiteAdaptiveSchema,
    errors: [404],
  }),
  listSiteAdaptiveTemplateConditions: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/adaptive-schema/template-conditions',
    summary: 'List condition templates for a site',
    description:
      'Returns one condition for each value of every claim that is a boolean or has listed values. The list is empty when the site has no schema.',
    access: 'site:viewAdaptiveSchema',
    scope: 'site:read',
    reply: z.object({ items: z.array(AdaptiveTemplateCondition) }),
    errors: [404],
  }),
}
