import type { BodyOf } from '../../contract/operation.ts'
import { siteRedirects } from '../../contract/site-redirects.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { type AuditEventValues, recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { applyRedirectChanges, noWrites } from './bulk-changes.ts'
import { findTargets } from './find-targets.ts'
import { followRedirect } from './follow-redirect.ts'
import { parseDestination, presentRedirect } from './present.ts'
import { RedirectValidator, maxRedirects, redirectSourceTaken, tooManyRedirects } from './redirect-validator.ts'
import * as store from './store.ts'

export const siteRedirectRoutes = implement(siteRedirects, {
  async listSiteRedirects(context, { query }) {
    const { db, site } = context
    const { orderBy } = query
    const after = decodeCursor(query.page, 3, ([order]) => order === orderBy)
    const rows = await store.findRedirects(db, site, query, { orderBy, after, limit: query.limit })
    const targets = query.resolve ? await findTargets(context, rows) : undefined
    return toPage(
      rows,
      query,
      await store.countRedirects(db, site, query),
      (row) => [orderBy, row[store.redirectSortColumns[orderBy]], row.id],
      (row) => ({ ...presentRedirect(row), ...(targets && { target: targets.get(row.id) ?? null }) }),
    )
  },

  async createSiteRedirect(context, { body }) {
    const { db, site, newId, now } = context
    const { source, captureWildcard, draft, permanent, destination } = body
    await lockRedirects(context)
    const validator = await RedirectValidator.open(context)
    const columns = await validator.toColumns({ source, captureWildcard, destination: { input: destination } }, 'body')
    await checkSourceIsFree(context, columns, toFlag(draft))
    if ((await store.countAllRedirects(db, site)) >= maxRedirects) throw tooManyRedirects()
    const at = now()
    const redirect: Row<'site_redirects'> = {
      organization_id: site.organization_id,
      site_id: site.id,
      id: newId(),
      ...columns,
      draft: toFlag(draft),
      permanent: toFlag(permanent),
      created_at: at,
      updated_at: at,
    }
    await store.insertRedirect(db, redirect)
    await recordRedirects(context, { after: { created: describeRedirect(redirect) } })
    return presentRedirect(redirect)
  },

  async bulkUpsertSiteRedirects(context, { body }) {
    await lockRedirects(context)
    const results = await applyRedirectChanges(context, body.redirects)
    const changed = results.flatMap(({ status, source }) => (status === 'error' ? [] : [`${status} ${source}`]))
    if (changed.length > 0) await recordRedirects(context, { after: { count: changed.length, redirects: changed } })
    return { results }
  },

  async checkSiteRedirects(context, { body }) {
    return { results: await applyRedirectChanges(context, body.redirects, noWrites) }
  },

  async updateSiteRedirectById(context, { params, body }) {
    const { db, site, now } = context
    await lockRedirects(context)
    const existing = await store.findRedirect(db, site, params.siteRedirectId)
    if (!existing) throw notFound('redirect')
    const values = {
      ...(await changedColumns(context, existing, body)),
      draft: body.draft === undefined ? existing.draft : toFlag(body.draft),
      permanent: body.permanent === undefined ? existing.permanent : toFlag(body.permanent),
      updated_at: now(),
    }
    const changed = { ...existing, ...values }
    await checkSourceIsFree(context, changed, changed.draft, existing.id)
    await store.updateRedirect(db, site, existing.id, values)
    await recordRedirects(context, { before: describeRedirect(existing), after: describeRedirect(changed) })
    return presentRedirect(changed)
  },

  async deleteSiteRedirectById(context, { params }) {
    const { db, site } = context
    const redirect = await store.findRedirect(db, site, params.siteRedirectId)
    if (!redirect) return
    await store.deleteRedirect(db, site, redirect.id)
    await updateSite(context, site)
    await recordRedirects(context, { before: { deleted: describeRedirect(redirect) } })
  },

  getSiteRedirectBySource: (context, { query }) => followRedirect(context, query.source, query.shareKey),
})

const recordRedirects = (context: SiteContext, values: AuditEventValues) =>
  recordEventAbout(context, 'site', context.site, 'site.redirects-update', values)

/** Returns the values of a redirect for the audit log. */
const describeRedirect = (redirect: Row<'site_redirects'>) => ({
  id: redirect.id,
  source: redirect.source,
  destination: parseDestination(redirect),
  draft: redirect.draft === 1,
  permanent: redirect.permanent === 1,
})

/** Updates the site first, which serializes changes of its redirects, so that each change sees which sources are in use. */
const lockRedirects = (context: SiteContext) => updateSite(context, context.site)

/** Returns the columns of source and destination that a request changes. */
async function changedColumns(
  context: SiteContext,
  existing: Row<'site_redirects'>,
  body: Pick<BodyOf<typeof siteRedirects.updateSiteRedirectById>, 'source' | 'captureWildcard' | 'destination'>,
) {
  const { source, captureWildcard, destination } = body
  if (source === undefined && captureWildcard === undefined && destination === undefined) return {}
  const validator = await RedirectValidator.open(context)
  const merged = {
    source: source ?? existing.source,
    captureWildcard: captureWildcard ?? existing.capture_wildcard === 1,
    destination: destination ? { input: destination } : { stored: parseDestination(existing) },
  }
  return validator.toColumns(merged, 'body')
}

/** Fails when another redirect of the same kind has this source. */
async function checkSourceIsFree(
  { db, site }: SiteContext,
  { source, source_key: key }: Pick<Row<'site_redirects'>, 'source' | 'source_key'>,
  draft: 0 | 1,
  exceptId?: string,
): Promise<void> {
  const others = await store.findRedirectsByKeys(db, site, [key])
  if (others.some((other) => other.draft === draft && other.id !== exceptId))
    throw redirectSourceTaken(source, draft === 1)
}
