import { generateToken } from '../../access/tokens.ts'
import { hashToken } from '../../kernel/hash-token.ts'
import type { TokenScope } from '../../contract/roles.ts'
import { conflict } from '../../kernel/errors.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { insertToken, insertUser } from './user-store.ts'

interface CreationContext {
  newId: () => string
  now: () => string
}

/** Creates an account. Its email address counts as verified, so callers need a proof of it, for example a mailed link. */
export async function createUser(
  db: Db,
  { newId, now }: CreationContext,
  { email, displayName, isOperator = false }: { email: string; displayName: string; isOperator?: boolean },
): Promise<Row<'users'>> {
  try {
    return await insertUser(db, {
      id: newId(),
      email: email.toLowerCase(),
      display_name: displayName,
      photo_url: null,
      is_operator: toFlag(isOperator),
      created_at: now(),
      updated_at: now(),
    })
  } catch (error) {
    throw isUniqueViolation(error, 'users_email')
      ? conflict(`A user with the email address ${email} already exists`)
      : error
  }
}

/** Creates an API token. Only its hash is stored, so the result is the only place that contains the token. */
export async function createToken(
  db: Db,
  { newId, now }: CreationContext,
  options: {
    userId: string
    label: string
    scopes?: readonly TokenScope[] | null
    expiresAt?: string | undefined
    token?: string | undefined
    /** Permission of an app that receives the token. */
    grantId?: string
    ssoOrganizationId?: string | null
    /** Whether the operator of the server creates the token. */
    isFromOperator?: boolean
  },
): Promise<{ row: Row<'tokens'>; token: string }> {
  const token = options.token ?? generateToken()
  const row = await insertToken(db, {
    id: newId(),
    user_id: options.userId,
    label: options.label,
    hash: hashToken(token),
    scopes: options.scopes ? JSON.stringify(options.scopes) : null,
    created_at: now(),
    expires_at: options.expiresAt ?? null,
    last_used_at: null,
    grant_id: options.grantId ?? null,
    sso_organization_id: options.ssoOrganizationId ?? null,
    is_from_operator: toFlag(options.isFromOperator ?? false),
  })
  return { row, token }
}
