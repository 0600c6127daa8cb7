import { completeSettings } from '../../publishing/customization.ts'
import type { Urls } from '../../kernel/context.ts'
import { productName } from '../../render/mark.ts'
import type { SiteShell } from '../../render/shell/parts.ts'
import { english } from '../../render/texts/english.ts'
import { assets } from '../assets.ts'
import { faviconOf } from '../look/favicon.ts'
import { iconOf } from '../look/icons.ts'
import { namesOf, stylesOf } from '../look/look.ts'
import type { Settings } from '../settings.ts'

/** Default settings of a site, which pages of the server itself use. */
const settings: Settings = { all: completeSettings(), codeFont: undefined }

/** Returns the URL path of the server with a trailing slash. */
export const ownBase = (urls: Pick<Urls, 'plain'>): string => new URL(urls.plain('/')).pathname

/** Returns the layout of pages of the server itself. */
export async function ownShell(
  urls: Pick<Urls, 'plain'>,
  links: readonly { title: string; href: string }[],
): Promise<SiteShell> {
  const base = ownBase(urls)
  const files = `${base}~assets/`
  const { rules } = await stylesOf(settings, files)
  return {
    texts: english,
    language: 'en',
    direction: 'ltr',
    title: productName,
    logo: undefined,
    homeHref: base,
    base,
    styles: rules,
    script: files + assets.script.name,
    look: namesOf(settings.all),
    theme: settings.all.themes.default,
    canToggleTheme: true,
    favicons: faviconOf(settings.all, productName),
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
    icon: (name) => iconOf(name, settings.all.styling.icons),
  }
}

/** Caching and indexing of pages of the server itself: equal for everyone, and not for search engines. */
export const ownHandling = { isPublic: true, isIndexed: false }
