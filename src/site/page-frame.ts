import type { SiteShell } from '../render/shell/parts.ts'
import { readChoices, readShell } from './page/chrome.ts'
import { type Theme, readTheme } from './look/look.ts'
import { type Settings, localeOf, settingsOf } from './settings.ts'
import type { SpaceView } from './view.ts'

/** Layout of a page, with the space that it belongs to. */
export interface PageFrame {
  space: SpaceView
  settings: Settings
  look: Theme
  /** Language of the space. */
  locale: string
  site: SiteShell
}

/** Loads the layout of pages of a space; `path` is the current path, so that links to other variants open the same page. */
export async function readPageFrame(space: SpaceView, path: readonly string[] = []): Promise<PageFrame> {
  const settings = await settingsOf(space.site.context, space.site.session.site, space.item)
  const look = await readTheme(space, settings)
  const locale = localeOf(space.item, settings)
  const [shell, choices] = [await readShell(space, settings, look), await readChoices(space, path, locale)]
  return { space, settings, look, locale, site: { ...shell, ...choices } }
}
