import { randomBytes } from 'node:crypto'
import { hashToken } from '../../kernel/hash-token.ts'
import { timestamp } from '../../kernel/time.ts'
import type { SignInLinkKind } from '../../schema/sign-in.ts'
import type { Db, Row } from '../../schema/tables.ts'

export interface NewSignInLink {
  kind: SignInLinkKind
  userId?: string
  /** Email address to which the link is sent, of an account or a new one. */
  email?: string
  /** ID of the only browser that may use the link. */
  browserId?: string
  /** Path to open after the sign-in. */
  nextPath?: string | undefined
  /** Milliseconds for which the link is valid. */
  lifetime: number
}

/** Creates a one-time link and returns its token. Only the hash is stored. Older links of the kind for the user become invalid. */
export async function createSignInLink(db: Db, now: string, link: NewSignInLink): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  if (link.userId !== undefined)
    await db.deleteFrom('sign_in_links').where('user_id', '=', link.userId).where('kind', '=', link.kind).execute()
  await db
    .insertInto('sign_in_links')
    .values({
      hash: hashToken(token),
      kind: link.kind,
      user_id: link.userId ?? null,
      email: link.email ?? null,
      browser_hash: link.browserId === undefined ? null : hashToken(link.browserId),
      next_path: link.nextPath ?? null,
      created_at: now,
      expires_at: timestamp(Date.parse(now) + link.lifetime),
    })
    .execute()
  return token
}

/** Returns a link that has neither been used nor expired. A link that is bound to a browser is not found from another one. */
export async function findSignInLink(
  db: Db,
  kind: SignInLinkKind,
  token: string,
  { now, browserId }: { now: string; browserId?: string | undefined },
): Promise<Row<'sign_in_links'> | undefined> {
  const row = await db
    .selectFrom('sign_in_links')
    .selectAll()
    .where('hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row || (row.browser_hash !== null && (browserId === undefined || row.browser_hash !== hashToken(browserId))))
    return undefined
  return row
}

/** Makes a link invalid; false if another request has used it in the meantime. */
export async function useSignInLink(db: Db, link: Pick<Row<'sign_in_links'>, 'hash'>): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sign_in_links').where('hash', '=', link.hash).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteExpiredLinks(db: Db, now: string): Promise<void> {
  await db.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute()
}

/** Makes all links of a user invalid. */
export async function deleteLinksOfUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sign_in_links').where('user_id', '=', userId).execute()
}
