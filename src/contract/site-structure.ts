import { z } from 'zod'
import { operation } from './kit.ts'
import { HttpUrl, Id, ListQuery, QueryBoolean, pageOf } from './shared.ts'
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
  localized,
} from './site.ts'

const SectionDescription = z.string().max(256)
const GroupTitle = z.string().min(1).max(100)

/** Right before one sibling, right after one, or (neither) at the end. */
const positionAmong = <P extends z.ZodType>(pointer: P) =>
  z.object({ before: pointer.optional(), after: pointer.optional() })

const SiteSpacePointer = z.object({ type: z.literal('site-space'), siteSpace: Id })
const SiteSectionPointer = z.object({ type: z.literal('site-section'), siteSection: Id })
const SectionOrGroupPointer = z.object({ type: z.enum(['site-section', 'site-section-group']), id: Id })
const ItemPointer = z.object({
  type: z.enum(['site-space', 'site-section', 'site-section-group', 'site-external-link']),
  id: Id,
})
export type ItemPointer = z.infer<typeof ItemPointer>

const newSpace = z.null().describe('null makes a new space')

export const siteSpaces = {
  listSiteSpaces: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces',
    summary: 'List the spaces of a site',
    access: 'site:view',
    scope: 'site:read',
    query: ListQuery.extend({
      ...ShareKeyQuery.shape,
      default: QueryBoolean.optional().describe('Only what a section or the site leads to (true), or only the others'),
    }),
    reply: pageOf(SiteSpace),
    errors: [404],
  }),
  addSpaceToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces',
    summary: 'Put a space on a site',
    description: 'Needs the role `create` in the space too, as whoever sees the site will see its content.',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      spaceId: z.union([Id, newSpace]),
      sectionId: Id.optional().describe('Without it, the default section, or the site itself when it has none'),
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
    summary: 'Change how a space stands on a site',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        path: SitePath,
        title: SiteTitle.nullable().describe('null: the title of the space'),
        localizedTitle: localized(128),
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
    summary: 'Take a space off a site; the space stays',
    access: 'site:edit',
    scope: 'site:write',
  }),
  moveSiteSpace: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move',
    summary: 'Move a space among its siblings on a site',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ position: positionAmong(SiteSpacePointer).default({}) }),
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
    reply: pageOf(SiteSection),
    errors: [404],
  }),
  addSectionToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/sections',
    summary: 'Add a section to a site',
    description: 'The first one makes a section of what the site held before, too.',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      spaceId: z.union([Id, newSpace]),
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
    summary: 'Change a section',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        title: SiteTitle,
        localizedTitle: localized(128),
        path: SitePath,
        defaultSiteSpace: Id,
        condition: Condition.nullable(),
        icon: IconName.nullable(),
        description: SectionDescription.nullable(),
        localizedDescription: localized(256),
        draft: z.boolean(),
        siteSectionGroupId: Id.nullable().describe('null takes it out of its group'),
      })
      .partial(),
    reply: SiteSection,
    errors: [404, 409],
  }),
  deleteSiteSectionById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}',
    summary: 'Remove a section with what stands in it; the spaces stay',
    access: 'site:edit',
    scope: 'site:write',
  }),
  moveSiteSection: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move',
    summary: 'Move a section among its siblings',
    description: 'sortSiteStructure moves everything.',
    deprecated: true,
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ position: positionAmong(SiteSectionPointer).default({}) }),
    reply: SiteSection,
    errors: [404],
  }),
}

