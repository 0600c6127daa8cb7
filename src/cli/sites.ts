import { SiteTitle } from '../contract/site.ts'
import type { SiteWithAddress } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import type { Db } from '../schema/tables.ts'
import { type Command, UsageError, printTable, requireOption } from './command.ts'
import { withDatabase } from './environment.ts'
import { getOrganization, organizationOption } from './organizations.ts'
import { formatChoices, maxChoices, toPrintable } from './format.ts'
import { getSpaceById } from './spaces.ts'

export const siteCreateCommand: Command = {
  name: 'site create',
  summary: 'Create a site and print its id',
  options: {
    title: { value: 'title', description: 'Title of the site' },
    ...organizationOption,
    spaces: { value: 'ids', description: 'IDs of the spaces of the site, separated by commas' },
    publish: { description: 'Publish the site' },
  },
  async run(input) {
    const title = parseSiteTitle(requireOption(input, 'title'))
    const spaces = (input.options['spaces'] ?? '').split(',').flatMap((id) => id.trim() || [])
    const site = await withDatabase(async (database, config) => {
      const { openAdminSession } = await import('./admin-session.ts')
      const { createSite } = await import('../resources/sites/create-site.ts')
      const { publishSite } = await import('../resources/sites/publish-site.ts')
      const { transaction } = await openAdminSession(database, config, input.options)
      return transaction(async (context) => {
        for (const id of spaces) await getSpaceById(context.db, id, context.organization.id)
        const created = await createSite(context, { title, spaces })
        return input.switches.has('publish') ? publishSite(context, created) : created
      })
    })
    console.log(site.id)
  },
}

export const siteListCommand: Command = {
  name: 'site list',
  summary: 'List sites with their URLs',
  options: { organization: { value: 'id', description: 'Only sites of this organization' } },
  async run({ options: { organization } }) {
    const { sites, urls } = await withDatabase(async ({ reader }, config) => {
      const { loadUrls } = await import('./admin-session.ts')
      const { listSitesWithAddress } = await import('../access/sites.ts')
      const owner = organization === undefined ? undefined : await getOrganization(reader, organization)
      return {
        sites: await listSitesWithAddress(reader, { organizationId: owner?.id }),
        urls: await loadUrls(reader, config),
      }
    })
    printTable(
      ['ID', 'TITLE', 'ORGANIZATION', 'VISIBILITY', 'PUBLISHED', 'ADDRESS'],
      sites.map((site) => [
        site.id,
        toPrintable(site.title),
        site.organization_id,
        site.visibility,
        site.published === 1 ? 'yes' : 'no',
        urls.site(site),
      ]),
      'There are no sites.',
    )
  },
}

export function parseSiteTitle(text: string): string {
  const title = SiteTitle.safeParse(text.trim())
  if (!title.success) throw new UsageError('--title must have 2 to 128 characters')
  return title.data
}

/** Returns a site of an organization by its id; fails with a list of sites if it does not exist. */
export async function getSiteById(db: Db, organizationId: string, id: string): Promise<SiteWithAddress> {
  const { findSiteById, listSitesWithAddress } = await import('../access/sites.ts')
  const site = await findSiteById(db, organizationId, id)
  if (site) return site
  const others = formatChoices(await listSitesWithAddress(db, { organizationId, limit: maxChoices + 1 }))
  throw new AppError('notFound', `The site ${toPrintable(id)} does not exist in the organization.${others}`)
}
