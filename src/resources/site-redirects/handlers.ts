import type { BodyOf } from '../../contract/kit.ts'
import { siteRedirects } from '../../contract/site-redirects.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import type { Row } from '../../schema/tables.ts'
import { flag } from '../../schema/values.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { changeRedirects } from './bulk.ts'
import { followRedirect } from './follow.ts'
import { destinationOf, presentRedirect } from './present.ts'
import { Rules, maxRedirects, taken, tooMany } from './rules.ts'
import * as store from './store.ts'

export const siteRedirectRoutes = implement(siteRedirects, {
  async listSiteRedirects({ db, site }, { query }) {
    const { orderBy } = query
    const after = decodeCursor(query.page, 3, ([order]) => order === orderBy)
    return toPage(
      await store.findRedirects(db, site, query, { orderBy, after, limit: query.limit }),
      query,
      await store.countRedirects(db, site, query),
      (row) => [orderBy, row[store.columnOf[orderBy]], row.id],
      presentRedirect,
    )
  },

  async createSiteRedirect(context, { body }) {
    const { db, site, newId, now } = context
    const { source, captureWildcard, draft, permanent, destination } = body
    await queueFor(context)
    const rules = await Rules.open(context)
    const columns = await rules.columnsOf({ source, captureWildcard, destination: { input: destination } }, 'body')
    await demandFree(context, columns, flag(draft))
    if ((await store.countAllRedirects(db, site)) >= maxRedirects) throw tooMany()
    const at = now()
    const redirect: Row<'site_redirects'> = {
      organization_id: site.organization_id,
      site_id: site.id,
      id: newId(),
      ...columns,
      draft: flag(draft),
      permanent: flag(permanent),
      created_at: at,
      updated_at: at,
    }
    await store.insertRedirect(db, redirect)
    return presentRedirect(redirect)
  },

  async bulkUpsertSiteRedirects(context, { body }) {
    await queueFor(context)
    return { results: await changeRedirects(context, body.redirects) }
  },

  async updateSiteRedirectById(context, { params, body }) {
    const { db, site, now } = context
    await queueFor(context)
    const former = await store.findRedirect(db, site, params.siteRedirectId)
    if (!former) throw notFound('redirect')
    const values = {
      ...(await changedColumns(context, former, body)),
      draft: body.draft === undefined ? former.draft : flag(body.draft),
      permanent: body.permanent === undefined ? former.permanent : flag(body.permanent),
      updated_at: now(),
    }
    const changed = { ...former, ...values }
    await demandFree(context, changed, changed.draft, former.id)
    await store.updateRedirect(db, site, former.id, values)
    return presentRedirect(changed)
  },

  async deleteSiteRedirectById(context, { params }) {
    const isDeleted = await store.deleteRedirect(context.db, context.site, params.siteRedirectId)
    if (isDeleted) await updateSite(context, context.site)
  },

  getSiteRedirectBySource: (context, { query }) => followRedirect(context, query.source, query.shareKey),
})

/** Updates the site first, which serializes changes of its redirects, so that each change sees which sources are in use. */
const queueFor = (context: SiteContext) => updateSite(context, context.site)

/** Returns the columns of source and destination that a request changes. */
async function changedColumns(
  context: SiteContext,
  former: Row<'site_redirects'>,
  body: Pick<BodyOf<typeof siteRedirects.updateSiteRedirectById>, 'source' | 'captureWildcard' | 'destination'>,
) {
  const { source, captureWildcard, destination } = body
  if (source === undefined && captureWildcard === undefined && destination === undefined) return {}
  const rules = await Rules.open(context)
  const wanted = {
    source: source ?? former.source,
    captureWildcard: captureWildcard ?? former.capture_wildcard === 1,
    destination: destination ? { input: destination } : { stored: destinationOf(former) },
  }
  return rules.columnsOf(wanted, 'body')
}

/** Fails when another redirect of the same kind has this source. */
async function demandFree(
  { db, site }: SiteContext,
  { source, source_key: key }: Pick<Row<'site_redirects'>, 'source' | 'source_key'>,
  draft: 0 | 1,
  exceptId?: string,
): Promise<void> {
  const others = await store.findByKeys(db, site, [key])
  if (others.some((other) => other.draft === draft && other.id !== exceptId)) throw taken(source, draft === 1)
}
