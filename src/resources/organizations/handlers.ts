import { fromStoredRole, toStoredRole } from '../../access/content-roles.ts'
import { findViewer } from '../../access/authorize.ts'
import { isInReach, requireOwnSignIn } from '../../access/sso.ts'
import { organizations } from '../../contract/organizations.ts'
import { checkSignIn } from '../../access/sign-in-rules.ts'
import { findSite } from '../../access/sites.ts'
import type { OrganizationContext, UserContext } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { recordMemberEvent, recordOrganizationEvent } from '../../domain/audit/record-event-about.ts'
import { checkMergeRules } from '../../domain/change-requests/merge-rules.ts'
import { findMemberRole } from '../../domain/members/member-store.ts'
import { addMember } from '../../domain/members/membership.ts'
import { findOrganization, updateOrganization } from '../../domain/organizations/organization-store.ts'
import { createOrganization } from './create-organization.ts'
import { startDeletion } from './delete-organization.ts'
import { presentOrganization } from './present.ts'
import { searchOrganization } from './search.ts'
import * as store from './store.ts'

export const organizationRoutes = implement(organizations, {
  async listOrganizationsForAuthenticatedUser({ db, principal, urls }, { query }) {
    const after = decodeCursor(query.page, 1)
    const rows = await store.findOrganizationsOfUser(db, principal, { after, limit: query.limit })
    const idsWithOwnedTeam = await store.findOrganizationIdsWithOwnedTeam(
      db,
      principal.user.id,
      rows.map((row) => row.id),
    )
    return toPage(
      rows,
      query,
      await store.countOrganizationsOfUser(db, principal),
      (row) => [row.id],
      (row) =>
        presentOrganization(
          row,
          { role: fromStoredRole(row.member_role), ownsTeam: idsWithOwnedTeam.has(row.id) },
          urls,
        ),
    )
  },

  async createOrganization(context, { body }) {
    const { db, principal } = context
    const { title, emailDomains } = body
    requireOwnSignIn(principal, 'create organizations')
    const organization = await createOrganization(db, context, { title, emailDomains, admin: principal.user })
    await recordOrganizationEvent(context, organization, 'organization.create')
    return presentForCaller(context, organization)
  },

  async getOrganizationById({ db, organization, role, principal, urls }) {
    const ownsTeam = await store.ownsTeamIn(db, principal.user.id, organization.id)
    return presentOrganization(organization, { role, ownsTeam }, urls)
  },

  async updateOrganizationById(context, { body }) {
    const { db, organization, principal, now } = context
    // Otherwise the caller would be the first to lose access.
    if (body.secondFactorRequired) checkSignIn(principal, { ...organization, second_factor_required: 1 })
    await checkHostname(context, body.hostname)
    await checkDefaultContent(context, body.defaultContent?.site)
    await checkMergeRules(db, organization.id, body.mergeRules)
    const domains = body.emailDomains && [...new Set(body.emailDomains)]
    if (domains) await store.replaceEmailDomains(db, organization.id, domains)
    try {
      const updated = await updateOrganization(db, organization.id, {
        ...(body.title !== undefined && { title: body.title }),
        ...(domains && { email_domains: JSON.stringify(domains) }),
        ...(body.hostname !== undefined && { hostname: body.hostname }),
        ...(body.defaultRole !== undefined && { default_role: toStoredRole(body.defaultRole) }),
        ...(body.defaultContent !== undefined && { default_site_id: body.defaultContent?.site ?? null }),
        ...(body.logo !== undefined && { logo: body.logo }),
        ...(await toSsoColumns(context, body)),
        ...(body.secondFactorRequired !== undefined && { second_factor_required: toFlag(body.secondFactorRequired) }),
        ...(body.ai !== undefined && { ai: toFlag(body.ai) }),
        ...(body.inviteLinks !== undefined && { invite_links: toFlag(body.inviteLinks) }),
        ...(body.mergeRules !== undefined && { merge_rules: JSON.stringify(body.mergeRules) }),
        updated_at: now(),
      })
      await recordOrganizationEvent(context, updated, 'organization.update', {
        before: toAuditedSettings(organization),
        after: toAuditedSettings(updated),
      })
      return await presentForCaller(context, updated)
    } catch (error) {
      throw isUniqueViolation(error, 'organizations_hostname')
        ? conflict(`The hostname ${body.hostname} is already in use`)
        : error
    }
  },

  deleteOrganizationById: (context, { query }) => startDeletion(context, query.title),

  async joinOrganization(context, { params }) {
    const { db, principal, now } = context
    requireOwnSignIn(principal, 'join organizations')
    const organization = await findOrganization(db, params.organizationId)
    const isAccepted = organization !== undefined && acceptsEmailDomain(organization, emailDomainOf(principal.user))
    const isMember =
      organization !== undefined && (await findViewer(db, organization.id, principal.user.id)) !== undefined
    if (!isAccepted && isMember)
      throw invalid('path.organizationId', 'the organization does not accept the domain of your email address')
    if (!isAccepted) throw notFound('organization')
    const { user } = principal
    const role = organization.default_role
    if (await addMember(db, now, { organizationId: organization.id, user, role }))
      await recordMemberEvent(context, organization.id, user, 'member.join', { after: { role: fromStoredRole(role) } })
  },

  searchOrganizationContent: (context, { query }) => searchOrganization(context, query),

  async getOrganizationsForEmailDomain(context, { params }) {
    const { db, principal, urls } = context
    const domain = params.emailDomain.toLowerCase()
    const found = await store.findOrganizationsByEmailDomain(db, domain)
    const ids = found.map((organization) => organization.id)
    const memberships = await store.findMemberships(db, principal, ids)
    const roles = new Map(memberships.map((row) => [row.organization_id, fromStoredRole(row.role)]))
    const idsWithOwnedTeam = await store.findOrganizationIdsWithOwnedTeam(db, principal.user.id, ids)
    // An identity provider may state any address, so an address that was not proved otherwise reveals no other organization.
    const hasDomain = principal.reach.only === undefined && emailDomainOf(principal.user) === domain
    const visible = found.filter((organization) => roles.has(organization.id) || hasDomain)
    return {
      organizations: visible.map((organization) => {
        const role = roles.get(organization.id)
        const membership = role === undefined ? undefined : { role, ownsTeam: idsWithOwnedTeam.has(organization.id) }
        return presentOrganization(organization, membership, urls)
      }),
    }
  },

  async getSubdomain({ db, principal }, { params }) {
    const organization = await store.findOrganizationByHostname(db, params.subdomain)
    const isMember = organization && (await findViewer(db, organization.id, principal.user.id))
    if (!isMember || !isInReach(principal.reach, organization.id)) throw notFound('subdomain')
    return {
      object: 'subdomain' as const,
      subdomain: params.subdomain,
      target: { type: 'organization' as const, organization: organization.id },
      isActive: await store.hasPublishedSite(db, organization.id),
    }
  },
})

