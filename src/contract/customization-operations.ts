import { z } from 'zod'
import {
  SiteCustomization,
  SiteCustomizationChanges,
  SiteCustomizationInput,
  SiteSpaceCustomization,
  SiteSpaceCustomizationInput,
} from './customization.ts'
import { operation } from './operation.ts'
import { Id, QueryBoolean, Timestamp } from './shared.ts'

export const SiteCustomizationPreview = z
  .object({
    url: z.string().describe('URL of the preview, with a trailing slash; paths of the site continue it'),
    expiresAt: Timestamp,
  })
  .meta({ id: 'SiteCustomizationPreview' })
export type SiteCustomizationPreview = z.infer<typeof SiteCustomizationPreview>

/** Maximum number of site spaces whose overrides a preview changes. */
const maxPreviewedSpaces = 20

const query = z.object({ unmasked: QueryBoolean.optional().describe('Deprecated; has no effect') })

export const siteCustomization = {
  getSiteCustomizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/customization',
    summary: 'Get the customization settings of a site',
    description: 'Returns all settings, including defaults.',
    deprecated: true,
    access: 'site:view',
    scope: 'site:read',
    query,
    reply: SiteCustomization,
  }),
  updateSiteCustomizationById: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/sites/{siteId}/customization',
    summary: 'Replace the customization settings of a site',
    description: 'Replaces all settings. A setting that is omitted, at any level, is reset to its default.',
    access: 'site:edit',
    scope: 'site:write',
    body: SiteCustomizationInput,
    reply: SiteCustomization,
  }),
  changeSiteCustomizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/customization',
    summary: 'Change customization settings of a site',
    description: 'Omitted settings are not changed. null resets a setting to its default.',
    access: 'site:edit',
    scope: 'site:write',
    body: SiteCustomizationChanges,
    reply: SiteCustomization,
  }),
  createSiteCustomizationPreview: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/customization/previews',
    summary: 'Preview changes of the customization of a site',
    description:
      'Stores changes for one hour without applying them. The URL shows the site as it would be after the changes, whether or not it is published. Only the caller can open it, in a browser in which they are signed in. A caller has at most 10 previews of a site; the oldest is removed. A scoped token also requires `space:read`.',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      changes: SiteCustomizationChanges.default({}).describe('Changes of the settings of the site'),
      siteSpaces: z
        .record(Id, SiteSpaceCustomizationInput)
        .refine(
          (spaces) => Object.keys(spaces).length <= maxPreviewedSpaces,
          `must have at most ${maxPreviewedSpaces} entries`,
        )
        .default({})
        .describe('Changes of the overrides of site spaces, by the ID of the site space'),
    }),
    status: 201,
    reply: SiteCustomizationPreview,
    errors: [404],
  }),
  getSiteSpaceCustomizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Get the customization settings of a site space',
    description: 'Returns the settings of the site with the overrides of the space applied.',
    deprecated: true,
    access: 'site:view',
    scope: 'site:read',
    query,
    reply: SiteSpaceCustomization,
  }),
  overrideSiteSpaceCustomizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Override customization settings for a site space',
    description: 'Omitted settings are not changed. null removes an override.',
    access: 'site:edit',
    scope: 'site:write',
    body: SiteSpaceCustomizationInput,
    reply: SiteSpaceCustomization,
  }),
  deleteSiteSpaceCustomizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization',
    summary: 'Remove all customization overrides of a site space',
    access: 'site:edit',
    scope: 'site:write',
  }),
}
