import type { StoredItem } from '../access/sites.ts'
import { type GivenSettings, overridden, readSettings } from '../publishing/customization.ts'
import type { SiteCustomization } from '../contract/customization.ts'
import type { BaseContext, PlacedSite } from '../kernel/context.ts'
import { Cache } from '../kernel/cache.ts'
import { heapSizeOf } from '../kernel/heap-size.ts'
import { findAllOverrides } from '../domain/sites/override-store.ts'

/** Effective settings of a site space. */
export interface Settings {
  all: SiteCustomization
  /** Font of code, if the site has chosen one; site spaces cannot override it. */
  codeFont: NonNullable<GivenSettings['styling']>['monospaceFont']
}

interface SettingsOfSite {
  site: GivenSettings
  overrides: ReadonlyMap<string, string>
  bySpace: Map<string, Settings>
}

/** Settings by the version of a site, which is never reused. Each distinct object has its own cached styles. */
const kept = new Cache<SettingsOfSite>('site settings', sizeOf)

/** Estimated bytes of complete settings, which each site space with overrides has. */
const perSpace = 8 * 1024

function sizeOf({ site, overrides }: SettingsOfSite): number {
  return heapSizeOf(site) + heapSizeOf([...overrides.values()]) + perSpace * (overrides.size + 1)
}

/** Returns the effective settings of a site space. */
export async function settingsOf(
  { db }: Pick<BaseContext, 'db'>,
  site: PlacedSite,
  item: StoredItem,
): Promise<Settings> {
  const key = `${site.id} ${site.version}`
  let known = kept.get(key)
  if (!known) {
    known = {
      site: readSettings(site.customization) ?? {},
      overrides: await findAllOverrides(db, site),
      bySpace: new Map(),
    }
    kept.set(key, known)
  }
  const stored = known.overrides.get(item.id)
  // Site spaces without overrides share the settings of the site.
  const id = stored === undefined ? '' : item.id
  let settings = known.bySpace.get(id)
  if (!settings) {
    const own = (stored === undefined ? undefined : readSettings(stored)) ?? {}
    settings = { all: overridden(known.site, own), codeFont: known.site.styling?.monospaceFont }
    known.bySpace.set(id, settings)
  }
  return settings
}

/** Returns the language of a site space: its own, or that of the site. */
export const localeOf = ({ language }: Pick<StoredItem, 'language'>, { all }: Settings): string =>
  language ?? all.internationalization.locale
