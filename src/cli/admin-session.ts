import { unlimitedReach } from '../access/sso.ts'
import { createOpenObjects, createUrls, ignoredJobs } from '../server/app.ts'
import type { Config } from '../server/config.ts'
import { Queue } from '../jobs/queue.ts'
import type { OrganizationContext, Urls } from '../kernel/context.ts'
import { createLog } from '../kernel/log.ts'
import { createSealer } from '../kernel/sealer.ts'
import { createSigner } from '../kernel/signer.ts'
import { findServerAddress } from '../server/server-address.ts'
import type { Database } from '../storage/database.ts'
import { getInstanceSecret } from '../storage/instance.ts'
import type { Db, Row } from '../schema/tables.ts'
import { idsAndClock } from './environment.ts'
import { getFirstAdmin, getOrganization } from './organizations.ts'

export interface AdminSession {
  organization: Row<'organizations'>
  admin: Row<'users'>
  urls: Urls
  /** Runs work in one transaction, with the permissions of an administrator. */
  transaction: <T>(work: (context: OrganizationContext) => Promise<T>) => Promise<T>
}

/** Opens an organization for a command that acts as its first administrator. */
export async function openAdminSession(
  database: Database,
  config: Config,
  options: { organization?: string | undefined },
): Promise<AdminSession> {
  const organization = await getOrganization(database.reader, options.organization)
  const admin = await getFirstAdmin(database.reader, organization.id)
  const secret = await getInstanceSecret(database)
  const urls = await loadUrls(database.reader, config)
  const services = {
    ...idsAndClock,
    urls,
    enqueue: new Queue(database, Date.now, { ignored: ignoredJobs(config) }).enqueue,
    openObjects: createOpenObjects(Date.now),
    signer: createSigner(secret),
    sealer: createSealer(secret, config.secretKey),
    log: createLog({ level: 'error', format: config.logFormat }),
    client: undefined,
    organization,
    principal: { user: admin, tokenId: '', scopes: null, reach: unlimitedReach },
    viewer: { organizationId: organization.id, userId: admin.id, role: 'admin' as const },
    role: 'admin' as const,
  }
  return {
    organization,
    admin,
    urls,
    transaction: (work) => database.transaction((db) => work({ ...services, db })),
  }
}

/** Returns the URLs of the server: as configured, or those of its last start. */
export async function loadUrls(db: Db, config: Config): Promise<Urls> {
  const urls = createUrls(config)
  if (!config.url) urls.base = (await findServerAddress(db)) ?? urls.base
  return urls
}
