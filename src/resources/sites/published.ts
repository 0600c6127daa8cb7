import { hash } from 'node:crypto'
import type { SiteStructure } from '../../contract/site.ts'
import type { PublishedContentSite } from '../../contract/sites.ts'
import { Cache, cacheLimit } from '../../kernel/cache.ts'
import type { SiteReadContext } from '../../kernel/context.ts'
import { stringSize } from '../../kernel/heap-size.ts'
import { JsonText } from '../../kernel/json-text.ts'
import { completeSettings, overridden, readSettings, settingsFor } from '../../publishing/customization.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { findAllOverrides } from '../../domain/sites/override-store.ts'
import { StructureView, usableShareKey } from '../site-structure/view.ts'
import { presentSite } from '../../domain/sites/present-site.ts'
import * as store from '../../domain/sites/site-store.ts'

/** Cached replies, by a hash of everything that they depend on, so that entries never become outdated. */
const kept = new Cache<string>('published content', stringSize)

/**
 * Returns the content of a published site that the caller can see, as JSON. With hundreds of spaces the reply is long,
 * and front ends request it for every page that they render, mostly unchanged.
 */
export async function publishedText(
  context: SiteReadContext,
  given: string | undefined,
): Promise<JsonText<PublishedContentSite>> {
  const shareKey = await usableShareKey(context, given)
  const identity = await identityOf(context, shareKey)
  if (identity === undefined) {
    const text = await readAsText(context, shareKey)
    return new JsonText(text, text)
  }
  const known = kept.get(identity)
  if (known !== undefined) return new JsonText(identity, known)
  const text = await readAsText(context, shareKey)
  // Data that changed while it was read may change back, and then has the same key.
  if ((await identityOf(context, shareKey)) === identity) keep(identity, text)
  return new JsonText(identity, text)
}

function keep(identity: string, text: string): void {
  // A very large reply would evict too many others.
  if (stringSize(text) <= cacheLimit('published content') / 4) kept.set(identity, text)
}

/** Returns the cache key of the reply; undefined for members whose roles may differ between spaces. */
async function identityOf(context: SiteReadContext, shareKey: string | undefined): Promise<string | undefined> {
  const { db, site, siteRole, urls, viewer, visitor } = context
  if (viewer && viewer.role !== 'admin') return undefined
  const key = { organizationId: site.organization_id, siteId: site.id }
  const stamp = (await store.findContentStamp(db, key))?.stamp ?? ''
  const who = visitor ? ['visitor', visitor.seesDrafts, JSON.stringify(visitor.claims)] : ['member', siteRole]
  return markOf([site.id, site.version, urls.site(site), shareKey, ...who, stamp].join(' '))
}

const markOf = (text: string): string => hash('sha256', text, 'base64url')

async function readAsText(context: SiteReadContext, shareKey: string | undefined): Promise<string> {
  return JSON.stringify(await readPublished(context, shareKey))
}

async function readPublished(context: SiteReadContext, shareKey: string | undefined): Promise<PublishedContentSite> {
  const { site, siteRole, urls, visitor } = context
  const viewpoint = visitor && Viewpoint.of(visitor)
  const view = await StructureView.open(context, { shareKey, seesDrafts: false })
  const visible = view.structure.spaces.filter((item) => view.isVisible(item))
  const settings = readSettings(site.customization)
  const overrides = await findAllOverrides(context.db, site)
  const ofSite = settingsFor(viewpoint, completeSettings(settings))
  // Front ends look up the settings of every site space here.
  const ofSpaces = visible.map(({ id }) => {
    const text = overrides.get(id)
    return [id, text === undefined ? ofSite : settingsFor(viewpoint, overridden(settings, readSettings(text)))] as const
  })
  return {
    object: 'published-content-site',
    site: presentSite(site, siteRole, urls, { siteSpaces: visible.length, shareKey }),
    structure: withoutLinks(view.all()),
    customizations: { site: ofSite, siteSpaces: Object.fromEntries(ofSpaces) },
    scripts: [],
  }
}

/** Removes links, because front ends that only support sections and groups fail on them. */
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
