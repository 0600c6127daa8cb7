import { createHash } from 'node:crypto'
import { canonical } from '../content/revision/canonical.ts'
import type { Db } from './tables.ts'

/** Stores an immutable value under its hash, once per organization however often it is put; returns the hash. */
export async function putObject(db: Db, organizationId: string, value: unknown): Promise<string> {
  const body = canonical(value)
  const hash = createHash('sha256').update(body).digest('hex')
  await db
    .insertInto('objects')
    .values({ organization_id: organizationId, hash, body })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return hash
}

/** Copies the objects with these hashes into another organization. */
export async function copyObjects(db: Db, from: string, to: string, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await db
    .insertInto('objects')
    .columns(['organization_id', 'hash', 'body'])
    .expression((eb) =>
      eb
        .selectFrom('objects')
        .select((e) => [e.val(to).as('organization_id'), 'hash', 'body'])
        .where('organization_id', '=', from)
        .where('hash', 'in', hashes),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes the objects with these hashes that no revision of the organization has as its root. */
export async function sweepObjects(db: Db, organizationId: string, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await db
    .deleteFrom('objects')
    .where('organization_id', '=', organizationId)
    .where('hash', 'in', hashes)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('revisions')
            .select('revisions.id')
            .where('revisions.organization_id', '=', organizationId)
            .whereRef('revisions.root_hash', '=', 'objects.hash'),
        ),
      ),
    )
    .execute()
}
