import { Email } from '../../contract/invites.ts'
import { DisplayName } from '../../contract/users.ts'
import { connectIdentity, useIdentity } from '../../domain/accounts/identities.ts'
import { createUser } from '../../domain/users/accounts.ts'
import { findUsersByEmail } from '../../domain/users/user-store.ts'
import { AppError } from '../../kernel/errors.ts'
import { acceptEmailInvites, hasEmailInvite } from '../../resources/invites/join.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { findUsableInvite, parseJoinPath } from '../invite.ts'
import type { AccountContext, PageContext } from '../context.ts'
import type { OidcClaims } from './client.ts'
import { recordPageEvent, toAuditContext } from '../events.ts'
import type { OidcProvider } from './provider.ts'

/**
 * Returns the ID of the user whom a provider has identified: the user with this identity, the one with the verified email address,
 * or a new one. An address that the provider has not verified identifies nobody, because anyone can enter any address there.
 */
export async function resolveAccount(
  db: Db,
  context: PageContext,
  provider: OidcProvider,
  claims: OidcClaims,
  nextPath: string | undefined,
): Promise<string> {
  const email = findVerifiedEmail(provider, claims)
  assertDomain(provider, email)
  const identity = { providerId: provider.id, issuer: claims.issuer, subject: claims.subject }
  const knownUserId = await useIdentity(db, identity, context.now())
  if (knownUserId !== undefined) return knownUserId
  if (email === undefined) {
    throw new AppError(
      'forbidden',
      `${provider.label} has not confirmed that your email address belongs to you. Sign in in another way, and connect ${provider.label} on your account page`,
    )
  }
  const [existing] = await findUsersByEmail(db, [email])
  const user = existing ?? (await createAccount(db, context, provider, { ...claims, email }, nextPath))
  if (await connectIdentity(db, user.id, identity, context.now())) {
    await recordConnection(db, context, provider, user)
    return user.id
  }
  throw new AppError('conflict', `The account with the address ${email} uses another account of ${provider.label}`)
}

/** Connects an identity with the user who is signed in. */
export async function connectAccount(
  db: Db,
  context: AccountContext,
  provider: OidcProvider,
  { issuer, subject, ...claims }: OidcClaims,
): Promise<void> {
  const { user } = context.principal
  assertDomain(provider, findVerifiedEmail(provider, claims))
  const identity = { providerId: provider.id, issuer, subject }
  if (!(await connectIdentity(db, user.id, identity, context.now())))
    throw new AppError(
      'conflict',
      `You have already connected an account of ${provider.label}, or another user has connected this one`,
    )
  await recordConnection(db, context, provider, user)
}

function recordConnection(db: Db, context: PageContext, { id }: OidcProvider, user: Row<'users'>): Promise<void> {
  const values = { actor: { kind: 'user' as const, user }, after: { provider: id } }
  return recordPageEvent(db, context, user, 'identity.connect', values)
}

/** Returns the email address in lower case if it belongs to the person. */
export function findVerifiedEmail(
  { trustEmail }: OidcProvider,
  { email, isEmailVerified }: Pick<OidcClaims, 'email' | 'isEmailVerified'>,
): string | undefined {
  return isEmailVerified || trustEmail ? Email.safeParse(email).data : undefined
}

/** Fails if the provider is limited to other domains. */
function assertDomain({ domains, label }: OidcProvider, email: string | undefined): void {
  if (!domains || (email !== undefined && domains.includes(email.slice(email.lastIndexOf('@') + 1)))) return
  throw new AppError('forbidden', `Only addresses of ${domains.join(', ')} can sign in with ${label}`)
}

/** Creates the account of a person who was invited, or who needs no invite. */
async function createAccount(
  db: Db,
  context: PageContext,
  { allowSignUp }: OidcProvider,
  { email, name }: OidcClaims & { email: string },
  nextPath: string | undefined,
): Promise<Row<'users'>> {
  const isInvited = (await hasEmailInvite(db, email)) || (await isInviteLink(db, nextPath))
  if (!isInvited && !allowSignUp)
    throw new AppError('forbidden', `There is no account for ${email}. Ask an administrator to invite this address`)
  const displayName = DisplayName.safeParse(name).data ?? email.slice(0, email.indexOf('@'))
  const user = await createUser(db, context, { email, displayName })
  await acceptEmailInvites(toAuditContext(db, context), user)
  return user
}

/** Whether the sign-in started on the page of an invite link, which admits everybody who has it. */
async function isInviteLink(db: Db, nextPath: string | undefined): Promise<boolean> {
  const ids = parseJoinPath(nextPath ?? '')
  const invite = ids && (await findUsableInvite(db, ids.organizationId, ids.inviteId))
  return invite?.kind === 'link'
}
