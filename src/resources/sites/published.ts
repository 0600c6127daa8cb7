import { sql } from 'kysely'
import { hash } from 'node:crypto'
import type { SiteStructure } from '../../contract/site.ts'
import type { PublishedContentSite } from '../../contract/sites.ts'
import type { SiteReadContext } from '../../kernel/context.ts'
import { JsonText } from '../../kernel/json-text.ts'
import { completeSettings, overridden, readSettings } from '../../publishing/customization.ts'
import { lookUp } from '../../storage/look-up.ts'
import { findAllOverrides } from '../customization/reads.ts'
import { StructureView, usableShareKey } from '../site-structure/view.ts'
import { presentSite } from './present.ts'

/** How many characters of such replies stay in memory. */
const keptLength = 32 * 1024 ** 2

/** Replies by what decides about them; nothing kept here can become wrong. */
const kept = new Map<string, string>()
let length = 0

/**
 * Everything that a published site is made of, as far as the caller sees it. With hundreds of spaces this is a lot of text,
 * which is asked for with every page that a front end renders, and seldom another one.
 */
export async function publishedText(
  context: SiteReadContext,
  given: string | undefined,
): Promise<JsonText<PublishedContentSite>> {
  const shareKey = await usableShareKey(context, given)
  const identity = await identityOf(context, shareKey)
  if (identity === undefined) return new JsonText(...(await readAsText(context, shareKey)))
  const known = kept.get(identity)
  if (known !== undefined) {
    kept.delete(identity)
    kept.set(identity, known)
    return new JsonText(identity, known)
  }
  const [, text] = await readAsText(context, shareKey)
  keep(identity, text)
  return new JsonText(identity, text)
}

function keep(identity: string, text: string): void {
  if (text.length > keptLength / 4) return
  kept.set(identity, text)
  length += text.length
  for (const [oldest, { length: freed }] of kept) {
    if (length <= keptLength) break
    kept.delete(oldest)
    length -= freed
  }
}

/** What decides about the reply; undefined for members whose roles in spaces may differ. */
async function identityOf(context: SiteReadContext, shareKey: string | undefined): Promise<string | undefined> {
  const { db, site, siteRole, urls, viewer, visitor } = context
  if (viewer && viewer.role !== 'admin') return undefined
  const key = { organizationId: site.organization_id, siteId: site.id }
  const stamp = (await findStamp(db, key))?.stamp ?? ''
  const who = visitor ? ['visitor', visitor.seesDrafts, JSON.stringify(visitor.claims)] : ['member', siteRole]
  return markOf([site.id, site.version, urls.site(site), shareKey, ...who, stamp].join(' '))
}

/** What of the spaces of a site changes without the site itself being another. */
const findStamp = lookUp((db, { organizationId, siteId }: Record<'organizationId' | 'siteId', string>) =>
  db
    .selectFrom('site_items')
    .innerJoin('spaces', (join) =>
      join
        .onRef('spaces.organization_id', '=', 'site_items.organization_id')
        .onRef('spaces.id', '=', 'site_items.space_id'),
    )
    .where('site_items.organization_id', '=', organizationId)
    .where('site_items.site_id', '=', siteId)
    .select(
      sql<string | null>`string_agg(
        spaces.revision_id || spaces.updated_at || spaces.comments_open || ' ' || spaces.change_requests || ' ' ||
          spaces.change_requests_open || ' ' || spaces.change_requests_draft || coalesce(spaces.git_sync, ''),
        ' ' order by site_items.id
      )`.as('stamp'),
    ),
)

const markOf = (text: string): string => hash('sha256', text, 'base64url')

async function readAsText(context: SiteReadContext, shareKey: string | undefined): Promise<[string, string]> {
  const text = JSON.stringify(await readPublished(context, shareKey))
  return [text, text]
}

async function readPublished(context: SiteReadContext, shareKey: string | undefined): Promise<PublishedContentSite> {
  const { site, siteRole, urls } = context
  const view = await StructureView.open(context, { shareKey, seesDrafts: false })
  const visible = view.structure.spaces.filter((item) => view.isVisible(item))
  const settings = readSettings(site.customization)
  const overrides = await findAllOverrides(context.db, site)
  const own = visible.flatMap(({ id }) => {
    const text = overrides.get(id)
    return text === undefined ? [] : [[id, overridden(settings, readSettings(text))] as const]
  })
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
