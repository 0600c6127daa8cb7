import { z } from 'zod'
import { operation } from './operation.ts'
import { RoleOrGuest } from './roles.ts'
import { SearchQuery, SearchSpace } from './search.ts'
import { Count, HttpUrl, Id, ListQuery, Timestamp, paginated } from './shared.ts'
import { OrganizationMergeRules } from './space.ts'

const OrganizationTitle = z
  .string()
  .min(2)
  .max(255)
  .regex(/\S[^]*\S/, 'must contain at least two visible characters')
const EmailDomain = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, 'must be a domain name')
const EmailDomains = z.array(EmailDomain).max(100)

/** 3 to 32 characters that a DNS label may contain. */
export const Subdomain = z
  .string()
  .min(3)
  .max(32)
  .regex(
    /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/,
    'must contain only a-z, 0-9 and hyphens, and cannot begin or end with a hyphen',
  )

const DefaultContent = z.object({ type: z.literal('site'), site: Id })

export const Organization = z
  .object({
    object: z.literal('organization'),
    id: Id,
    title: z.string(),
    createdAt: Timestamp,
    emailDomains: z.array(z.string()),
    hostname: z.string().optional(),
    type: z.enum(['business', 'community']),
    useCase: z
      .enum([
        'internalDocs',
        'docsSite',
        'audienceControlledSite',
        'productDocs',
        'teamKnowledgeBase',
        'designSystem',
        'openSourceDocs',
        'notes',
        'other',
      ])
      .optional(),
    communityType: z.enum(['nonProfit', 'openSource', 'education']).optional(),
    defaultRole: RoleOrGuest,
    defaultContent: DefaultContent.optional(),
    sso: z.boolean(),
    ssoAdministrator: Id.optional().describe(
      'ID of the administrator who can also sign in without SSO, if it is required; only administrators see it',
    ),
    secondFactorRequired: z
      .boolean()
      .describe('Whether members who sign in need a second factor; it does not apply to API tokens'),
    ai: z.boolean(),
    inviteLinks: z.boolean(),
    auditLogs: z.literal(true).describe('Always true: every organization has an audit log'),
    plan: z.string(),
    mergeRules: OrganizationMergeRules,
    internal_isOnNewTrial: z.literal(true).describe('Deprecated; always true'),
    trial: z.object({ status: z.literal('notapplicable'), count: Count }),
    urls: z.object({ location: z.string(), app: z.string(), logo: z.string().optional() }),
    permissions: z.object({
      view: z.boolean(),
      access: z.boolean(),
      admin: z.boolean(),
      ownTeam: z.boolean(),
      createContent: z.boolean(),
      createOpenAPISpec: z.boolean(),
      ingestConversations: z.boolean(),
      viewBilling: z.boolean(),
      listMembers: z.boolean(),
      listTeams: z.boolean(),
      listIntegrations: z.boolean(),
      listInstallations: z.boolean(),
      installIntegration: z.boolean(),
    }),
  })
  .meta({ id: 'Organization' })
export type Organization = z.infer<typeof Organization>

export const organizations = {
  listOrganizationsForAuthenticatedUser: operation({
    method: 'GET',
    path: '/orgs',
    summary: 'List the organizations of the caller',
    access: 'user',
    scope: 'organization:read',
    query: ListQuery,
    reply: paginated(Organization),
  }),
  createOrganization: operation({
    method: 'POST',
    path: '/orgs',
    summary: 'Create an organization',
    description: 'The caller becomes its administrator.',
    access: 'user',
    scope: 'organization:write',
    body: z.object({ title: OrganizationTitle, emailDomains: EmailDomains.optional() }),
    status: 201,
    reply: Organization,
  }),
  getOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}',
    summary: 'Get an organization',
    access: 'organization:view',
    scope: 'organization:read',
    reply: Organization,
  }),
  updateOrganizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}',
    summary: 'Update an organization',
    access: 'organization:admin',
    scope: 'organization:write',
    body: z
      .object({
        title: OrganizationTitle,
        emailDomains: EmailDomains,
        hostname: Subdomain,
        defaultRole: RoleOrGuest,
        defaultContent: DefaultContent.nullable(),
        logo: HttpUrl.nullable(),
        sso: z.boolean().describe('Whether members must sign in through an identity provider of the organization'),
        ssoAdministrator: Id.describe(
          'ID of the administrator who can also sign in without SSO; by default the one who turns it on',
        ),
        secondFactorRequired: z.boolean(),
        ai: z.boolean(),
        inviteLinks: z.boolean(),
        mergeRules: OrganizationMergeRules,
      })
      .partial(),
    reply: Organization,
    errors: [409],
  }),
  deleteOrganizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}',
    summary: 'Delete an organization',
    description:
      'Everyone loses access immediately, and all content, members and settings are deleted in the background. This cannot be undone. Returns 409 while a site is published.',
    access: 'organization:admin',
    scope: 'organization:write',
    query: z.object({ title: z.string().max(255).describe('Name of the organization, as a confirmation') }),
    errors: [409],
  }),
  joinOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/join',
    summary: 'Join an organization by email domain',
    description: 'The organization must accept the domain of the email address of the caller.',
    access: 'user',
    scope: 'unscoped',
    errors: [404],
  }),
  searchOrganizationContent: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/search',
    summary: 'Search an organization',
    description: 'Searches the spaces that the caller can see, and their pages.',
    access: 'organization:view',
    scope: 'organization:search',
    query: SearchQuery,
    reply: paginated(SearchSpace),
  }),
  getOrganizationsForEmailDomain: operation({
    method: 'GET',
    path: '/email-domains/{emailDomain}/orgs',
    summary: 'List organizations by email domain',
    description:
      'Returns organizations of the caller and, for the domain of the caller’s own email address, those that the caller can join.',
    access: 'user',
    scope: 'unscoped',
    reply: z.object({ organizations: z.array(Organization) }),
  }),
  getSubdomain: operation({
    method: 'GET',
    path: '/subdomains/{subdomain}',
    summary: 'Get an organization by subdomain',
    description: 'Returns 404 unless the caller is a member.',
    access: 'user',
    scope: 'unscoped',
    reply: z
      .object({
        object: z.literal('subdomain'),
        subdomain: z.string(),
        target: z.object({ type: z.literal('organization'), organization: Id }),
        isActive: z.boolean(),
      })
      .meta({ id: 'Subdomain' }),
    errors: [404],
  }),
}
