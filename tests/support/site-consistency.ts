import { expect } from 'vitest'
import type { Person, TestServer } from './server.ts'
import type { SiteParams } from './sites.ts'

/** Returns all stored data of a site as one string. */
export async function readStoredSite({ server }: Pick<TestServer, 'server'>, { siteId }: Pick<SiteParams, 'siteId'>) {
  const { reader } = server.app.database
  const tables = ['site_items', 'share_links', 'site_redirects', 'grants'] as const
  const rows = await Promise.all([
    reader.selectFrom('sites').selectAll().where('id', '=', siteId).execute(),
    ...tables.map((table) => reader.selectFrom(table).selectAll().where('site_id', '=', siteId).execute()),
    // Without results of later checks.
    reader.selectFrom('custom_hostnames').select(['hostname', 'is_active']).where('site_id', '=', siteId).execute(),
    reader
      .selectFrom('site_events')
      .where('site_id', '=', siteId)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .execute(),
  ])
  return JSON.stringify(rows.map((list) => list.map((row) => JSON.stringify(row)).sort()))
}

/** Expects that the structure of a site is valid, and that it has no references to missing objects. */
export async function expectConsistentSite(
  { server }: Pick<TestServer, 'server'>,
  params: SiteParams,
  { api }: Pick<Person, 'api'>,
): Promise<void> {
  const items = await server.app.database.reader
    .selectFrom('site_items')
    .selectAll()
    .where('site_id', '=', params.siteId)
    .execute()
  const byId = new Map(items.map((item) => [item.id, item]))
  const isSectioned = items.some(({ kind }) => kind === 'section')
  const allowedParents = { space: isSectioned ? 'section' : undefined, section: 'group', group: 'group', link: 'group' }
  const wrong = items.filter(({ kind, parent_id: parentId, default_item_id: defaultId, id }) => {
    const parent = parentId === null ? undefined : byId.get(parentId)
    const isAllowed = parentId === null ? kind !== 'space' || !isSectioned : parent?.kind === allowedParents[kind]
    return !isAllowed || (defaultId !== null && byId.get(defaultId)?.parent_id !== id)
  })
  expect(wrong).toEqual([])
  const places = items.map(({ parent_id, position }) => `${parent_id} ${position}`)
  expect(new Set(places).size).toBe(items.length)
  const paths = items.flatMap(({ kind, parent_id, path }) =>
    path === null ? [] : [kind === 'space' ? `${parent_id} ${path}` : `${kind} ${path}`],
  )
  expect(new Set(paths).size).toBe(paths.length)

  const site = await api.getSiteById({ params })
  const { items: siteSpaces, count } = await api.listSiteSpaces({ params, query: { limit: 1000 } })
  const { items: sections } = await api.listSiteSections({ params, query: { limit: 1000 } })
  expect(count).toBe(site.siteSpaces)
  expect(siteSpaces).toHaveLength(items.filter(({ kind }) => kind === 'space').length)
  const filled = sections.filter((section) => section.siteSpaces.length > 0)
  expect(siteSpaces.filter((one) => one.default)).toHaveLength(isSectioned ? filled.length : Math.min(1, count))
  expect(sections.filter((one) => one.default)).toHaveLength(Math.min(1, sections.length))
}
