import { z } from 'zod'
import { operation } from './operation.ts'
import { HttpUrl, Id, ListQuery, QueryBoolean, paginated } from './shared.ts'
import {
  Condition,
  IconName,
  ShareKeyQuery,
  SiteExternalLink,
  SitePath,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
  SiteTitle,
  localizedText,
} from './site.ts'
import { TemplateUse } from './template.ts'

const SectionDescription = z.string().max(256)
const GroupTitle = z.string().min(1).max(100)

/** Position among siblings: before one, after one, or at the end if neither is given. */
const siblingPosition = <P extends z.ZodType>(pointer: P) =>
  z.object({ before: pointer.optional(), after: pointer.optional() })

const SiteSpacePointer = z.object({ type: z.literal('site-space'), siteSpace: Id })
const SiteSectionPointer = z.object({ type: z.literal('site-section'), siteSection: Id })
const SectionOrGroupPointer = z.object({ type: z.enum(['site-section', 'site-section-group']), id: Id })
const ItemPointer = z.object({
  type: z.enum(['site-space', 'site-section', 'site-section-group', 'site-external-link']),
  id: Id,
})
export type ItemPointer = z.infer<typeof ItemPointer>

const newSpace = z.null().describe('null creates a new space')

const templateOfNewSpace = TemplateUse.optional().describe('Template for the new space when `spaceId` is null')

export const siteSpaces = {
  listSiteSpaces: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces',
    summary: 'List site spaces',
    access: 'site:view',
    scope: 'site:read',
    query: ListQuery.extend({
      ...ShareKeyQuery.shape,
      default: QueryBoolean.optional().describe(
        '`true` returns only the default site spaces of the site and its sections, `false` only the others',
      ),
    }),
    reply: paginated(SiteSpace),
    errors: [404],
  }),
  addSpaceToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces',
    summary: 'Add a space to a site',
    description:
      'Also requires the role `create` in the space, because its content becomes visible to everyone who can see the site.',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      spaceId: z.union([Id, newSpace]),
      template: templateOfNewSpace,
      sectionId: Id.optional().describe(
        'ID of the section; defaults to the default section, or to the site itself when it has no sections',
      ),
      title: SiteTitle.optional(),
      draft: z.boolean().default(false),
      pageId: Id.nullable().optional(),
    }),
    status: 201,
    reply: SiteSpace,
    errors: [404, 409],
  }),
  updateSiteSpaceById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}',
    summary: 'Update a site space',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        path: SitePath,
        title: SiteTitle.nullable().describe('null uses the title of the space'),
        localizedTitle: localizedText(128),
        condition: Condition.nullable(),
        spaceId: Id,
        pageId: Id.nullable(),
        hidden: z.boolean(),
        draft: z.boolean(),
      })
      .partial(),
    reply: SiteSpace,
    errors: [404, 409],
  }),
  deleteSiteSpaceById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}',
    summary: 'Remove a space from a site',
    description: 'The space itself is not deleted.',
    access: 'site:edit',
    scope: 'site:write',
  }),
  moveSiteSpace: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move',
    summary: 'Move a site space',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ position: siblingPosition(SiteSpacePointer).default({}) }),
    reply: SiteSpace,
    errors: [404],
  }),
}

export const siteSections = {
  listSiteSections: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/sections',
    summary: 'List the sections of a site',
    access: 'site:view',
    scope: 'site:read',
    query: ListQuery.extend(ShareKeyQuery.shape),
    reply: paginated(SiteSection),
    errors: [404],
  }),
  addSectionToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/sections',
    summary: 'Add a section to a site',
    description: 'Adding the first section also creates a section for the existing site spaces.',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      spaceId: z.union([Id, newSpace]),
      template: templateOfNewSpace,
      title: SiteTitle.nullable().optional(),
      icon: IconName.nullable().optional(),
      draft: z.boolean().default(false),
      pageId: Id.optional(),
      siteSectionGroupId: Id.optional(),
    }),
    status: 201,
    reply: SiteSection,
    errors: [404, 409],
  }),
  updateSiteSectionById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}',
    summary: 'Update a section',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        title: SiteTitle,
        localizedTitle: localizedText(128),
        path: SitePath,
        defaultSiteSpace: Id,
        condition: Condition.nullable(),
        icon: IconName.nullable(),
        description: SectionDescription.nullable(),
        localizedDescription: localizedText(256),
        draft: z.boolean(),
        siteSectionGroupId: Id.nullable().describe('null removes the section from its group'),
      })
      .partial(),
    reply: SiteSection,
    errors: [404, 409],
  }),
  deleteSiteSectionById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}',
    summary: 'Delete a section',
    description: 'Removes its site spaces from the site. The spaces themselves are not deleted.',
    access: 'site:edit',
    scope: 'site:write',
  }),
  moveSiteSection: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move',
    summary: 'Move a section',
    description: 'Use `sortSiteStructure` instead.',
    deprecated: true,
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ position: siblingPosition(SiteSectionPointer).default({}) }),
    reply: SiteSection,
    errors: [404],
  }),
}

