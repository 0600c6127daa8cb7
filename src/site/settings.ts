import type { StoredItem } from '../access/sites.ts'
import { type GivenSettings, overridden, readSettings } from '../publishing/customization.ts'
import type { SiteCustomization } from '../contract/customization.ts'
import type { BaseContext, PlacedSite } from '../kernel/context.ts'
import { Cache } from '../kernel/cache.ts'
import { heapSizeOf } from '../kernel/heap-size.ts'
import { findAllOverrides } from '../domain/sites/override-store.ts'

/** The settings of a space on a site. */
export interface Settings {
  all: SiteCustomization
  /** The font of code, if the site has chosen one: spaces have none of their own. */
  codeFont: NonNullable<GivenSettings['styling']>['monospaceFont']
}

interface SettingsOfSite {
  site: GivenSettings
  overrides: ReadonlyMap<string, string>
  bySpace: Map<string, Settings>
}

/** Settings by the versions of sites, which are never given twice. Each that differs comes with styles of its own. */
const kept = new Cache<SettingsOfSite>('site settings', sizeOf)

/** What complete settings take, of which each space that differs has some. */
const perSpace = 8 * 1024

function sizeOf({ site, overrides }: SettingsOfSite): number {
  return heapSizeOf(site) + heapSizeOf([...overrides.values()]) + perSpace * (overrides.size + 1)
}

/** The settings that hold for a space of a site. */
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
  // Spaces that have nothing otherwise share what the site has.
  const id = stored === undefined ? '' : item.id
  let settings = known.bySpace.get(id)
  if (!settings) {
    const own = (stored === undefined ? undefined : readSettings(stored)) ?? {}
    settings = { all: overridden(known.site, own), codeFont: known.site.styling?.monospaceFont }
    known.bySpace.set(id, settings)
  }
  return settings
}

/** The language of a space on a site: its own, or else that of the site. */
export const localeOf = ({ language }: Pick<StoredItem, 'language'>, { all }: Settings): string =>
  language ?? all.internationalization.locale
