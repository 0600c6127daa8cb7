import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { findSiteById, loadStructure } from '../access/sites.ts'
import { readSequence } from '../content/revision/sequence.ts'
import { findPage } from '../content/revision/tree.ts'
import { maxSpaceTitleLength } from '../contract/spaces.ts'
import type { OrganizationContext, SiteWithAddress } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { findHomePageId } from '../resources/content/links.ts'
import { getRevisionContent } from '../domain/revisions/revisions.ts'
import { addItem, checkItemLimit, findFreePath } from '../resources/site-structure/items.ts'
import { getEndItemPosition } from '../resources/site-structure/item-positions.ts'
import { updateSite, invalidateSitesOfSpaces } from '../domain/sites/update-site.ts'
import { createSite } from '../resources/sites/create-site.ts'
import { publishSite } from '../resources/sites/publish-site.ts'
import { recordEventAbout } from '../domain/audit/record-event-about.ts'
import { recordSpaceEvent } from '../domain/live/record-event.ts'
import { createSpace } from '../resources/spaces/create-space.ts'
import { findLiveSpace } from '../domain/spaces/space-queries.ts'
import { updateSpace } from '../domain/spaces/space-store.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { AdminSession } from './admin-session.ts'
import { toPrintable } from './format.ts'
import { getSiteById } from './sites.ts'
import { type OpenedSource, type SourceRequest, formatSourceName } from './sources.ts'
import { getSpaceById } from './spaces.ts'

/** Options that determine where a source is published. */
export interface PublishOptions {
  /** Identifies the source, see `sourceKey`. */
  key: string
  title: string | undefined
  site?: string | undefined
  space?: string | undefined
}

export interface ChosenSpace {
  spaceId: string
  isNew: boolean
}

/** Returns a key that identifies a source across runs, by the real path of a folder or file, or the URL of a repository. */
export async function sourceKey(request: SourceRequest): Promise<string> {
  const { address, ref, directory } = request
  const name = formatSourceName(request)
  const location = name === toPrintable(address) ? await realpath(resolve(address)).catch(() => resolve(address)) : name
  return createHash('sha256')
    .update(JSON.stringify([location, ref, directory]))
    .digest('hex')
}

export function assertHasPages({ folder }: OpenedSource): void {
  if (!folder.files.some(({ path }) => /\.(?:md|markdown)$/i.test(path)))
    throw new AppError('invalid', 'No Markdown files were found; nothing was published')
}

/** Returns the given organization, or that of the given space or site. */
export async function findOrganizationId(
  db: Db,
  { organization, space, site }: Record<string, string | undefined>,
): Promise<string | undefined> {
  if (organization !== undefined) return organization
  if (space !== undefined) return (await getSpaceById(db, space)).organization_id
  if (site === undefined) return undefined
  const found = await db.selectFrom('sites').select('organization_id').where('id', '=', site).executeTakeFirst()
  return found?.organization_id
}

/** Returns the space to import into: the given one, that of the previous run, or a new one. */
export function chooseSpace(
  { transaction }: AdminSession,
  choice: PublishOptions,
  { address, directory }: SourceRequest,
): Promise<ChosenSpace> {
  return transaction(async (context) => {
    const before = await readPublication(context, choice.key)
    const existing = await findSpaceToPublish(context, choice, before)
    if (existing) return { spaceId: existing.id, isNew: before.space === existing.id && before.site === undefined }
    const folder = basename(resolve(directory || address.replace(/\.git\/?$/, ''))) || 'Docs'
    const created = await createSpace(context.db, context, {
      organizationId: context.organization.id,
      container: undefined,
      createdBy: context.principal.user.id,
      title: toSpaceTitle(choice.title ?? folder),
      empty: true,
    })
    // Stored before the import, so that the next attempt uses the same space if this one fails or is interrupted.
    await storePublication(context, choice.key, { space: created.id, site: undefined })
    return { spaceId: created.id, isNew: true }
  })
}

/** Publishes a space on the given site, that of the previous run, one that already contains it, or a new one. */
export function publishSpace(
  { transaction }: AdminSession,
  { spaceId, isNew }: ChosenSpace,
  choice: PublishOptions,
): Promise<SiteWithAddress> {
  return transaction(async (context) => {
    const { db, organization } = context
    const space = await getSpaceById(db, spaceId, organization.id)
    const title = choice.title ?? (await readHomeTitle(context, space)) ?? space.title
    if (isNew) {
      await updateSpace(db, space, { title: toSpaceTitle(title) })
      await recordSpaceEvent(context, space)
      await invalidateSitesOfSpaces(context, organization.id, [space.id])
    }
    const existing = await findSiteToPublish(context, space, choice)
    const site =
      existing ?? (await createSite(context, { title: title.length < 2 ? undefined : title, spaces: [space.id] }))
    if (existing && !(await isSpaceOnSite(context, site, space.id))) await addSpace(context, site, space)
    await storePublication(context, choice.key, { space: space.id, site: site.id })
    const renamed = existing && choice.title !== undefined && choice.title !== site.title
    const published = site.published === 1 ? site : await publishSite(context, site)
    if (!renamed) return published
    await recordEventAbout(context, 'site', site, 'site.update', {
      before: { title: site.title },
      after: { title: choice.title },
    })
    return updateSite(context, published, { title: choice.title })
  })
}

