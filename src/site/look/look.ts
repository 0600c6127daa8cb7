import type { SiteCustomization } from '../../contract/customization.ts'
import type { Html } from '../../render/html.ts'
import { paletteStyle } from '../../render/palette.ts'
import { type UsableStyles, usableStyles } from '../../render/used-styles.ts'
import { assets, baseStyles } from '../assets.ts'
import { codePalette, codeStyle } from './code-themes.ts'
import { faviconOf } from './favicon.ts'
import { fontOf, usableFaces } from './fonts.ts'
import type { Settings } from '../settings.ts'
import type { SpaceView } from '../view.ts'

/** Styles, scripts and icons of a site. */
export interface Theme {
  /** URL path of the assets. */
  assetsHref: string
  styles: UsableStyles
  script: string
  searchScript: string
  searchStyles: string
  /** Class names that select the theme. */
  names: string
  favicons: Html
  /** Origins of fonts on other hosts. */
  fontOrigins: readonly string[]
}

/** Styles shared by all sites; each site adds its colors and fonts. */
const base = usableStyles(baseStyles)

interface Styles {
  rules: UsableStyles
  fontOrigins: readonly string[]
}

/** Styles by the settings they are made from; the settings are cached until their site changes. */
const kept = new WeakMap<Settings, Map<string, Promise<Styles>>>()

/** Returns the styles for settings, given the URL path of the assets. */
export function stylesOf(settings: Settings, assetsHref: string): Promise<Styles> {
  let byAddress = kept.get(settings)
  if (!byAddress) kept.set(settings, (byAddress = new Map()))
  let styles = byAddress.get(assetsHref)
  if (!styles) byAddress.set(assetsHref, (styles = makeStyles(settings, assetsHref)))
  return styles
}

export async function readTheme(space: SpaceView, settings: Settings): Promise<Theme> {
  const { site } = space
  // A path without a host, which also works behind a proxy: pages load assets from the host they are requested from.
  const assetsHref = `${new URL(site.session.siteBase).pathname}~assets/`
  const { rules, fontOrigins } = await stylesOf(settings, assetsHref)
  return {
    assetsHref,
    styles: rules,
    script: assetsHref + assets.script.name,
    searchScript: assetsHref + assets.search.name,
    searchStyles: assetsHref + assets.searchStyles.name,
    names: namesOf(settings.all),
    favicons: faviconOf(settings.all, settings.all.title ?? site.session.site.title),
    fontOrigins,
  }
}

async function makeStyles({ all, codeFont }: Settings, assetsHref: string): Promise<Styles> {
  const { styling, header } = all
  const font = fontOf(styling.font, 'text', assetsHref)
  const heading = styling.headingFont === undefined ? undefined : fontOf(styling.headingFont, 'text', assetsHref)
  // Without a chosen font, code uses a system font, which saves a request.
  const mono = codeFont === undefined ? undefined : fontOf(codeFont, 'code', assetsHref)
  const fonts = [font, heading, mono].filter((one) => one !== undefined)
  const { light, dark } = styling.codeTheme.default
  const properties = [
    paletteStyle({
      theme: styling.theme,
      background: styling.background,
      primary: styling.primaryColor,
      tint: styling.tint?.color,
      info: styling.infoColor,
      success: styling.successColor,
      warning: styling.warningColor,
      danger: styling.dangerColor,
      header: { preset: header.preset, background: header.backgroundColor, link: header.linkColor },
    }),
    `--font:${font.family};`,
    heading && `--heading-font:${heading.family};`,
    mono && `--mono:${mono.family};`,
  ].filter(Boolean)
  const facesFor = usableFaces(fonts.flatMap((one) => one.faces))
  const code = codeStyle(await codePalette(light), await codePalette(dark))
  const own = `:root{${properties.join('')}}${code}`
  return {
    rules: { usedBy: (html) => base.usedBy(html) + facesFor(html) + own },
    fontOrigins: fonts.flatMap((one) => one.origins ?? []),
  }
}

export function namesOf({ styling, header }: SiteCustomization): string {
  const { theme, corners, depth, links, sidebar } = styling
  return [
    `theme-${theme}`,
    `corners-${corners}`,
    `depth-${depth}`,
    `links-${links}`,
    `sidebar-${sidebar.background}`,
    `list-${sidebar.list}`,
    `header-${header.preset}`,
  ].join(' ')
}
