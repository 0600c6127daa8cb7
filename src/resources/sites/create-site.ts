import { randomBytes } from 'node:crypto'
import { findSiteById } from '../../access/sites.ts'
import { uniqueSlug } from '../../content/markdown/slug.ts'
import type { SiteType, SiteVisibility } from '../../contract/site.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordSiteEvent } from '../../domain/live/record-event.ts'
import type { OrganizationContext, SiteWithAddress } from '../../kernel/context.ts'
import { keyBetween } from '../../kernel/position.ts'
import { toUrlSegment } from '../../publishing/site-urls.ts'
import type { Row } from '../../schema/tables.ts'
import { addItem, uniquePathFromTitle, getOrCreateSpaceForSite } from '../site-structure/items.ts'
import * as store from '../../domain/sites/site-store.ts'

interface NewSite {
  type?: SiteType | undefined
  title?: string | undefined
  visibility?: SiteVisibility | undefined
  /** Ids of the spaces on the site, or `new` to create a space for it. */
  spaces?: readonly string[] | 'new' | undefined
}

/** Generates a key that signs the tokens of visitors. */
export const newAuthKey = (): string => randomBytes(32).toString('base64url')

/** Creates a site that is not published yet. */
export async function createSite(context: OrganizationContext, newSite: NewSite): Promise<SiteWithAddress> {
  const { db, organization, newId, now, sealer } = context
  const spaces = await getSpacesForSite(context, newSite)
  const title = newSite.title ?? [spaces[0]?.title ?? '', organization.title].find((text) => text.length >= 2) ?? 'Docs'
  const key = { organization_id: organization.id, id: newId() }
  await store.insertSite(db, {
    ...key,
    type: newSite.type ?? 'basic',
    title: title.slice(0, 128).toWellFormed(),
    visibility: newSite.visibility ?? 'public',
    basename: await findFreeBasename(context, title),
    proxy: null,
    published: 0,
    agents_context: 'included',
    adaptive_content: 0,
    default_level: 'inherit',
    resolved_level: 'organization',
    default_item_id: null,
    customization: null,
    customization_updated_at: null,
    adaptive_schema: null,
    adaptive_schema_updated_at: null,
    search_synonyms: null,
    auth_backend: 'custom',
    auth_key: sealer.seal(newAuthKey()),
    auth_fallback_url: null,
    auth_logout_url: null,
    version: newId(),
    created_at: now(),
    updated_at: now(),
  })
  let position: string | null = null
  const paths = new Set<string>()
  for (const space of spaces) {
    position = keyBetween(position, null)
    const path = uniquePathFromTitle(space.title, 'space', (taken) => paths.has(taken))
    paths.add(path)
    await addItem(context, key, { kind: 'space', position, path, space_id: space.id })
  }
  const site = (await findSiteById(db, key.organization_id, key.id)) as SiteWithAddress
  await recordSiteEvent(context, site)
  await recordEventAbout(context, 'site', site, 'site.create', {
    after: { visibility: site.visibility, spaces: spaces.map(({ id }) => id) },
  })
  return site
}

async function getSpacesForSite(
  context: OrganizationContext,
  { spaces = [], title }: NewSite,
): Promise<Row<'spaces'>[]> {
  if (spaces === 'new') return [await getOrCreateSpaceForSite(context, null, { title })]
  const found = new Map<string, Row<'spaces'>>()
  for (const [index, id] of spaces.entries()) {
    if (!found.has(id)) found.set(id, await getOrCreateSpaceForSite(context, id, { field: `body.spaces.${index}` }))
  }
  return [...found.values()]
}

async function findFreeBasename({ db, organization }: OrganizationContext, title: string): Promise<string> {
  const preferred = toUrlSegment(title, 'docs')
  const taken = await store.findBasenames(db, organization.id, preferred)
  return uniqueSlug(preferred, (name) => taken.has(name))
}
