import type { SiteShell } from '../render/shell/parts.ts'
import { readVariantChoices, readSiteShell } from './page/site-shell.ts'
import { type SiteTheme, readTheme } from './theme/theme.ts'
import { type EffectiveSettings, localeOf, readEffectiveSettings } from './settings.ts'
import type { SpaceView } from './view.ts'

/** Layout of a page, with the space that it belongs to. */
export interface PageFrame {
  space: SpaceView
  settings: EffectiveSettings
  theme: SiteTheme
  /** Language of the space. */
  locale: string
  site: SiteShell
}

/** Loads the layout of pages of a space; `path` is the current path, so that links to other variants open the same page. */
export async function readPageFrame(space: SpaceView, path: readonly string[] = []): Promise<PageFrame> {
  const settings = await readEffectiveSettings(space.site.context, space.site.session, space.item)
  const theme = await readTheme(space, settings)
  const locale = localeOf(space.item, settings)
  const [shell, choices] = [await readSiteShell(space, settings, theme), await readVariantChoices(space, path, locale)]
  return { space, settings, theme, locale, site: { ...shell, ...choices } }
}
