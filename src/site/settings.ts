import type { StoredSiteItem } from '../access/sites.ts'
import { type ExplicitSettings, resolveSiteSpaceSettings, parseStoredSettings } from '../publishing/customization.ts'
import type { SiteCustomization } from '../contract/customization.ts'
import type { BaseContext } from '../kernel/context.ts'
import { Cache } from '../kernel/cache.ts'
import { estimateHeapSize } from '../kernel/heap-size.ts'
import { findAllOverrides } from '../domain/sites/override-store.ts'
import type { SiteSession } from '../visitors/locate.ts'

/** Effective settings of a site space. */
export interface EffectiveSettings {
  customization: SiteCustomization
  /** Font of code, if the site has chosen one; site spaces cannot override it. */
  codeFont: NonNullable<ExplicitSettings['styling']>['monospaceFont']
}

interface CachedSiteSettings {
  site: ExplicitSettings
  overrides: ReadonlyMap<string, string>
  bySpace: Map<string, EffectiveSettings>
}

/** Settings by the version of a site, which is never reused. Each distinct object has its own cached styles. */
const settingsCache = new Cache<CachedSiteSettings>('site settings', sizeOf)

/** Estimated bytes of complete settings, which each site space with overrides has. */
const bytesPerSpace = 8 * 1024

function sizeOf({ site, overrides }: CachedSiteSettings): number {
  return estimateHeapSize(site) + estimateHeapSize([...overrides.values()]) + bytesPerSpace * (overrides.size + 1)
}

/** Returns the effective settings of a site space. */
export async function readEffectiveSettings(
  { db }: Pick<BaseContext, 'db'>,
  { site, customization: preview }: Pick<SiteSession, 'site' | 'customization'>,
  item: StoredSiteItem,
): Promise<EffectiveSettings> {
  const key = `${site.id} ${site.version} ${preview?.id ?? ''}`
  let cached = settingsCache.get(key)
  if (!cached) {
    cached = {
      site: preview?.settings ?? parseStoredSettings(site.customization) ?? {},
      overrides: withPreviewed(await findAllOverrides(db, site), preview),
      bySpace: new Map(),
    }
    settingsCache.set(key, cached)
  }
  const storedOverrides = cached.overrides.get(item.id)
  // Site spaces without overrides share the settings of the site.
  const id = storedOverrides === undefined ? '' : item.id
  let settings = cached.bySpace.get(id)
  if (!settings) {
    const parsedOverrides = (storedOverrides === undefined ? undefined : parseStoredSettings(storedOverrides)) ?? {}
    settings = {
      customization: resolveSiteSpaceSettings(cached.site, parsedOverrides),
      codeFont: cached.site.styling?.monospaceFont,
    }
    cached.bySpace.set(id, settings)
  }
  return settings
}

/** Replaces the overrides that a preview changes. */
function withPreviewed(
  overrides: Map<string, string>,
  preview: SiteSession['customization'],
): ReadonlyMap<string, string> {
  for (const [id, changed] of preview?.overrides ?? []) {
    if (changed === null) overrides.delete(id)
    else overrides.set(id, changed)
  }
  return overrides
}

/** Returns the language of a site space: its own, or that of the site. */
export const localeOf = (
  { language }: Pick<StoredSiteItem, 'language'>,
  { customization }: EffectiveSettings,
): string => language ?? customization.internationalization.locale
