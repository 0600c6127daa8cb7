import type { SiteStructure } from '../../contract/site.ts'
import type { PublishedContentSite } from '../../contract/sites.ts'
import type { SiteReadContext } from '../../kernel/context.ts'
import { completeSettings, overridden, readSettings } from '../../publishing/customization.ts'
import { StructureView, usableShareKey } from '../site-structure/view.ts'
import { presentSite } from './present.ts'

/** Everything that a published site is made of, as far as the caller sees it. */
export async function readPublished(
  context: SiteReadContext,
  given: string | undefined,
): Promise<PublishedContentSite> {
  const { site, siteRole, urls } = context
  const shareKey = await usableShareKey(context, given)
  const view = await StructureView.open(context, { shareKey, seesDrafts: false })
  const visible = view.structure.spaces.filter((item) => view.isVisible(item))
  const settings = readSettings(site.customization)
  const own = visible.flatMap(({ id, row }) =>
    row.customization === null ? [] : [[id, overridden(settings, readSettings(row.customization))] as const],
  )
  return {
    object: 'published-content-site',
    site: presentSite(site, siteRole, urls, { siteSpaces: visible.length, shareKey }),
    structure: withoutLinks(view.all()),
    customizations: { site: completeSettings(settings), siteSpaces: Object.fromEntries(own) },
    scripts: [],
  }
}

/** Front ends that know sections and groups only fail on links among them. */
function withoutLinks(structure: SiteStructure): SiteStructure {
  if (structure.type === 'siteSpaces') return structure
  return { ...structure, structure: onlySections(structure.structure) }
}

type Entry = Extract<SiteStructure, { type: 'sections' }>['structure'][number]

function onlySections(entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry): Entry[] => {
    if (entry.object === 'site-external-link') return []
    return entry.object === 'site-section-group' ? [{ ...entry, children: onlySections(entry.children) }] : [entry]
  })
}
