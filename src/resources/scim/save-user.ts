import { deleteMember, updateMember } from '../../domain/members/member-store.ts'
import { updateMemberSearchColumns } from '../../domain/members/member-queries.ts'
import { addMember, requireOtherAdmin } from '../../domain/members/membership.ts'
import { recordAccessEvents } from '../../domain/live/record-event.ts'
import { createUser } from '../../domain/users/accounts.ts'
import { type IssuedAccess, endAccess } from '../../domain/accounts/end-access.ts'
import { isManagedAccount } from '../../domain/accounts/managed-accounts.ts'
import { findUsersByEmail, updateUser } from '../../domain/users/user-store.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { type StoredRole, toFlag } from '../../schema/values.ts'
import { ScimError } from '../../scim/errors.ts'
import type { ScimContext } from '../../scim/route.ts'
import { type UserValues, toAccountName } from '../../scim/user-values.ts'
import * as store from './user-store.ts'

/** Returns a member, or fails as for an unknown one if they belong to another organization. */
export async function getUser({ db, organization }: ScimContext, userId: string): Promise<store.ScimUserRow> {
  const row = await store.findUser(db, organization.id, userId)
  if (!row) throw notFound('user')
  return row
}

/** Adds a member; the account with the email address is used if there is one. */
export async function provisionUser(context: ScimContext, values: UserValues): Promise<string> {
  const { db, organization, now } = context
  await assertUserNameIsFree(context, values.userName, '')
  const [existing] = await findUsersByEmail(db, [values.email])
  const account = existing ?? (await createAccount(context, values))
  const role = values.role ?? organization.default_role
  if (!(await addMember(db, now, { organizationId: organization.id, user: account, role }))) {
    throw new ScimError('uniqueness', 'A user with this email address already exists')
  }
  await saveUser(context, await getUser(context, account.id), values)
  return account.id
}

async function createAccount(context: ScimContext, values: UserValues): Promise<Row<'users'>> {
  const { db, organization } = context
  const account = await createUser(db, context, { email: values.email, displayName: toAccountName(values) })
  await store.insertScimAccount(db, organization.id, account.id)
  return account
}

/** Stores the data that the identity provider sends about a member. */
export async function saveUser(context: ScimContext, member: store.ScimUserRow, values: UserValues): Promise<void> {
  const { db, organization, now } = context
  const userId = member.user_id
  await assertUserNameIsFree(context, values.userName, userId)
  const role: StoredRole = values.role ?? member.role
  const isActive = values.active ?? member.disabled === 0
  if (isActiveAdmin(member) && (role !== 'admin' || !isActive)) await requireOtherAdmin(db, organization.id, userId)
  await store.upsertScimUser(db, {
    organization_id: organization.id,
    user_id: userId,
    user_name: values.userName,
    external_id: values.externalId,
    display_name: values.displayName,
    display_name_key: values.displayName?.toLowerCase() ?? null,
    given_name: values.givenName,
    family_name: values.familyName,
    formatted_name: values.formattedName,
    email: values.email,
    email_type: values.emailType,
    updated_at: now(),
  })
  await updateMember(db, organization.id, userId, {
    role,
    disabled: toFlag(!isActive),
    user_name_key: values.userName.toLowerCase(),
  })
  const access = await findAccess(context, userId)
  if (access.isManaged) await updateAccount(context, member, values, access)
  if (!isActive && member.disabled === 0) await endAccess(db, access)
  if (member.role !== role || member.disabled !== toFlag(!isActive))
    await recordAccessEvents(context, organization.id, [userId])
}

/** Removes a member and ends their access. */
export async function removeUser(context: ScimContext, userId: string): Promise<void> {
  const { db, organization } = context
  const member = await getUser(context, userId)
  if (isActiveAdmin(member)) await requireOtherAdmin(db, organization.id, userId)
  const access = await findAccess(context, userId)
  await deleteMember(db, organization.id, userId)
  await endAccess(db, access)
  await recordAccessEvents(context, organization.id, [userId])
}

const isActiveAdmin = ({ role, disabled }: store.ScimUserRow) => role === 'admin' && disabled === 0

/** Returns which access of a user the organization may change and end. */
async function findAccess({ db, organization }: ScimContext, userId: string): Promise<IssuedAccess> {
  const isManaged = await isManagedAccount(db, organization.id, userId)
  return { userId, organizationId: organization.id, isManaged }
}

/** Updates the name and the email address of an account. The address is not changed to one that another account has. */
async function updateAccount(
  { db, now }: ScimContext,
  { account_email: currentEmail, account_name: currentName }: store.ScimUserRow,
  values: UserValues,
  access: IssuedAccess,
): Promise<void> {
  const isEmailFree = values.email !== currentEmail && (await findUsersByEmail(db, [values.email])).length === 0
  const email = isEmailFree ? values.email : currentEmail
  const name = toAccountName(values)
  if (email === currentEmail && name === currentName) return
  const account = await updateUser(db, access.userId, { email, display_name: name, updated_at: now() })
  await updateMemberSearchColumns(db, account)
  // The new address may belong to another person, who must not share the account with the former owner.
  if (email !== currentEmail) await endAccess(db, access)
}

async function assertUserNameIsFree({ db, organization }: ScimContext, userName: string, userId: string) {
  if (await store.isUserNameTaken(db, organization.id, userName, userId)) {
    throw new ScimError('uniqueness', 'A user with this userName already exists')
  }
}
