import { completeSettings } from '../../publishing/customization.ts'
import type { Urls } from '../../kernel/context.ts'
import { productName } from '../../render/logo.ts'
import type { SiteShell } from '../../render/shell/parts.ts'
import { english } from '../../render/texts/english.ts'
import { assets } from '../assets.ts'
import { renderFavicon } from '../theme/favicon.ts'
import { renderIcon } from '../../icons/icons.ts'
import { themeClassNames, readStyles } from '../theme/theme.ts'
import type { EffectiveSettings } from '../settings.ts'

/** Default settings of a site, which pages of the server itself use. */
const settings: EffectiveSettings = { customization: completeSettings(), codeFont: undefined }

/** Returns the URL path of the server with a trailing slash. */
export const serverBasePath = (urls: Pick<Urls, 'plain'>): string => new URL(urls.plain('/')).pathname

/** Returns the layout of pages of the server itself. */
export async function createServerShell(
  urls: Pick<Urls, 'plain'>,
  links: readonly { title: string; href: string }[],
): Promise<SiteShell> {
  const base = serverBasePath(urls)
  const assetsHref = `${base}~assets/`
  const { rules } = await readStyles(settings, assetsHref)
  return {
    texts: english,
    language: 'en',
    direction: 'ltr',
    title: productName,
    logo: undefined,
    homeHref: base,
    base,
    styles: rules,
    script: assetsHref + assets.script.name,
    themeClasses: themeClassNames(settings.customization),
    theme: 'system',
    canToggleTheme: true,
    favicons: renderFavicon(settings.customization, productName),
    header: {
      isHidden: false,
      links: links.map((link) => ({ ...link, style: 'link', links: [] })),
      social: [],
      hasProminentSearch: false,
    },
    announcement: undefined,
    sections: [],
    variants: [],
    languages: [],
    searchHref: '',
    searchScript: '',
    searchStyles: '',
    searchScope: undefined,
    footer: {
      logo: undefined,
      groups: [],
      copyright: undefined,
      social: [],
      privacyHref: undefined,
      hasTrademark: false,
    },
    icon: (name) => renderIcon(name, settings.customization.styling.icons),
  }
}

/** Caching and indexing of pages of the server itself: equal for everyone, and not for search engines. */
export const serverPagePolicy = { isPublic: true, isIndexed: false }
