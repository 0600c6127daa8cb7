import { sql } from 'kysely'
import type { SiteVisitor, SiteWithAddress } from '../kernel/context.ts'
import { Cache } from '../kernel/cache.ts'
import { estimateHeapSize } from '../kernel/heap-size.ts'
import type { SiteLocator } from '../publishing/site-urls.ts'
import { type SiteItem, Structure } from '../publishing/structure.ts'
import { type AccessRules, Viewpoint, findRefusal } from '../publishing/visibility.ts'
import { defineLookup } from '../storage/lookup.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { Flag } from '../schema/values.ts'
import { resolveRoleInRow, fromStoredRole, selectMemberGrantedRank } from './content-roles.ts'

/** Columns that determine the URL of a site, for queries that join `sites` and `organizations`. */
export const siteAddressColumns = [
  sql<string>`coalesce(organizations.hostname, organizations.id)`.as('organization_name'),
  sql<string | null>`(
    select hostname from custom_hostnames as own where own.organization_id = sites.organization_id
      and own.site_id = sites.id and own.is_active = 1
  )`.as('hostname'),
] as const

const findSiteForUser = defineLookup(
  (db, { organizationId, siteId, userId }: { organizationId: string; siteId: string; userId: string }) =>
    db
      .selectFrom('sites')
      .innerJoin('organizations', 'organizations.id', 'sites.organization_id')
      .innerJoin('members', 'members.organization_id', 'sites.organization_id')
      .where('sites.organization_id', '=', organizationId)
      .where('sites.id', '=', siteId)
      .where('members.user_id', '=', userId)
      .where('members.disabled', '=', sql.lit<Flag>(0))
      .selectAll('sites')
      .select(siteAddressColumns)
      .select(['members.role as member_role', selectMemberGrantedRank('sites', userId).as('own_rank')]),
)

/** Returns a site that a user can see, with their role in it. */
export async function findSite(db: Db, userId: string, organizationId: string, siteId: string) {
  const row = await findSiteForUser(db, { organizationId, siteId, userId })
  if (!row) return undefined
  const { member_role, own_rank, ...site } = row
  const viewer = { organizationId, userId, role: fromStoredRole(member_role) }
  const siteRole = resolveRoleInRow(viewer, { resolved_level: site.resolved_level, own_rank })
  return siteRole === null ? undefined : { site: site as SiteWithAddress, siteRole, viewer }
}

const selectSitesWithAddress = (db: Db) =>
  db
    .selectFrom('sites')
    .innerJoin('organizations', 'organizations.id', 'sites.organization_id')
    .selectAll('sites')
    .select(siteAddressColumns)

const findSiteRow = defineLookup((db, { organizationId, siteId }: { organizationId: string; siteId: string }) =>
  selectSitesWithAddress(db).where('sites.organization_id', '=', organizationId).where('sites.id', '=', siteId),
)

/** Returns a site without checking permissions. */
export async function findSiteById(
  db: Db,
  organizationId: string,
  siteId: string,
): Promise<SiteWithAddress | undefined> {
  return await findSiteRow(db, { organizationId, siteId })
}

/** Lists sites in order of creation without checking permissions. */
export function listSitesWithAddress(
  db: Db,
  filter: { organizationId?: string | undefined; isPublished?: boolean; limit?: number } = {},
): Promise<SiteWithAddress[]> {
  return selectSitesWithAddress(db)
    .$if(filter.organizationId !== undefined, (query) =>
      query.where('sites.organization_id', '=', filter.organizationId as string),
    )
    .$if(filter.isPublished === true, (query) => query.where('sites.published', '=', 1))
    .orderBy('sites.id')
    .$if(filter.limit !== undefined, (query) => query.limit(filter.limit as number))
    .execute()
}

/** Lists published sites with an item that shows a space, without checking permissions. */
export function listPublishedSitesWithSpace(
  db: Db,
  space: Pick<Row<'spaces'>, 'organization_id' | 'id'>,
  limit: number,
): Promise<SiteWithAddress[]> {
  return selectSitesWithAddress(db)
    .where('sites.organization_id', '=', space.organization_id)
    .where('sites.published', '=', 1)
    .where('sites.id', 'in', (eb) =>
      eb
        .selectFrom('site_items')
        .where('organization_id', '=', space.organization_id)
        .where('space_id', '=', space.id)
        .select('site_id'),
    )
    .orderBy('sites.id')
    .limit(limit)
    .execute()
}

