import { fromStoredRole } from '../../access/content-roles.ts'
import { roleRank } from '../../contract/roles.ts'
import { AppError } from '../../kernel/errors.ts'
import type { SamlProfile } from '../../saml/profile.ts'
import type { Db, Row } from '../../schema/tables.ts'
import type { StoredRole } from '../../schema/values.ts'
import { recordMemberEvent } from '../audit/record-event-about.ts'
import type { AuditContext } from '../audit/record-event.ts'
import { updateMemberSearchColumns } from '../members/member-queries.ts'
import { findMembership, isMemberOfOthers } from '../members/member-store.ts'
import { addMember } from '../members/membership.ts'
import { findTeam, upsertTeamMembers } from '../teams/team-store.ts'
import { createUser } from '../users/accounts.ts'
import { findUsers, findUsersByEmail, updateUser } from '../users/user-store.ts'
import { findIdentity, insertIdentity, recordIdentityUse } from './identity-store.ts'

interface CreationContext {
  newId: () => string
  now: () => string
}

/** Person whom the identity provider of an organization has identified. */
export interface IdentifiedPerson {
  provider: Row<'saml_providers'>
  organization: Row<'organizations'>
  subject: string
  profile: SamlProfile
  /** User who is signed in to the browser without an identity provider. */
  signedInUserId: string | undefined
}

/** Account with which a person signs in: one that is known for the identity, an existing one to connect, or a new one. */
export type AccountMatch =
  | { kind: 'known'; user: Row<'users'>; identity: Row<'saml_identities'> }
  | { kind: 'existing'; user: Row<'users'>; needsConsent: boolean }
  | { kind: 'new' }

/**
 * Finds the account of a person. People are recognized by their identity at the provider. An account is found by email address only
 * once, and with caution: an administrator of any organization can set up a provider that states any address, and can add any
 * account to the organization and declare any domain. An account with other organizations is therefore connected only if its owner
 * is signed in to it in the same browser and agrees.
 */
export async function matchAccount(db: Db, person: IdentifiedPerson): Promise<AccountMatch> {
  const { provider, organization, subject, profile, signedInUserId } = person
  const identity = await findIdentity(db, provider.id, subject)
  const [known] = identity ? await findUsers(db, [identity.user_id]) : []
  if (identity && known) return { kind: 'known', user: known, identity }
  const [user] = await findUsersByEmail(db, [profile.email])
  if (!user) return { kind: 'new' }
  const hasOthers = await isMemberOfOthers(db, user.id, organization.id)
  const isMember = (await findMembership(db, organization.id, user.id)) !== undefined
  if (!hasOthers && (isMember || hasEmailDomain(organization, profile.email)))
    return { kind: 'existing', user, needsConsent: false }
  if (signedInUserId === user.id) return { kind: 'existing', user, needsConsent: true }
  throw new AppError(
    'forbidden',
    `This server already has an account with the address ${profile.email}. Sign in to it without SSO, and then open the link again to connect both`,
  )
}

function hasEmailDomain(organization: Row<'organizations'>, email: string): boolean {
  return (JSON.parse(organization.email_domains) as string[]).includes(email.slice(email.lastIndexOf('@') + 1))
}

/** Creates or updates the account and the membership of a person who signs in, and returns the account. */
export async function provisionAccount(
  db: Db,
  context: CreationContext & Pick<AuditContext, 'client'>,
  person: IdentifiedPerson,
  match: AccountMatch,
  invite: Pick<Row<'email_invites'>, 'role'> | undefined,
): Promise<Row<'users'>> {
  const user = await storeIdentity(db, context, person, match)
  const role = await ensureMember(db, context, person, user, invite)
  if (role !== undefined) {
    const values = { actor: { kind: 'user' as const, user }, after: { role: fromStoredRole(role), sso: true } }
    await recordMemberEvent({ ...context, db }, person.organization.id, user, 'member.join', values)
  }
  return user
}

async function storeIdentity(
  db: Db,
  context: CreationContext,
  { provider, subject, profile, organization }: IdentifiedPerson,
  match: AccountMatch,
): Promise<Row<'users'>> {
  const at = context.now()
  if (match.kind === 'known') {
    await recordIdentityUse(db, match.identity, at)
    const isManaged = match.identity.is_managed === 1 && !(await isMemberOfOthers(db, match.user.id, organization.id))
    return isManaged ? refreshAccount(db, match.user, profile, at) : match.user
  }
  const user =
    match.kind === 'existing'
      ? match.user
      : await createUser(db, context, {
          email: profile.email,
          displayName: profile.displayName ?? profile.email.slice(0, profile.email.indexOf('@')),
        })
  await insertIdentity(db, {
    provider_kind: 'saml',
    provider_id: provider.id,
    subject,
    user_id: user.id,
    organization_id: organization.id,
    is_managed: match.kind === 'new' ? 1 : 0,
    created_at: at,
    last_used_at: at,
  })
  return user
}

/** Updates the name and the address of an account that the provider created; an address of another account is not taken. */
async function refreshAccount(
  db: Db,
  user: Row<'users'>,
  { email, displayName = user.display_name }: SamlProfile,
  at: string,
): Promise<Row<'users'>> {
  const isFree = email === user.email || (await findUsersByEmail(db, [email])).length === 0
  const values = { display_name: displayName, email: isFree ? email : user.email }
  if (values.display_name === user.display_name && values.email === user.email) return user
  const updated = await updateUser(db, user.id, { ...values, updated_at: at })
  await updateMemberSearchColumns(db, updated)
  return updated
}

/** Makes a person a member with the default role and team; returns the role, or undefined if they are a member already. */
async function ensureMember(
  db: Db,
  { now }: CreationContext,
  { provider, organization }: IdentifiedPerson,
  user: Row<'users'>,
  invite: Pick<Row<'email_invites'>, 'role'> | undefined,
): Promise<StoredRole | undefined> {
  const membership = await findMembership(db, organization.id, user.id)
  if (membership?.disabled === 1)
    throw new AppError('forbidden', `Your membership of ${organization.title} is disabled. Ask an administrator`)
  if (membership) return undefined
  const role = higherRole(provider.default_role, invite?.role)
  await addMember(db, now, { organizationId: organization.id, user, role, sso: true })
  const team = { organization_id: organization.id, team_id: provider.default_team_id ?? '' }
  if (await findTeam(db, team.organization_id, team.team_id))
    await upsertTeamMembers(db, team, [user.id], undefined, now())
  return role
}

function higherRole(role: StoredRole, other: StoredRole | undefined): StoredRole {
  if (other === undefined) return role
  return roleRank(fromStoredRole(other)) > roleRank(fromStoredRole(role)) ? other : role
}
