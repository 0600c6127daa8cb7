import { sql } from 'kysely'
import { AppError } from '../kernel/errors.ts'
import type { StoredBlob } from './blobs.ts'
import { toBatches } from './batches.ts'
import type { Db } from '../schema/tables.ts'

// Each organization is charged for its files: once for equal bytes, from before they are stored until a sweep removes
// them or finds that only other organizations use them. The totals are stored, so that neither storing a file nor
// reading the usage becomes slower as usage grows.

/** Maximum number of bytes of files; 0 means no limit. */
export interface StorageQuota {
  organization: number
  /** For all organizations together; a file that two of them have counts twice. */
  instance: number
}

/** Owner of the total over all organizations. */
const instanceOwner = ''

export interface StorageUsage {
  organization: number
  instance: number
}

/** Returns the number of bytes of files of an organization and of all organizations. */
export async function findStorageUsage(db: Db, organizationId: string): Promise<StorageUsage> {
  const rows = await db
    .selectFrom('storage_usage')
    .selectAll()
    .where('owner', 'in', [organizationId, instanceOwner])
    .execute()
  const bytesOf = (owner: string) => rows.find((row) => row.owner === owner)?.bytes ?? 0
  return { organization: bytesOf(organizationId), instance: bytesOf(instanceOwner) }
}

/** Returns the total over all organizations and the organizations with the highest usage. */
export async function findLargestUsages(db: Db, limit = 5) {
  const { instance } = await findStorageUsage(db, instanceOwner)
  const organizations = await db
    .selectFrom('storage_usage')
    .innerJoin('organizations', 'organizations.id', 'storage_usage.owner')
    .where('storage_usage.bytes', '>', 0)
    .orderBy('storage_usage.bytes', 'desc')
    .limit(limit)
    .select(['organizations.id', 'organizations.title', 'storage_usage.bytes'])
    .execute()
  return { total: instance, organizations }
}

/** Fails if storing additional bytes would exceed the quota. */
export async function assertWithinStorageQuota(
  db: Db,
  organizationId: string,
  bytes: number,
  quota: StorageQuota,
): Promise<void> {
  const usage = await findStorageUsage(db, organizationId)
  assertUsageWithinQuota({ organization: usage.organization + bytes, instance: usage.instance + bytes }, bytes, quota)
}

/** Charges an organization for blobs, each only once; with a quota, fails if it would be exceeded. */
export async function chargeBlobs(
  db: Db,
  organizationId: string,
  blobs: readonly StoredBlob[],
  quota?: StorageQuota,
): Promise<void> {
  let addedBytes = 0
  const sizes = new Map(blobs.map(({ hash, size }) => [hash, size]))
  for (const batch of toBatches([...sizes])) {
    const rows = await db
      .insertInto('organization_blobs')
      .values(batch.map(([hash, size]) => ({ organization_id: organizationId, hash, size })))
      .onConflict((conflict) => conflict.columns(['organization_id', 'hash']).doNothing())
      .returning('size')
      .execute()
    for (const { size } of rows) addedBytes += size
  }
  if (addedBytes > 0) await chargeBytes(db, organizationId, addedBytes, quota)
}

/** Charges an organization for bytes that are not blobs; with a quota, fails if it would be exceeded. */
export async function chargeBytes(db: Db, organizationId: string, bytes: number, quota?: StorageQuota): Promise<void> {
  const usage = {
    organization: await addUsage(db, organizationId, bytes),
    instance: await addUsage(db, instanceOwner, bytes),
  }
  if (quota) assertUsageWithinQuota(usage, bytes, quota)
}

/** Ends the charge for bytes that are not blobs. */
export async function releaseBytes(db: Db, organizationId: string, bytes: number): Promise<void> {
  if (bytes > 0) await chargeBytes(db, organizationId, -bytes)
}

/** Ends the charge for a blob for each organization that does not use it anymore. */
export async function releaseUnusedBlob(db: Db, hash: string): Promise<void> {
  const { rows } = await sql<{ organization_id: string; size: number }>`
    delete from organization_blobs where hash = ${hash}
      and not exists (select 1 from objects where objects.blob = ${hash}
        and objects.organization_id = organization_blobs.organization_id)
      and not exists (select 1 from uploads where uploads.blob = ${hash}
        and uploads.organization_id = organization_blobs.organization_id)
      and not exists (select 1 from openapi_specs where openapi_specs.source_blob = ${hash}
        and openapi_specs.organization_id = organization_blobs.organization_id)
      and not exists (select 1 from openapi_versions
        where (openapi_versions.source_blob = ${hash} or openapi_versions.document_blob = ${hash})
          and openapi_versions.organization_id = organization_blobs.organization_id)
      and not exists (select 1 from linked_specs where linked_specs.document_blob = ${hash}
        and linked_specs.organization_id = organization_blobs.organization_id)
    returning organization_id, size`.execute(db)
  for (const { organization_id: organizationId, size } of rows) await releaseBytes(db, organizationId, size)
}

/** Removes an organization that is deleted from the totals. */
export async function removeStorageUsage(db: Db, organizationId: string): Promise<void> {
  const { organization } = await findStorageUsage(db, organizationId)
  await addUsage(db, instanceOwner, -organization)
  await db.deleteFrom('storage_usage').where('owner', '=', organizationId).execute()
}

async function addUsage(db: Db, owner: string, bytes: number): Promise<number> {
  const row = await db
    .insertInto('storage_usage')
    .values({ owner, bytes })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({ bytes: (eb) => eb('storage_usage.bytes', '+', eb.ref('excluded.bytes')) }),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow()
  return row.bytes
}

function assertUsageWithinQuota(usage: StorageUsage, addedBytes: number, quota: StorageQuota): void {
  const check = (whose: string, used: number, limit: number, variable: string) => {
    if (limit === 0 || used <= limit) return
    throw new AppError(
      'tooLarge',
      `${whose} use ${formatMegabytes(used - addedBytes)} of ${formatMegabytes(limit)} MB, so ${formatMegabytes(addedBytes)} MB more exceed the limit. Delete unused files, or ask the operator of the server to increase ${variable}.`,
    )
  }
  check('The files of this organization', usage.organization, quota.organization, 'OCTAVO_ORGANIZATION_STORAGE')
  check('The files on this server', usage.instance, quota.instance, 'OCTAVO_STORAGE')
}

const formatMegabytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1)