export const siteSectionGroups = {
  listSiteSectionGroups: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups',
    summary: 'List the groups of sections of a site',
    access: 'site:view',
    scope: 'site:read',
    query: ListQuery,
    reply: pageOf(SiteSectionGroup),
  }),
  addSectionGroupToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups',
    summary: 'Add a group of sections to a site',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      title: GroupTitle,
      icon: IconName.nullable().optional(),
      sections: z.array(Id).max(1000).default([]).describe('Sections that it takes in'),
      parent: Id.optional().describe('The group that it is to stand in'),
      draft: z.boolean().default(false),
    }),
    status: 201,
    reply: SiteSectionGroup,
    errors: [404, 409],
  }),
  updateSiteSectionGroupById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}',
    summary: 'Change a group of sections',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        title: GroupTitle,
        localizedTitle: localized(128),
        icon: IconName.nullable(),
        draft: z.boolean(),
        parentSectionGroupId: Id.nullable().describe('null puts it at the top of the site'),
      })
      .partial(),
    reply: SiteSectionGroup,
    errors: [404],
  }),
  deleteSiteSectionGroupById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}',
    summary: 'Remove a group of sections; what is in it moves to where it stood',
    access: 'site:edit',
    scope: 'site:write',
  }),
  addSectionToGroup: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections',
    summary: 'Put a section into a group',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ sectionId: Id }),
    reply: SiteSectionGroup,
    errors: [404],
  }),
  removeSectionFromGroup: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}',
    summary: 'Take a section out of a group',
    access: 'site:edit',
    scope: 'site:write',
  }),
  moveSiteSectionGroup: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move',
    summary: 'Move a group of sections among its siblings',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ position: positionAmong(SectionOrGroupPointer).default({}) }),
    reply: SiteSectionGroup,
    errors: [404],
  }),
}

const linkFields = {
  localizedTitle: localized(128).nullable(),
  description: SectionDescription.nullable(),
  localizedDescription: localized(256).nullable(),
  icon: IconName.nullable(),
  draft: z.boolean(),
  condition: Condition.nullable(),
}

export const siteExternalLinks = {
  addExternalLinkToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/external-links',
    summary: 'Add a link among the sections of a site',
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
    summary: 'Change a link among the sections of a site',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ title: SiteTitle, url: HttpUrl, parent: Id.nullable(), ...linkFields }).partial(),
    reply: SiteExternalLink,
    errors: [404],
  }),
  deleteSiteExternalLinkById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId}',
    summary: 'Remove a link from the sections of a site',
    access: 'site:edit',
    scope: 'site:write',
  }),
}

const VisibilityVerdict = z.object({
  type: ItemPointer.shape.type,
  id: Id,
  title: z.string(),
  visible: z.boolean(),
  listed: z.boolean().describe('Whether the navigation shows it'),
  reason: z
    .enum(['draft', 'condition', 'inside'])
    .optional()
    .describe('Why it is not visible: it is a draft, its condition does not hold, or what it stands in is not visible'),
  error: z.string().optional().describe('Why its condition could not be evaluated'),
})

export const siteStructure = {
  getSiteStructure: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/structure',
    summary: 'Get everything that stands on a site, as far as the caller sees it',
    access: 'site:visit',
    scope: 'site:read',
    query: ShareKeyQuery,
    reply: SiteStructure,
  }),
  sortSiteStructure: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/structure/sort',
    summary: 'Move something among its siblings on a site',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ item: ItemPointer, position: positionAmong(ItemPointer) }),
    reply: z.union([SiteSpace, SiteSection, SiteSectionGroup, SiteExternalLink]),
    errors: [404],
  }),
  explainSiteVisibility: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/visibility',
    summary: 'Tell what a visitor would see of a site, and why not the rest',
    description: 'Changes nothing. Says which conditions could not be evaluated, and why.',
    access: 'site:edit',
    scope: 'site:read',
    readOnly: true,
    body: z.object({
      claims: z.record(z.string(), z.unknown()).default({}).describe('Signed claims of the visitor'),
      unsignedClaims: z.record(z.string(), z.unknown()).default({}),
      shareKey: z.string().max(256).optional(),
      authenticated: z.boolean().default(false).describe('Whether the visitor has signed in'),
      draft: z.boolean().default(false).describe('Whether they preview what is not published'),
    }),
    reply: z.object({
      enters: z.boolean().describe('Whether the visitor gets in at all'),
      reason: z.enum(['unpublished', 'share-link', 'visitor-auth']).optional(),
      items: z.array(VisibilityVerdict),
    }),
  }),
}