export async function countPublishedSites(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('sites')
    .where('published', '=', 1)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const findByBasename = defineLookup((db, { organization, basename }: { organization: string; basename: string }) =>
  selectSitesWithAddress(db)
    .where(sql<boolean>`(organizations.id = ${organization} or organizations.hostname = ${organization})`)
    .where('sites.basename', '=', basename),
)

const findDefault = defineLookup((db, { organization }: { organization: string }) =>
  selectSitesWithAddress(db)
    .where(sql<boolean>`(organizations.id = ${organization} or organizations.hostname = ${organization})`)
    .whereRef('sites.id', '=', 'organizations.default_site_id'),
)

const findByHostname = defineLookup((db, { hostname }: { hostname: string }) =>
  selectSitesWithAddress(db)
    .innerJoin('custom_hostnames as claimed', (join) =>
      join.onRef('claimed.organization_id', '=', 'sites.organization_id').onRef('claimed.site_id', '=', 'sites.id'),
    )
    .where('claimed.hostname', '=', hostname)
    .where('claimed.is_active', '=', sql.lit<Flag>(1)),
)

const findByProxy = defineLookup((db, { proxy }: { proxy: string }) =>
  selectSitesWithAddress(db).where('sites.proxy', '=', proxy),
)

/** Returns the site identified by a URL, without checking permissions. */
export async function findSiteByLocator(db: Db, locator: SiteLocator): Promise<SiteWithAddress | undefined> {
  if ('hostname' in locator) return await findByHostname(db, locator)
  if ('proxy' in locator) return await findByProxy(db, locator)
  if ('basename' in locator) return await findByBasename(db, locator)
  return await findDefault(db, locator)
}

/** Item of a site with its row; the row omits the customization, which may be large. */
export interface StoredSiteItem extends SiteItem {
  /** Language of the space of a site space. */
  language: string | null
  row: Omit<Row<'site_items'>, 'customization'>
}

type SiteVersion = Pick<Row<'sites'>, 'organization_id' | 'id' | 'version' | 'default_item_id'>

/**
 * Structures of sites by version. A version number is never reused, not even after a failed transaction, so entries never become
 * stale.
 */
const structureCache = new Cache<Structure<StoredSiteItem>>('site structures', estimateStructureSize)

/** Bytes that an item needs in the maps and lists of a structure, besides its own data. */
const itemOverhead = 300

function estimateStructureSize({ items }: Structure<StoredSiteItem>): number {
  return estimateHeapSize([...items.values()]) + itemOverhead * (items.size + 1)
}

/** Loads the structure of a site. */
export async function loadStructure(db: Db, site: SiteVersion): Promise<Structure<StoredSiteItem>> {
  const key = `${site.id} ${site.version}`
  const cached = structureCache.get(key)
  if (cached) return cached
  const structure = new Structure(await readItems(db, site), site.default_item_id)
  structureCache.set(key, structure)
  return structure
}

const siteItemColumns = [
  'site_items.organization_id',
  'site_items.site_id',
  'site_items.id',
  'kind',
  'site_items.parent_id',
  'site_items.position',
  'site_items.title',
  'localized_title',
  'description',
  'localized_description',
  'site_items.icon',
  'path',
  'condition',
  'draft',
  'hidden',
  'space_id',
  'page_id',
  'url',
  'default_item_id',
  'site_items.created_at',
] as const

async function readItems(db: Db, site: SiteVersion): Promise<StoredSiteItem[]> {
  const rows = await db
    .selectFrom('site_items')
    .leftJoin('spaces', (join) =>
      join
        .onRef('spaces.organization_id', '=', 'site_items.organization_id')
        .onRef('spaces.id', '=', 'site_items.space_id'),
    )
    .where('site_items.organization_id', '=', site.organization_id)
    .where('site_items.site_id', '=', site.id)
    .where('spaces.deleted_at', 'is', null)
    .orderBy('site_items.position')
    .orderBy('site_items.id')
    .select(siteItemColumns)
    .select(['spaces.title as space_title', 'spaces.language as language'])
    .execute()
  return rows.map(({ space_title: spaceTitle, language, ...row }) => ({
    id: row.id,
    kind: row.kind,
    parentId: row.parent_id,
    position: row.position,
    title: row.title ?? spaceTitle ?? '',
    path: row.path ?? '',
    isDraft: row.draft === 1,
    isHidden: row.hidden === 1,
    condition: row.condition,
    spaceId: row.space_id,
    defaultId: row.default_item_id,
    language,
    row,
  }))
}

const findShareLink = defineLookup(
  (db, { organizationId, siteId, key }: Record<'organizationId' | 'siteId' | 'key', string>) =>
    db
      .selectFrom('share_links')
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', siteId)
      .where('key', '=', key)
      .where('active', '=', sql.lit<Flag>(1))
      .select('id'),
)

/** Whether a string is the key of an active share link of a site. */
export async function isShareKey(db: Db, site: SiteWithAddress, key: string): Promise<boolean> {
  return (await findShareLink(db, { organizationId: site.organization_id, siteId: site.id, key })) !== undefined
}

/** Whether a visitor can open a site and see an item of it. */
export function canSeeSiteItem(
  site: SiteWithAddress,
  structure: Structure<StoredSiteItem>,
  item: StoredSiteItem,
  visitor: SiteVisitor,
): boolean {
  return findRefusal(accessRulesOf(site), visitor) === undefined && structure.isVisible(item, Viewpoint.of(visitor))
}

export const accessRulesOf = ({ published, visibility }: SiteWithAddress): AccessRules => ({
  isPublished: published === 1,
  visibility,
})
