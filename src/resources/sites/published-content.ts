import { hash } from 'node:crypto'
import type { SiteStructure } from '../../contract/site.ts'
import type { PublishedContentSite } from '../../contract/sites.ts'
import { Cache, cacheLimit } from '../../kernel/cache.ts'
import type { SiteReadContext } from '../../kernel/context.ts'
import { stringSize } from '../../kernel/heap-size.ts'
import { JsonText } from '../../kernel/json-text.ts'
import {
  completeSettings,
  resolveSiteSpaceSettings,
  parseStoredSettings,
  filterSettingsForVisitor,
} from '../../publishing/customization.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { findAllOverrides } from '../../domain/sites/override-store.ts'
import { StructureView, resolveShareKey } from '../site-structure/structure-view.ts'
import { presentSite } from '../../domain/sites/present-site.ts'
import * as store from '../../domain/sites/site-store.ts'

/** Cached replies, by a hash of everything that they depend on, so that entries never become outdated. */
const publishedContentCache = new Cache<string>('published content', stringSize)

/**
 * Returns the content of a published site that the caller can see, as JSON. With hundreds of spaces the reply is long,
 * and front ends request it for every page that they render, mostly unchanged.
 */
export async function getPublishedContentJson(
  context: SiteReadContext,
  givenShareKey: string | undefined,
): Promise<JsonText<PublishedContentSite>> {
  const shareKey = await resolveShareKey(context, givenShareKey)
  const cacheKey = await getCacheKey(context, shareKey)
  if (cacheKey === undefined) {
    const text = await readPublishedContentJson(context, shareKey)
    return new JsonText(text, text)
  }
  const cached = publishedContentCache.get(cacheKey)
  if (cached !== undefined) return new JsonText(cacheKey, cached)
  const text = await readPublishedContentJson(context, shareKey)
  // Data that changed while it was read may change back, and then has the same key.
  if ((await getCacheKey(context, shareKey)) === cacheKey) addToCache(cacheKey, text)
  return new JsonText(cacheKey, text)
}

function addToCache(cacheKey: string, text: string): void {
  // A very large reply would evict too many others.
  if (stringSize(text) <= cacheLimit('published content') / 4) publishedContentCache.set(cacheKey, text)
}

/** Returns the cache key of the reply; undefined for members whose roles may differ between spaces. */
async function getCacheKey(context: SiteReadContext, shareKey: string | undefined): Promise<string | undefined> {
  const { db, site, siteRole, urls, viewer, visitor } = context
  if (viewer && viewer.role !== 'admin') return undefined
  const key = { organizationId: site.organization_id, siteId: site.id }
  const stamp = (await store.findContentStamp(db, key))?.stamp ?? ''
  const callerParts = visitor ? ['visitor', visitor.seesDrafts, JSON.stringify(visitor.claims)] : ['member', siteRole]
  return hashText([site.id, site.version, urls.site(site), shareKey, ...callerParts, stamp].join(' '))
}

const hashText = (text: string): string => hash('sha256', text, 'base64url')

async function readPublishedContentJson(context: SiteReadContext, shareKey: string | undefined): Promise<string> {
  return JSON.stringify(await readPublishedContent(context, shareKey))
}

async function readPublishedContent(
  context: SiteReadContext,
  shareKey: string | undefined,
): Promise<PublishedContentSite> {
  const { site, siteRole, urls, visitor } = context
  const viewpoint = visitor && Viewpoint.of(visitor)
  const view = await StructureView.open(context, { shareKey, seesDrafts: false })
  const visible = view.structure.spaces.filter((item) => view.isVisible(item))
  const settings = parseStoredSettings(site.customization)
  const overrides = await findAllOverrides(context.db, site)
  const siteSettings = filterSettingsForVisitor(viewpoint, completeSettings(settings))
  // Front ends look up the settings of every site space here.
  const spaceSettings = visible.map(({ id }) => {
    const text = overrides.get(id)
    return [
      id,
      text === undefined
        ? siteSettings
        : filterSettingsForVisitor(viewpoint, resolveSiteSpaceSettings(settings, parseStoredSettings(text))),
    ] as const
  })
  return {
    object: 'published-content-site',
    site: presentSite(site, siteRole, urls, { siteSpaces: visible.length, shareKey }),
    structure: withoutLinks(view.presentAll()),
    customizations: { site: siteSettings, siteSpaces: Object.fromEntries(spaceSettings) },
    scripts: [],
  }
}

/** Removes links, because front ends that only support sections and groups fail on them. */
function withoutLinks(structure: SiteStructure): SiteStructure {
  if (structure.type === 'siteSpaces') return structure
  return { ...structure, structure: removeLinks(structure.structure) }
}

type StructureEntry = Extract<SiteStructure, { type: 'sections' }>['structure'][number]

function removeLinks(entries: readonly StructureEntry[]): StructureEntry[] {
  return entries.flatMap((entry): StructureEntry[] => {
    if (entry.object === 'site-external-link') return []
    return entry.object === 'site-section-group' ? [{ ...entry, children: removeLinks(entry.children) }] : [entry]
  })
}
