import type { SiteCustomization } from '../../contract/customization.ts'
import type { Html } from '../../render/html.ts'
import { paletteStyle } from '../../render/palette.ts'
import { type StyleFilter, createStyleFilter } from '../../render/used-styles.ts'
import { assets, baseStyles } from '../assets.ts'
import { loadCodePalette, printCodeStyle } from './code-themes.ts'
import { renderFavicon } from './favicon.ts'
import { type SiteFont, resolveFont, createFaceSelector } from './fonts.ts'
import type { EffectiveSettings } from '../settings.ts'
import type { SpaceView } from '../view.ts'

/** Styles, scripts and icons of a site. */
export interface SiteTheme {
  /** URL path of the assets. */
  assetsHref: string
  styles: StyleFilter
  script: string
  searchScript: string
  searchStyles: string
  /** Class names that select the theme. */
  classNames: string
  favicons: Html
  /** Origins of fonts on other hosts. */
  fontOrigins: readonly string[]
}

/** Styles shared by all sites; each site adds its colors and fonts. */
const sharedStyles = createStyleFilter(baseStyles)

interface SiteStyles {
  rules: StyleFilter
  fontOrigins: readonly string[]
}

/** Styles by the settings they are made from; the settings are cached until their site changes. */
const stylesCache = new WeakMap<EffectiveSettings, Map<string, Promise<SiteStyles>>>()

/** Returns the styles for settings, given the URL path of the assets. */
export function readStyles(settings: EffectiveSettings, assetsHref: string): Promise<SiteStyles> {
  let byAssetsHref = stylesCache.get(settings)
  if (!byAssetsHref) stylesCache.set(settings, (byAssetsHref = new Map()))
  let styles = byAssetsHref.get(assetsHref)
  if (!styles) byAssetsHref.set(assetsHref, (styles = makeStyles(settings, assetsHref)))
  return styles
}

export async function readTheme(space: SpaceView, settings: EffectiveSettings): Promise<SiteTheme> {
  const { site } = space
  // A path without a host, which also works behind a proxy: pages load assets from the host they are requested from.
  // Each preview of the customization has another path, and all of them share what browsers have stored.
  const base = site.session.customization ? site.context.urls.plain('/') : site.session.siteBase
  const assetsHref = `${new URL(base).pathname}~assets/`
  const { rules, fontOrigins } = await readStyles(settings, assetsHref)
  return {
    assetsHref,
    styles: rules,
    script: assetsHref + assets.script.name,
    searchScript: assetsHref + assets.search.name,
    searchStyles: assetsHref + assets.searchStyles.name,
    classNames: themeClassNames(settings.customization),
    favicons: renderFavicon(settings.customization, settings.customization.title ?? site.session.site.title),
    fontOrigins,
  }
}

async function makeStyles({ customization, codeFont }: EffectiveSettings, assetsHref: string): Promise<SiteStyles> {
  const { styling, header } = customization
  const font = resolveFont(styling.font, 'text', assetsHref)
  const heading = styling.headingFont === undefined ? undefined : resolveFont(styling.headingFont, 'text', assetsHref)
  // Without a chosen font, code uses a system font, which saves a request.
  const mono = codeFont === undefined ? undefined : resolveFont(codeFont, 'code', assetsHref)
  const fonts = Object.entries({ '--font': font, '--heading-font': heading, '--mono': mono }).flatMap(
    ([property, one]) => (one === undefined ? [] : [{ property, ...one }]),
  )
  const printFontProperties = (familyOf: (font: SiteFont) => string) =>
    fonts.map((one) => `${one.property}:${familyOf(one)};`).join('')
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
    printFontProperties(({ family }) => family),
  ].join('')
  // The script in the head of the page sets the attribute until the first paint.
  const initialFonts = `:root[data-initial]{${printFontProperties(({ initialFamily }) => initialFamily)}}`
  const facesFor = createFaceSelector(fonts.flatMap((one) => one.faces))
  const code = printCodeStyle(await loadCodePalette(light), await loadCodePalette(dark))
  const siteRules = `:root{${properties}}${initialFonts}${code}`
  return {
    rules: { selectUsed: (html) => sharedStyles.selectUsed(html) + facesFor(html) + siteRules },
    fontOrigins: fonts.flatMap((one) => one.origins ?? []),
  }
}

export function themeClassNames({ styling, header }: SiteCustomization): string {
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
