import { z } from 'zod'
import { TableOfContents } from './content.ts'
import { operation } from './operation.ts'
import { Id, ListQuery, paginated } from './shared.ts'
import { Emoji, SpaceTitle } from './spaces.ts'
import { Template, TemplateRef, TemplateUse, maxTemplateRefs } from './template.ts'

export const templates = {
  listTemplates: operation({
    method: 'GET',
    path: '/templates',
    summary: 'List the built-in templates',
    description: 'Templates of an organization are listed by `GET /orgs/{organizationId}/templates`.',
    access: 'user',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(Template),
  }),
  getTemplateById: operation({
    method: 'GET',
    path: '/templates/{templateId}',
    summary: 'Get a built-in template',
    access: 'user',
    scope: 'space:read',
    reply: Template,
  }),
  listTemplatePages: operation({
    method: 'GET',
    path: '/templates/{templateId}/pages',
    summary: 'List the pages of a built-in template',
    access: 'user',
    scope: 'space:read',
    reply: TableOfContents,
    errors: [404],
  }),
  applyTemplateToSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/content/template',
    summary: 'Apply a template to a space',
    description:
      'Appends the pages of the template at the top level, as one new revision of the space or of a change request. The initial page of a new space is replaced. Returns 409 when the space is `locked`: use a change request instead. Templates with more than 200 pages are applied in the background, as an import.',
    access: 'space:edit',
    scope: 'space:write',
    body: TemplateUse.extend({
      changeRequestId: Id.optional().describe(
        'ID of the change request to change; without it, the content of the space itself is changed',
      ),
    }).meta({ id: 'ApplyTemplateToSpace' }),
    status: 201,
    errors: [404, 409],
  }),
  listTemplatesInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/templates',
    summary: 'List the templates of an organization',
    description: 'Sorted by creation time, newest first. Guests cannot see templates.',
    access: 'organization:listMembers',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(Template),
  }),
  createTemplateInOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/templates',
    summary: 'Save a space as a template',
    description:
      'Stores the current content of the space; later changes of the space do not change the template. Also requires the role `admin` in the space, because all members of the organization can use the template.',
    access: 'organization:createContent',
    scope: 'space:write',
    body: z.object({
      space: Id,
      title: SpaceTitle.trim().min(1).optional().describe('Defaults to the title of the space'),
      subtitle: z.string().trim().max(500).default(''),
      emoji: Emoji.optional().describe('Defaults to the emoji of the space'),
      features: z.array(z.string().trim().min(1).max(100)).max(20).default([]),
      contentRefs: z
        .array(TemplateRef)
        .max(maxTemplateRefs)
        .default([])
        .describe('References in the content that can be replaced when the template is applied'),
    }),
    status: 201,
    reply: Template,
    errors: [404],
  }),
  getTemplateInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/templates/{templateId}',
    summary: 'Get a template of an organization',
    access: 'organization:listMembers',
    scope: 'space:read',
    reply: Template,
  }),
  listTemplatePagesInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/templates/{templateId}/pages',
    summary: 'List the pages of a template of an organization',
    access: 'organization:listMembers',
    scope: 'space:read',
    reply: TableOfContents,
    errors: [404],
  }),
  deleteTemplateInOrganization: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/templates/{templateId}',
    summary: 'Delete a template of an organization',
    description: 'Content to which the template was applied remains.',
    access: 'organization:createContent',
    scope: 'space:write',
  }),
}
