import type { SiteShell } from '../render/shell/parts.ts'
import { readChoices, readShell } from './page/chrome.ts'
import { type Look, lookOf } from './look/look.ts'
import { type Settings, localeOf, settingsOf } from './settings.ts'
import type { SpaceView } from './view.ts'

/** The space that somebody is in, with what stands around its pages. */
export interface Surroundings {
  space: SpaceView
  settings: Settings
  look: Look
  /** What the space is written in. */
  locale: string
  site: SiteShell
}

/** What stands around the pages of a space; `path` is where the reader is, so that other variants open at the same page. */
export async function readSurroundings(space: SpaceView, path: readonly string[] = []): Promise<Surroundings> {
  const settings = await settingsOf(space.site.context, space.site.entered.site, space.item)
  const look = await lookOf(space, settings)
  const locale = localeOf(space.item, settings)
  const [shell, choices] = [await readShell(space, settings, look), await readChoices(space, path, locale)]
  return { space, settings, look, locale, site: { ...shell, ...choices } }
}
