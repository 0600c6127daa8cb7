import { requireRole } from '../../access/authorize.ts'
import { resolveRoleInRow, resolveLevel } from '../../access/content-roles.ts'
import { loadStructure } from '../../access/sites.ts'
import { canSeeSiteItem } from '../../access/sites.ts'
import type { RoleOrGuest } from '../../contract/roles.ts'
import { sites } from '../../contract/sites.ts'
import type { BaseContext, SiteWithAddress, SiteContext } from '../../kernel/context.ts'
import { conflict, unknownReference } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { releaseBytes } from '../../storage/storage-usage.ts'
import { toFlag } from '../../schema/values.ts'
import { presentDefaultLevel, toStoredLevel } from '../../domain/spaces/default-level.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordAccessEventForAll, recordLiveEvent } from '../../domain/live/record-event.ts'
import { claimHostname } from '../hostnames/claim.ts'
import type { HostnameServices } from '../hostnames/proof.ts'
import { getReferencedItem, setDefaultSiteSpace } from '../site-structure/items.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { createSite } from './create-site.ts'
import { publishSite } from './publish-site.ts'
import { presentSite } from '../../domain/sites/present-site.ts'
import { getPublishedContentJson } from './published-content.ts'
import { revalidate, revalidateSite, urlCacheTag } from '../../domain/revalidation/revalidate.ts'
import { sumImageSizes } from '../../domain/sites/image-store.ts'
import * as store from '../../domain/sites/site-store.ts'

export const siteRoutes = (services: HostnameServices) =>
  implement(sites, {
    async listSites({ db, viewer, urls }, { query }) {
      const after = decodeCursor(query.page, 1)
      const rows = await store.findSites(db, viewer, query, { after, limit: query.limit })
      const counts = await store.countSpacesOnSites(
        db,
        viewer.organizationId,
        rows.map(({ id }) => id),
      )
      return toPage(
        rows,
        query,
        await store.countSites(db, viewer, query),
        (row) => [row.id],
        ({ own_rank, ...site }) =>
          presentSite(site, resolveRoleInRow(viewer, { resolved_level: site.resolved_level, own_rank }), urls, {
            siteSpaces: counts.get(site.id) ?? 0,
          }),
      )
    },

    async createSite(context, { body }) {
      return present(context, await createSite(context, body), context.role)
    },

    async getSiteById(context) {
      const { db, site, siteRole, urls, visitor } = context
      if (!visitor) return present(context, site, siteRole)
      const structure = await loadStructure(db, site)
      const visible = structure.spaces.filter((item) => canSeeSiteItem(site, structure, item, visitor))
      return presentSite(site, siteRole, urls, { siteSpaces: visible.length, shareKey: visitor.shareKey })
    },

    async updateSiteById(context, { body }) {
      const { site, siteRole } = context
      if (body.defaultLevel !== undefined || body.hostname !== undefined) requireRole('site', 'admin', siteRole)
      const level = body.defaultLevel === undefined ? site.default_level : toStoredLevel(body.defaultLevel)
      const defaultItem = await applyDefaultItem(context, body)
      try {
        const siteWithHostname =
          body.hostname === undefined ? site : await claimHostname(context, services, site, body.hostname)
        const changed = await updateSite(context, siteWithHostname, {
          ...(body.title !== undefined && { title: body.title }),
          ...(body.visibility !== undefined && { visibility: body.visibility }),
          ...(body.basename !== undefined && { basename: body.basename }),
          ...(body.agentsContext !== undefined && { agents_context: body.agentsContext }),
          ...(body.adaptiveContent !== undefined && { adaptive_content: toFlag(body.adaptiveContent.enabled) }),
          ...(body.proxy !== undefined && { proxy: body.proxy }),
          ...(defaultItem !== undefined && { default_item_id: defaultItem }),
          default_level: level,
          resolved_level: resolveLevel(level, 'organization'),
        })
        if (changed.resolved_level !== site.resolved_level) await recordAccessEventForAll(context, site.organization_id)
        await recordEventAbout(context, 'site', changed, 'site.update', {
          before: toAuditedSettings(site),
          after: {
            ...toAuditedSettings(changed),
            hostname: body.hostname === undefined ? site.hostname : body.hostname,
          },
        })
        return await present(context, changed, siteRole)
      } catch (error) {
        if (isUniqueViolation(error, 'sites_basename'))
          throw conflict(`The basename ${body.basename} is already in use`)
        if (isUniqueViolation(error, 'sites_proxy')) throw conflict(`Another site already uses the proxy ${body.proxy}`)
        throw error
      }
    },

    async deleteSiteById(context) {
      const { db, site, urls } = context
      await releaseBytes(db, site.organization_id, await sumImageSizes(db, site))
      await store.deleteSite(db, site)
      await recordLiveEvent(context, { kind: 'site', organizationId: site.organization_id })
      await recordEventAbout(context, 'site', site, 'site.delete')
      await revalidateSite(context, site.organization_id, site.id)
      await revalidate(context, [urlCacheTag(urls.site(site))])
    },

    publishSite: async (context) => present(context, await publishSite(context, context.site), context.siteRole),

    async unpublishSite(context) {
      const { site, siteRole } = context
      if (site.published === 1) await recordEventAbout(context, 'site', site, 'site.unpublish')
      return present(context, await updateSite(context, site, { published: 0 }), siteRole)
    },

    getPublishedContentSite: (context, { query }) => getPublishedContentJson(context, query.shareKey),
  })

/** Returns the settings of a site that the audit log compares. */
const toAuditedSettings = (site: SiteWithAddress) => ({
  title: site.title,
  visibility: site.visibility,
  basename: site.basename,
  hostname: site.hostname,
  proxy: site.proxy,
  agentsContext: site.agents_context,
  adaptiveContent: site.adaptive_content === 1,
  defaultLevel: presentDefaultLevel(site.default_level),
  defaultItem: site.default_item_id,
})

async function present(context: BaseContext, site: SiteWithAddress, role: RoleOrGuest) {
  const { spaces } = await loadStructure(context.db, site)
  return presentSite(site, role, context.urls, { siteSpaces: spaces.length })
}

/** Returns the id of the new default item of a site; a site space in the default section becomes the default of that section. */
async function applyDefaultItem(
  context: SiteContext,
  {
    defaultSiteSection,
    defaultSiteSpace,
  }: { defaultSiteSection?: string | undefined; defaultSiteSpace?: string | undefined },
): Promise<string | undefined> {
  const { db, site } = context
  const structure = await loadStructure(db, site)
  const section =
    defaultSiteSection === undefined
      ? structure.defaultSection
      : await getReferencedItem(context, defaultSiteSection, 'section', 'body.defaultSiteSection')
  if (defaultSiteSpace === undefined) return defaultSiteSection
  const space = await getReferencedItem(context, defaultSiteSpace, 'space', 'body.defaultSiteSpace')
  if (space.parentId !== (section?.id ?? null)) {
    throw unknownReference('body.defaultSiteSpace', section ? 'site space of the default section' : 'site space')
  }
  if (!section) return space.id
  await setDefaultSiteSpace(context, section, space)
  return section.id
}
