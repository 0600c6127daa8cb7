import { randomBytes } from 'node:crypto'
import { findPlacedSite } from '../../access/sites.ts'
import { uniqueSlug } from '../../content/markdown/slug.ts'
import type { SiteType, SiteVisibility } from '../../contract/site.ts'
import type { OrganizationContext, PlacedSite } from '../../kernel/context.ts'
import { keyBetween } from '../../kernel/position.ts'
import { segmentAfter } from '../../publishing/addresses.ts'
import type { Row } from '../../schema/tables.ts'
import { addItem, pathAfter, spaceForSite } from '../site-structure/items.ts'
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
export async function createSite(context: OrganizationContext, wanted: NewSite): Promise<PlacedSite> {
  const { db, organization, newId, now, sealer } = context
  const spaces = await spacesOf(context, wanted)
  const title = wanted.title ?? [spaces[0]?.title ?? '', organization.title].find((text) => text.length >= 2) ?? 'Docs'
  const key = { organization_id: organization.id, id: newId() }
  await store.insertSite(db, {
    ...key,
    type: wanted.type ?? 'basic',
    title: title.slice(0, 128).toWellFormed(),
    visibility: wanted.visibility ?? 'public',
    basename: await freeBasename(context, title),
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
    const path = pathAfter(space.title, 'space', (taken) => paths.has(taken))
    paths.add(path)
    await addItem(context, key, { kind: 'space', position, path, space_id: space.id })
  }
  return (await findPlacedSite(db, key.organization_id, key.id)) as PlacedSite
}

async function spacesOf(context: OrganizationContext, { spaces = [], title }: NewSite): Promise<Row<'spaces'>[]> {
  if (spaces === 'new') return [await spaceForSite(context, null, { title })]
  const found = new Map<string, Row<'spaces'>>()
  for (const [index, id] of spaces.entries()) {
    if (!found.has(id)) found.set(id, await spaceForSite(context, id, { field: `body.spaces.${index}` }))
  }
  return [...found.values()]
}

async function freeBasename({ db, organization }: OrganizationContext, title: string): Promise<string> {
  const wanted = segmentAfter(title, 'docs')
  const taken = await store.findBasenames(db, organization.id, wanted)
  return uniqueSlug(wanted, (name) => taken.has(name))
}
