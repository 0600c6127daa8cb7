import { z } from 'zod'
import { operation } from './kit.ts'
import { Timestamp } from './shared.ts'

const Description = z.string().describe('What the claim says about a visitor')

const BooleanClaim = z.object({ type: z.literal('boolean'), description: Description.optional() })
const StringClaim = z.object({
  type: z.literal('string'),
  enum: z.array(z.string()).optional().describe('The values it can have; any text if absent'),
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
      .describe('The signed claims by name; `unsigned`, if there, is an object with the unsigned ones'),
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
    description: z.string().describe('When the condition holds, for a person to read'),
    condition: z.string().describe('An expression over `visitor.claims`'),
  })
  .meta({ id: 'SiteAdaptiveTemplateCondition' })
export type AdaptiveTemplateCondition = z.infer<typeof AdaptiveTemplateCondition>

export const siteAdaptiveSchema = {
  getSiteAdaptiveSchema: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/adaptive-schema',
    summary: 'Get the schema of what a site knows about its visitors',
    access: 'site:viewAdaptiveSchema',
    scope: 'site:read',
    reply: SiteAdaptiveSchema,
    errors: [404],
  }),
  updateSiteAdaptiveSchema: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/sites/{siteId}/adaptive-schema',
    summary: 'Set the schema of what a site knows about its visitors',
    description:
      'Takes the form of `SiteAdaptiveJSONSchema`: at most 200 claims with names of up to 64 characters, nested up to 5 deep, with up to 100 values each and 2000 together; 64 KB in all.',
    access: 'site:editAdaptiveSchema',
    scope: 'site:write',
    body: z.object({
      jsonSchema: z.record(z.string(), z.unknown()).describe('A JSON Schema (draft-07) of the visitor claims'),
    }),
    reply: SiteAdaptiveSchema,
    errors: [404],
  }),
  listSiteAdaptiveTemplateConditions: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/adaptive-schema/template-conditions',
    summary: 'List conditions that suit the schema of a site',
    description: 'One for each value of the claims that are booleans or have listed values; none without a schema.',
    access: 'site:viewAdaptiveSchema',
    scope: 'site:read',
    reply: z.object({ items: z.array(AdaptiveTemplateCondition) }),
    errors: [404],
  }),
}
