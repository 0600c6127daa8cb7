import type { AuditAction } from '../../contract/audit-actions.ts'
import { type ShareLink, siteShareLinks } from '../../contract/publishing.ts'
import type { SiteContext, SiteWithAddress, Urls } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { randomText } from '../../kernel/ids.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { type AuditEventValues, recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { getPublishedUrl } from '../../domain/sites/present-site.ts'
import * as store from './store.ts'

/** Maximum number of share links of a site, more than anyone can keep track of. */
const maxShareLinks = 1000

/** Generates a share key of 160 random bits. It is one path segment, with a prefix that is unlikely in the path of a section. */
const newShareKey = (): string => `sk-${randomText(32)}`

export const siteShareLinkRoutes = implement(siteShareLinks, {
  async listSiteShareLinks({ db, site, urls }, { query }) {
    const { search, limit } = query
    const rows = await store.findShareLinks(db, site, search, { after: decodeCursor(query.page, 1), limit })
    return toPage(
      rows,
      query,
      await store.countShareLinks(db, site, search),
      (row) => [row.id],
      (row) => presentShareLink(row, site, urls),
    )
  },

  async createSiteShareLink(context, { body }) {
    const { db, site, urls, now, newId } = context
    if ((await store.countShareLinks(db, site)) >= maxShareLinks)
      throw conflict(`A site can have at most ${maxShareLinks} share links`)
    const link = await store.insertShareLink(db, {
      organization_id: site.organization_id,
      site_id: site.id,
      id: newId(),
      key: newShareKey(),
      name: body.name,
      active: 1,
      created_at: now(),
    })
    await updateSite(context, site)
    await recordLinkEvent(context, link, 'share-link.create', { after: { site: site.id } })
    return presentShareLink(link, site, urls)
  },

  async updateSiteShareLinkById(context, { params, body }) {
    const { db, site, urls } = context
    const former = await store.findShareLink(db, site, params.shareLinkId)
    const link = await store.updateShareLink(db, site, params.shareLinkId, {
      ...(body.active !== undefined && { active: toFlag(body.active) }),
      ...(body.name !== undefined && { name: body.name }),
    })
    if (!former || !link) throw notFound('share link')
    await updateSite(context, site)
    await recordLinkEvent(context, link, 'share-link.update', {
      before: { name: former.name, active: former.active === 1 },
      after: { name: link.name, active: link.active === 1 },
    })
    return presentShareLink(link, site, urls)
  },

  async deleteSiteShareLinkById(context, { params }) {
    const { db, site } = context
    const link = await store.findShareLink(db, site, params.shareLinkId)
    if (!link) return
    await store.deleteShareLink(db, site, link.id)
    await updateSite(context, site)
    await recordLinkEvent(context, link, 'share-link.delete', { before: { site: site.id } })
  },
})

/** Records an event about a share link, without its key. */
function recordLinkEvent(
  context: SiteContext,
  { organization_id, id, name }: Row<'share_links'>,
  action: AuditAction,
  values: AuditEventValues,
): Promise<void> {
  return recordEventAbout(context, 'share-link', { organization_id, id, title: name }, action, values)
}

function presentShareLink(link: Row<'share_links'>, site: SiteWithAddress, urls: Urls): ShareLink {
  const isUsable = link.active === 1 && site.visibility === 'share-link'
  const published = isUsable ? getPublishedUrl(site, urls, link.key) : undefined
  return {
    object: 'share-link',
    id: link.id,
    name: link.name,
    key: link.key,
    active: link.active === 1,
    createdAt: link.created_at,
    urls: { ...(published !== undefined && { published }) },
  }
}
