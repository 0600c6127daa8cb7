import type { App } from './app.ts'
import { unlimitedReach } from '../access/sso.ts'
import { importRepository } from '../content/repository/import.ts'
import type { OrganizationContext, SiteWithAddress } from '../kernel/context.ts'
import { newId } from '../kernel/ids.ts'
import { days, timestamp } from '../kernel/time.ts'
import { readManual } from './manual.ts'
import { type ExplicitSettings, normalizeSettings } from '../publishing/customization.ts'
import { productName } from '../render/logo.ts'
import { openSourceFolder } from '../resources/content/folder.ts'
import { recordOrganizationEvent } from '../domain/audit/record-event-about.ts'
import { createOrganization } from '../resources/organizations/create-organization.ts'
import { updateSite } from '../domain/sites/update-site.ts'
import { createSite } from '../resources/sites/create-site.ts'
import { publishSite } from '../resources/sites/publish-site.ts'
import { createSpace } from '../resources/spaces/create-space.ts'
import { createSignInLink } from '../domain/accounts/links.ts'
import { createToken, createUser } from '../domain/users/accounts.ts'
import { recordTokenCreated } from '../domain/users/token-events.ts'
import { manualKey } from '../site/own/home.ts'

export interface FirstStart {
  email: string
  organizationId: string
  spaceId: string
  /** Site of the published manual; undefined if the package contains no manual. */
  site: SiteWithAddress | undefined
  token: string
  /** Token of the one-time link with which the administrator chooses how to sign in. */
  setupToken: string
}

/** Time for which the link that the first start prints is valid. */
const setupLinkLifetime = days(7)

/** Settings of the manual's site that differ from the defaults. */
const manualSettings: ExplicitSettings = { feedback: { enabled: true } }

/**
 * Creates an administrator, an organization, a space with the manual, a site that publishes it, and a token in one
 * transaction on the first start. Does nothing on later starts.
 */
export async function bootstrap(app: App, readFiles = readManual): Promise<FirstStart | undefined> {
  const { database, config, clock, openObjects, queue, urls, signer, sealer, log } = app
  const instanceRow = await database.reader
    .selectFrom('instance')
    .selectAll()
    .where('key', '=', 'id')
    .executeTakeFirst()
  if (instanceRow) return undefined
  const services = { newId, now: () => timestamp(clock()), openObjects, enqueue: queue.enqueue, client: undefined }
  const manual = readFiles()
  const folder = manual && (await openSourceFolder(app, manual))
  return database.transaction(async (db) => {
    // If several processes start at once, one inserts this row, and the others find it when they retry.
    const isFirst = await db
      .insertInto('instance')
      .values({ key: 'id', value: newId() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (!isFirst) return undefined
    const admin = await createUser(db, services, {
      email: config.adminEmail,
      displayName: 'Administrator',
      isOperator: true,
    })
    const organization = await createOrganization(db, services, { title: 'My organization', admin })
    const organizationId = organization.id
    await recordOrganizationEvent({ ...services, db }, organization, 'organization.create')
    const objects = openObjects(db, organizationId)
    const content = folder && (await importRepository(objects, folder, { newId, now: services.now() }))
    await objects.flush()
    const space = await createSpace(db, services, {
      organizationId,
      container: undefined,
      createdBy: admin.id,
      title: productName,
      emoji: '📘',
      content,
    })
    const { token, row } = await createToken(db, services, {
      userId: admin.id,
      label: 'First start',
      token: config.bootstrapToken,
      isFromOperator: true,
    })
    await recordTokenCreated({ ...services, db }, row)
    const context: OrganizationContext = {
      ...services,
      db,
      urls,
      signer,
      sealer,
      log,
      organization,
      principal: { user: admin, tokenId: row.id, scopes: null, reach: unlimitedReach },
      viewer: { organizationId, userId: admin.id, role: 'admin' },
      role: 'admin',
    }
    const site = content && (await publishManual(context, space.id))
    const setupToken = await createSignInLink(db, services.now(), {
      kind: 'setup',
      userId: admin.id,
      lifetime: setupLinkLifetime,
    })
    return { email: admin.email, organizationId, spaceId: space.id, site, token, setupToken }
  })
}

/** Publishes the manual as a site and stores the ids of the site. */
async function publishManual(context: OrganizationContext, spaceId: string): Promise<SiteWithAddress> {
  const site = await createSite(context, { title: productName, visibility: 'public', spaces: [spaceId] })
  await context.db
    .insertInto('instance')
    .values({ key: manualKey, value: `${site.organization_id}/${site.id}` })
    .execute()
  return updateSite(context, await publishSite(context, site), {
    customization: JSON.stringify(normalizeSettings(manualSettings)),
    customization_updated_at: context.now(),
  })
}