export const siteSectionGroups = {
  listSiteSectionGroups: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups',
    summary: 'List section groups',
    access: 'site:view',
    scope: 'site:read',
    query: ListQuery,
    reply: paginated(SiteSectionGroup),
  }),
  addSectionGroupToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups',
    summary: 'Create a section group',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      title: GroupTitle,
      icon: IconName.nullable().optional(),
      sections: z.array(Id).max(1000).default([]).describe('IDs of the sections to move into the group'),
      parent: Id.optional().describe('ID of the parent group'),
      draft: z.boolean().default(false),
    }),
    status: 201,
    reply: SiteSectionGroup,
    errors: [404, 409],
  }),
  updateSiteSectionGroupById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}',
    summary: 'Update a section group',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        title: GroupTitle,
        localizedTitle: localizedText(128),
        icon: IconName.nullable(),
        draft: z.boolean(),
        parentSectionGroupId: Id.nullable().describe('null moves the group to the top level'),
      })
      .partial(),
    reply: SiteSectionGroup,
    errors: [404],
  }),
  deleteSiteSectionGroupById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}',
    summary: 'Delete a section group',
    description: 'Its contents move to the parent of the group.',
    access: 'site:edit',
    scope: 'site:write',
  }),
  addSectionToGroup: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections',
    summary: 'Add a section to a group',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ sectionId: Id }),
    reply: SiteSectionGroup,
    errors: [404],
  }),
  removeSectionFromGroup: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}',
    summary: 'Remove a section from a group',
    access: 'site:edit',
    scope: 'site:write',
  }),
  moveSiteSectionGroup: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move',
    summary: 'Move a section group',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ position: siblingPosition(SectionOrGroupPointer).default({}) }),
    reply: SiteSectionGroup,
    errors: [404],
  }),
}

const linkFields = {
  localizedTitle: localizedText(128).nullable(),
  description: SectionDescription.nullable(),
  localizedDescription: localizedText(256).nullable(),
  icon: IconName.nullable(),
  draft: z.boolean(),
  condition: Condition.nullable(),
}

export const siteExternalLinks = {
  addExternalLinkToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/external-links',
    summary: 'Create an external link',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ title: SiteTitle, url: HttpUrl, parent: Id.optional(), ...z.object(linkFields).partial().shape }),
    status: 201,
    reply: SiteExternalLink,
    errors: [404, 409],
  }),
  updateSiteExternalLinkById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId}',
    summary: 'Update an external link',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ title: SiteTitle, url: HttpUrl, parent: Id.nullable(), ...linkFields }).partial(),
    reply: SiteExternalLink,
    errors: [404],
  }),
  deleteSiteExternalLinkById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId}',
    summary: 'Delete an external link',
    access: 'site:edit',
    scope: 'site:write',
  }),
}

const ItemVisibility = z.object({
  type: ItemPointer.shape.type,
  id: Id,
  title: z.string(),
  visible: z.boolean(),
  listed: z.boolean().describe('Whether the item is shown in the navigation'),
  reason: z
    .enum(['draft', 'condition', 'inside'])
    .optional()
    .describe('Why the item is not visible: it is a draft, its condition is false, or its parent is not visible'),
  error: z.string().optional().describe('Why the condition could not be evaluated'),
})

export const siteStructure = {
  getSiteStructure: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/structure',
    summary: 'Get the structure of a site',
    description: 'Returns the sections, groups, links and site spaces that the caller can see.',
    access: 'site:visit',
    scope: 'site:read',
    query: ShareKeyQuery,
    reply: SiteStructure,
  }),
  sortSiteStructure: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/structure/sort',
    summary: 'Move an item of the site structure',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ item: ItemPointer, position: siblingPosition(ItemPointer) }),
    reply: z.union([SiteSpace, SiteSection, SiteSectionGroup, SiteExternalLink]),
    errors: [404],
  }),
  applyTemplateToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/template',
    summary: 'Apply the documentation template to a site',
    description:
      'Adds four sections, each with a new space from a built-in template: documentation, API, help center and changelog. Links between them lead to the new spaces. Returns 409 unless the site is empty. Also requires the role `create` in the organization.',
    access: 'site:edit',
    scope: 'site:write',
    status: 200,
    errors: [409],
  }),
  explainSiteVisibility: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/visibility',
    summary: 'Explain the visibility of a site',
    description:
      'Returns what a visitor with the given claims would see, and why the other items are not visible. Changes nothing.',
    access: 'site:edit',
    scope: 'site:read',
    readOnly: true,
    body: z.object({
      claims: z.record(z.string(), z.unknown()).default({}).describe('Signed claims of the visitor'),
      unsignedClaims: z.record(z.string(), z.unknown()).default({}),
      shareKey: z.string().max(256).optional(),
      authenticated: z.boolean().default(false).describe('Whether the visitor is signed in'),
      draft: z.boolean().default(false).describe('Whether the visitor previews drafts'),
    }),
    reply: z.object({
      enters: z.boolean().describe('Whether the visitor can open the site'),
      reason: z.enum(['unpublished', 'share-link', 'visitor-auth']).optional(),
      items: z.array(ItemVisibility),
    }),
  }),
}
