import type { SiteStructure } from '../../src/contract/site.ts'
import type { TestOrganization } from './organization.ts'
import type { Person } from './server.ts'

export type SiteParams = Record<'organizationId' | 'siteId', string>

/** Creates a site for a test, with a new space for each name. */
export async function makeSite(
  make: TestOrganization,
  names: readonly string[] = [],
  body: { title?: string; visibility?: 'public' | 'unlisted' | 'share-link' | 'visitor-auth' } = {},
) {
  const spaces: Record<string, string> = {}
  for (const name of names) spaces[name] = (await make.space(name)).id
  const site = await make.owner.api.createSite({
    params: make.params,
    body: { title: 'Docs', ...body, spaces: Object.values(spaces) },
  })
  return { site, spaces, params: { ...make.params, siteId: site.id } }
}

export type TestSite = Awaited<ReturnType<typeof makeSite>>

type Entry = SiteStructure['structure'][number]

/** Formats the structure of a site: `*` marks defaults, parentheses contain children. */
export async function readSiteOutline({ api }: Pick<Person, 'api'>, params: SiteParams): Promise<string> {
  const { structure } = await api.getSiteStructure({ params, query: {} })
  return formatStructure(structure)
}

export function formatStructure(entries: readonly Entry[]): string {
  return entries
    .map((entry): string => {
      switch (entry.object) {
        case 'site-space':
          return `${entry.title}${entry.default ? '*' : ''}`
        case 'site-section':
          return `${entry.title}${entry.default ? '*' : ''} (${formatStructure(entry.siteSpaces)})`
        case 'site-section-group':
          return `${entry.title}: [${formatStructure(entry.children)}]`
        default:
          return `-> ${entry.title}`
      }
    })
    .join(', ')
}

/** Returns the ids of all items of a site by title; titles of site spaces end with a dot. */
export async function readItemIds({ api }: Pick<Person, 'api'>, params: SiteParams): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const walk = (entries: readonly Entry[]): void => {
    for (const entry of entries) {
      found[entry.object === 'site-space' ? `${entry.title}.` : entry.title] = entry.id
      if (entry.object === 'site-section') walk(entry.siteSpaces)
      if (entry.object === 'site-section-group') walk(entry.children)
    }
  }
  walk((await api.getSiteStructure({ params, query: {} })).structure)
  return found
}
