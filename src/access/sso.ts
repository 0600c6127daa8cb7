import { type RawBuilder, sql } from 'kysely'
import type { OrganizationReach, UserContext } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { serviceUrls } from '../saml/service.ts'
import type { Db } from '../schema/tables.ts'

/** Properties of a sign-in that determine which organizations the caller can open. */
export interface SignInOrigin {
  userId: string
  /** Organization whose identity provider signed the caller in. */
  ssoOrganizationId: string | null
  /** Whether the operator of the server created the token. */
  isFromOperator?: boolean
  /** Number of organizations of the user that require SSO, see `selectSsoCount`. */
  ssoCount: number
}

/** Selects the number of organizations that require SSO of the user in the table `users` of a query. */
export const selectSsoCount = sql<number>`(
  select count(*) from members join organizations on organizations.id = members.organization_id
    where members.user_id = users.id and members.disabled = 0 and (organizations.sso = 1 or members.sso = 1)
)`.as('sso_count')

export const unlimitedReach: OrganizationReach = { denied: new Set() }

/**
 * Resolves which organizations a caller can open. An identity provider belongs to one organization and may state any identity, so a
 * sign-in with it opens only that organization. All other callers are kept out of organizations that require SSO, except
 * the break-glass administrator of the organization and tokens of the operator.
 */
export async function resolveReach(
  db: Db,
  { userId, ssoOrganizationId, isFromOperator = false, ssoCount }: SignInOrigin,
): Promise<OrganizationReach> {
  if (ssoOrganizationId !== null) return { only: ssoOrganizationId, denied: new Set() }
  if (isFromOperator || ssoCount === 0) return unlimitedReach
  const rows = await db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', 0)
    .where((eb) => eb.or([eb('organizations.sso', '=', 1), eb('members.sso', '=', 1)]))
    .where((eb) =>
      eb.or([
        eb('organizations.sso_admin_id', 'is', null),
        eb('organizations.sso_admin_id', '!=', userId),
        eb('members.role', '!=', 'admin'),
      ]),
    )
    .select('members.organization_id')
    .execute()
  return { denied: new Set(rows.map((row) => row.organization_id)) }
}

/** Whether a caller can open an organization, if they are a member of it. */
export function isInReach({ only, denied }: OrganizationReach, organizationId: string): boolean {
  return only === undefined ? !denied.has(organizationId) : only === organizationId
}

/** Returns a condition that a column with the id of an organization is in reach. */
export function reachCondition({ only, denied }: OrganizationReach, column: string): RawBuilder<boolean> {
  if (only !== undefined) return sql`${sql.ref(column)} = ${only}`
  return denied.size === 0 ? sql`true` : sql`${sql.ref(column)} not in (${sql.join([...denied])})`
}

/** Throws if the caller signed in to the organization in a way that gives no access to it; the message describes how to sign in. */
export async function requireReach(
  { db, urls, principal }: Pick<UserContext, 'db' | 'urls' | 'principal'>,
  organizationId: string,
): Promise<void> {
  if (isInReach(principal.reach, organizationId)) return
  if (principal.reach.only !== undefined) {
    throw new AppError(
      'forbidden',
      'You signed in with the identity provider of another organization (SSO), which gives access only to that organization',
    )
  }
  const provider = await db
    .selectFrom('saml_providers')
    .where('organization_id', '=', organizationId)
    .where('sso_url', '!=', '')
    .where('certificate', '!=', '')
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const way = provider
    ? `Sign in at ${serviceUrls((path) => urls.plain(path), provider.id).startURL}, and create API tokens in that session`
    : 'It has no active identity provider, so only its break-glass administrator can open it'
  throw new AppError('forbidden', `The organization requires SSO. ${way}`)
}

/** Throws if the caller signed in with the identity provider of an organization; `action` completes the sentence of the message. */
export function requireOwnSignIn({ reach }: { reach: OrganizationReach }, action: string): void {
  if (reach.only !== undefined)
    throw new AppError('forbidden', `You signed in with an identity provider (SSO). Sign in without SSO to ${action}`)
}