/** Returns the settings of an organization that the audit log compares. */
const toAuditedSettings = (organization: Row<'organizations'>) => ({
  title: organization.title,
  emailDomains: JSON.parse(organization.email_domains) as unknown,
  hostname: organization.hostname,
  defaultRole: fromStoredRole(organization.default_role),
  defaultSite: organization.default_site_id,
  logo: organization.logo,
  sso: organization.sso === 1,
  ai: organization.ai === 1,
  inviteLinks: organization.invite_links === 1,
  mergeRules: JSON.parse(organization.merge_rules) as unknown,
})

function emailDomainOf(user: Row<'users'>): string {
  return user.email.slice(user.email.lastIndexOf('@') + 1)
}

function acceptsEmailDomain(organization: Row<'organizations'>, domain: string): boolean {
  return (JSON.parse(organization.email_domains) as string[]).includes(domain)
}

/**
 * Fails if a hostname is in use. Sites are found by the hostname or the id of their organization, so a hostname must
 * not be the id of another organization.
 */
async function checkHostname({ db, organization, urls }: OrganizationContext, hostname: string | undefined) {
  if (hostname === undefined || hostname === organization.hostname) return
  const organizationWithSameId = hostname === organization.id ? undefined : await findOrganization(db, hostname)
  const address = new URL(urls.site({ organization_name: hostname, basename: 'x', hostname: null, proxy: null }))
  const isServerAddress = address.hostname === new URL(urls.plain('/')).hostname && address.pathname === '/x/'
  if (organizationWithSameId || isServerAddress) throw conflict(`The hostname ${hostname} is already in use`)
}

/** Returns the columns about SSO. The caller who turns it on becomes the break-glass administrator, unless the request names another one. */
async function toSsoColumns(
  { db, organization, principal }: OrganizationContext,
  { sso, ssoAdministrator }: { sso?: boolean | undefined; ssoAdministrator?: string | undefined },
) {
  if (ssoAdministrator !== undefined && (await findMemberRole(db, organization.id, ssoAdministrator)) !== 'admin')
    throw invalid('body.ssoAdministrator', 'must be an administrator of this organization')
  const isTurnedOn = sso === true && organization.sso === 0
  const adminId = ssoAdministrator ?? (isTurnedOn ? principal.user.id : undefined)
  return { ...(sso !== undefined && { sso: toFlag(sso) }), ...(adminId !== undefined && { sso_admin_id: adminId }) }
}

async function checkDefaultContent({ db, viewer }: OrganizationContext, siteId: string | undefined) {
  if (siteId === undefined || (await findSite(db, viewer.userId, viewer.organizationId, siteId))) return
  throw invalid('body.defaultContent', 'must reference a site of this organization')
}

async function presentForCaller({ db, principal, urls }: UserContext, organization: Row<'organizations'>) {
  const viewer = await findViewer(db, organization.id, principal.user.id)
  const ownsTeam = await store.ownsTeamIn(db, principal.user.id, organization.id)
  const membership = viewer && { role: viewer.role, ownsTeam }
  return presentOrganization(organization, membership, urls)
}