/** Finds the given space, the only one of the given site, or that of the previous run. */
async function findSpaceToPublish(
  { db, organization }: OrganizationContext,
  choice: PublishOptions,
  before: Publication,
): Promise<Row<'spaces'> | undefined> {
  if (choice.space !== undefined) return getSpaceById(db, choice.space, organization.id)
  if (choice.site !== undefined) {
    const spaces = await listSpacesOfSite(db, await getSiteById(db, organization.id, choice.site))
    const same = spaces.find(({ id }) => id === before.space)
    if (same || spaces.length <= 1) return same ?? spaces[0]
    const listed = spaces.map(({ id, title }) => `\n  ${id}  ${toPrintable(title)}`).join('')
    throw new AppError('invalid', `The site has several spaces. Choose one with --space:${listed}`)
  }
  return before.space === undefined
    ? undefined
    : findLiveSpace(db, { organization_id: organization.id, id: before.space })
}

async function findSiteToPublish(
  context: OrganizationContext,
  space: Row<'spaces'>,
  choice: PublishOptions,
): Promise<SiteWithAddress | undefined> {
  const { db, organization } = context
  if (choice.site !== undefined) return getSiteById(db, organization.id, choice.site)
  const before = await readPublication(context, choice.key)
  const rows = await db
    .selectFrom('site_items')
    .where('organization_id', '=', organization.id)
    .where('space_id', '=', space.id)
    .select('site_id')
    .distinct()
    .execute()
  const ids = rows.map((row) => row.site_id)
  const chosen = before.site !== undefined && ids.includes(before.site) ? before.site : ids[0]
  if (ids.length > 1 && chosen !== before.site)
    throw new AppError('invalid', `Several sites contain the space. Choose one with --site: ${ids.join(', ')}`)
  return chosen === undefined ? undefined : findSiteById(db, organization.id, chosen)
}

async function listSpacesOfSite(db: Db, site: SiteWithAddress): Promise<Row<'spaces'>[]> {
  const { spaces } = await loadStructure(db, site)
  const found = new Map<string, Row<'spaces'>>()
  for (const { row } of spaces) {
    const space =
      row.space_id === null
        ? undefined
        : await findLiveSpace(db, { organization_id: site.organization_id, id: row.space_id })
    if (space) found.set(space.id, space)
  }
  return [...found.values()]
}

async function isSpaceOnSite({ db }: OrganizationContext, site: SiteWithAddress, spaceId: string): Promise<boolean> {
  return (await loadStructure(db, site)).spaces.some(({ row }) => row.space_id === spaceId)
}

/** Adds a space to the default section of a site, or to a site without sections. */
async function addSpace(context: OrganizationContext, site: SiteWithAddress, space: Row<'spaces'>): Promise<void> {
  const siteContext = { ...context, site, siteRole: 'admin' as const }
  await checkItemLimit(siteContext)
  const parentId = (await loadStructure(context.db, site)).defaultSection?.id ?? null
  await addItem(context, site, {
    kind: 'space',
    parent_id: parentId,
    position: await getEndItemPosition(siteContext, parentId),
    path: await findFreePath(context, site, 'space', parentId, space.title),
    space_id: space.id,
  })
  await updateSite(context, site)
  await recordEventAbout(context, 'site', site, 'site.structure-update', {
    after: { change: 'added', type: 'site-space', space: space.id, title: space.title },
  })
}

async function readHomeTitle(context: OrganizationContext, space: Row<'spaces'>): Promise<string | undefined> {
  const { tree } = await getRevisionContent(context, space, space.revision_id)
  const home = findHomePageId(await readSequence(tree.objects, tree.root.pages))
  return home === undefined ? undefined : (await findPage(tree, home))?.page.title
}

const toSpaceTitle = (title: string): string => title.slice(0, maxSpaceTitleLength).toWellFormed()

/** Space and site of the previous run for a source. */
interface Publication {
  space: string | undefined
  site: string | undefined
}

/** Returns the key of the instance setting that stores where a source was published. */
const settingKeyOf = ({ organization }: OrganizationContext, key: string) => `published ${organization.id} ${key}`

async function readPublication(context: OrganizationContext, key: string): Promise<Publication> {
  const row = await context.db
    .selectFrom('instance')
    .select('value')
    .where('key', '=', settingKeyOf(context, key))
    .executeTakeFirst()
  const [space, site] = row?.value.split(' ') ?? []
  return { space, site }
}

async function storePublication(context: OrganizationContext, key: string, { space, site }: Publication) {
  const value = [space, site].filter((id) => id !== undefined).join(' ')
  await context.db
    .insertInto('instance')
    .values({ key: settingKeyOf(context, key), value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
