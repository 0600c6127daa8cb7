import { hash } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Db, Row, Tables } from '../../schema/tables.ts'

type ProviderKey = Pick<Row<'saml_providers'>, 'organization_id' | 'id'>

/** Returns the stored form of the ID of a browser or of an assertion. */
export const hashId = (id: string): string => hash('sha256', id, 'hex')

export async function insertRequest(db: Db, request: Insertable<Tables['saml_requests']>): Promise<void> {
  await db.insertInto('saml_requests').values(request).execute()
}

/** Stores the answer to a request; false if the request is unknown, was answered before or has expired. */
export async function answerRequest(
  db: Db,
  provider: ProviderKey,
  requestId: string,
  { answer, expiresAt, now }: { answer: string; expiresAt: string; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('saml_requests')
    .set({ answer, expires_at: expiresAt })
    .where('organization_id', '=', provider.organization_id)
    .where('provider_id', '=', provider.id)
    .where('id', '=', requestId)
    .where('answer', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Identifies an answered request and the browser that completes it. */
export interface AnswerKey {
  requestId: string
  browserId: string
  now: string
}

/** Finds an answered request; undefined for another browser. */
export function findAnswer(db: Db, provider: ProviderKey, key: AnswerKey): Promise<Row<'saml_requests'> | undefined> {
  return db.selectFrom('saml_requests').selectAll().where(isAnswer(provider, key)).executeTakeFirst()
}

/** Deletes and returns an answered request, so that it is used once; undefined for another browser. */
export function takeAnswer(db: Db, provider: ProviderKey, key: AnswerKey): Promise<Row<'saml_requests'> | undefined> {
  return db.deleteFrom('saml_requests').where(isAnswer(provider, key)).returningAll().executeTakeFirst()
}

function isAnswer(provider: ProviderKey, { requestId, browserId, now }: AnswerKey) {
  return sql<boolean>`(
    organization_id = ${provider.organization_id} and provider_id = ${provider.id} and id = ${requestId}
      and answer is not null and expires_at > ${now} and (browser_hash is null or browser_hash = ${hashId(browserId)})
  )`
}

/** Records that an assertion was used; false if it was used before, also by another process. */
export async function recordAssertion(
  db: Db,
  provider: ProviderKey,
  { assertionId, expiresAt }: { assertionId: string; expiresAt: string },
): Promise<boolean> {
  const inserted = await db
    .insertInto('saml_replays')
    .values({
      organization_id: provider.organization_id,
      provider_id: provider.id,
      assertion_hash: hashId(assertionId),
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('assertion_hash')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Removes requests and used assertions that have expired. */
export async function deleteExpiredSamlRows(db: Db, now: string): Promise<void> {
  await db.deleteFrom('saml_requests').where('expires_at', '<=', now).execute()
  await db.deleteFrom('saml_replays').where('expires_at', '<=', now).execute()
}
