import { hash } from 'node:crypto'
import type { StoredSiteItem } from '../../access/sites.ts'
import type { ContentRef } from '../../content/document/nodes.ts'
import type { SiteCustomization } from '../../contract/customization.ts'
import { filterSettingsForVisitor } from '../../publishing/customization.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import { type Html, markup } from '../../render/html.ts'
import type { MenuChoice, HeaderLink, Link, SectionEntry, SiteShell } from '../../render/shell/parts.ts'
import { hasTexts, languageTag, getTexts } from '../../render/texts/locales.ts'
import { renderIcon } from '../../icons/icons.ts'
import type { SiteTheme } from '../theme/theme.ts'
import { ResolvedReferences } from '../../resources/rendered/references.ts'
import { emojiOf } from '../emoji.ts'
import { type EffectiveSettings, localeOf } from '../settings.ts'
import type { SiteView, SpaceView } from '../view.ts'

type ContentLink = {
  title: string
  localizedTitle?: Partial<Record<string, string>> | undefined
  to: ContentRef | null
}

/** Loads the parts of the layout that all pages of a space share, for a visitor. */
export async function readSiteShell(
  space: SpaceView,
  settings: EffectiveSettings,
  theme: SiteTheme,
): Promise<Omit<SiteShell, 'variants' | 'languages'>> {
  const { site } = space
  const { session } = site
  const customization = filterSettingsForVisitor(session.viewpoint, settings.customization)
  const references = await ResolvedReferences.resolve(space, collectRefs(customization))
  const locale = localeOf(space.item, settings)
  // If the interface is not translated to the language of the space, it uses the language of the site.
  const texts = hasTexts(locale) ? getTexts(locale) : getTexts(customization.internationalization.locale)
  const icon = (name: string): Html => renderIcon(name, customization.styling.icons)
  const localize = (title: string, localized: Partial<Record<string, string>> | undefined): string =>
    localized?.[locale] ?? title
  const toLinks = ({ title, localizedTitle, to }: ContentLink): Link[] => {
    const target = to && references.linkTo(to)
    if (!target || target.href === undefined) return []
    return [{ title: localize(title, localizedTitle), href: target.href, isExternal: target.isExternal }]
  }
  const header = customization.header.links.flatMap((link): HeaderLink[] => {
    const links = link.links.flatMap(toLinks)
    const [own] = toLinks(link)
    // Links without a target for this visitor are omitted.
    if (!own && links.length === 0) return []
    const title = localize(link.title, link.localizedTitle)
    return [{ title, href: own?.href, isExternal: own?.isExternal, style: link.style ?? 'link', links }]
  })
  const social = (position: 'header' | 'footer'): Link[] =>
    customization.socialAccounts.filter(({ display }) => display[position]).map((account) => socialLink(account, icon))
  const { announcement, footer } = customization
  const homeHref = findHomeHref(customization, references) ?? site.href(session.siteBase)
  return {
    texts,
    language: languageTag(locale),
    direction: /^(ar|he)\b/.test(locale) ? 'rtl' : 'ltr',
    title: localize(customization.title ?? session.site.title, customization.localizedTitle),
    logo: customization.header.logo,
    homeHref,
    base: site.href(session.siteBase),
    styles: theme.styles,
    script: theme.script,
    themeClasses: theme.classNames,
    theme: customization.themes.default,
    canToggleTheme: customization.themes.toggeable,
    favicons: theme.favicons,
    header: {
      isHidden: customization.header.preset === 'none',
      links: header,
      social: social('header'),
      hasProminentSearch: customization.styling.search === 'prominent',
    },
    announcement:
      announcement?.enabled && announcement.message !== ''
        ? {
            message: localize(announcement.message, announcement.localizedMessage),
            style: announcement.style,
            link: announcement.link && toLinks(announcement.link)[0],
            id: hash('sha256', JSON.stringify(announcement), 'base64url').slice(0, 8),
          }
        : undefined,
    sections: createSections(space, locale, icon),
    searchScript: theme.searchScript,
    searchStyles: theme.searchStyles,
    searchHref: site.href(site.searchUrl),
    searchScope: searchScopeOf(space, locale),
    footer: {
      logo: footer.logo,
      groups: footer.groups.map(({ title, localizedTitle, links }) => ({
        title: localize(title, localizedTitle),
        links: links.flatMap(toLinks),
      })),
      copyright: footer.copyright,
      social: social('footer'),
      privacyHref: customization.privacyPolicy.url,
      hasTrademark: customization.trademark.enabled,
    },
    icon,
  }
}

function collectRefs({ header, footer, announcement }: SiteCustomization): ContentRef[] {
  const refs = [
    header.primaryLink,
    announcement?.link?.to,
    ...header.links.flatMap(({ to, links }) => [to, ...links.map((link) => link.to)]),
    ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
  ]
  return refs.filter((ref) => ref !== null && ref !== undefined)
}

function findHomeHref({ header }: SiteCustomization, references: ResolvedReferences): string | undefined {
  return header.primaryLink && references.linkTo(header.primaryLink)?.href
}

/** Returns the listed sections with their groups; empty if there is only one. */
function createSections(space: SpaceView, locale: string, icon: (name: string) => Html): SectionEntry[] {
  const { structure, viewpoint, siteBase } = space.site.session
  const chain = new Set(structure.ancestorsAndSelf(space.item).map(({ id }) => id))
  const createEntries = (parentId: string | null): SectionEntry[] =>
    structure.childrenOf(parentId).flatMap((item): SectionEntry[] => {
      if (item.kind === 'space' || !viewpoint.getVisibility(structure.ancestorsAndSelf(item)).isListed) return []
      const common = {
        title: localizedTitleOf(item, locale),
        icon: iconOfItem(item, icon),
        isCurrent: chain.has(item.id),
      }
      if (item.kind === 'link') {
        return item.row.url === null ? [] : [{ ...common, href: item.row.url, isExternal: true, children: [] }]
      }
      if (item.kind === 'section') {
        // A section is omitted if the visitor can see none of its spaces.
        const isEmpty = !structure.childrenOf(item.id).some((inside) => structure.isVisible(inside, viewpoint))
        if (isEmpty) return []
        return [{ ...common, href: space.site.href(siteBase + pathOnSite(structure, item)), children: [] }]
      }
      const children = createEntries(item.id)
      return children.length === 0 ? [] : [{ ...common, href: children[0]?.href ?? '', children }]
    })
  const entries = createEntries(null)
  return entries.length > 1 || (entries[0]?.children.length ?? 0) > 0 ? entries : []
}

const iconOfItem = ({ row }: StoredSiteItem, icon: (name: string) => Html): Html | undefined =>
  row.icon === null ? undefined : unlessEmpty(icon(row.icon))

/** Returns an icon; undefined if it is unknown. */
const unlessEmpty = (icon: Html): Html | undefined => (icon.text === '' ? undefined : icon)

function localizedTitleOf({ title, row }: StoredSiteItem, locale: string): string {
  if (row.localized_title === null) return title
  const localized = JSON.parse(row.localized_title) as Partial<Record<string, string>>
  return localized[locale] ?? title
}

/** Returns the titles that distinguish a site space from others on its site: its section and its variant. */
export function distinguishingTitlesOf(site: SiteView, item: StoredSiteItem, locale: string): string[] {
  const { structure, viewpoint } = site.session
  return structure.ancestorsAndSelf(item).flatMap((step) => {
    if (step.kind === 'group') return []
    const siblings = step.kind === 'section' ? structure.sections : structure.childrenOf(step.parentId)
    const others = siblings.filter((one) => one.kind === step.kind && one !== step)
    return others.some((one) => viewpoint.getVisibility(structure.ancestorsAndSelf(one)).isListed)
      ? [localizedTitleOf(step, locale)]
      : []
  })
}

function searchScopeOf({ site, item }: SpaceView, locale: string): SiteShell['searchScope'] {
  const titles = distinguishingTitlesOf(site, item, locale)
  return titles.length === 0 ? undefined : { id: item.id, title: titles.join(' / ') }
}

/**
 * Maximum number of variants in which the current page is looked up; with more, all of them link to first pages, which is faster.
 */
const maxVariantLookups = 20

const languageOf = (item: StoredSiteItem): string => item.language ?? ''

/** Returns the sibling spaces to choose from: other versions, and other languages. */
export async function readVariantChoices(
  space: SpaceView,
  path: readonly string[],
  locale: string,
): Promise<{ variants: MenuChoice[]; languages: MenuChoice[] }> {
  const { site, item } = space
  const { structure, viewpoint } = site.session
  const siblings = structure
    .childrenOf(item.parentId)
    .filter(
      (one) =>
        one.kind === 'space' && (one === item || viewpoint.getVisibility(structure.ancestorsAndSelf(one)).isListed),
    )
  if (siblings.length < 2) return { variants: [], languages: [] }
  const variants = siblings.filter((one) => languageOf(one) === languageOf(item))
  const languages = [...new Map(siblings.toReversed().map((one) => [languageOf(one), one])).values()].toReversed()
  const languageItems = languages.map((one) => (languageOf(one) === languageOf(item) ? item : one))
  const shownItems = new Set([...variants, ...languageItems])
  const readChoice = async (one: StoredSiteItem): Promise<MenuChoice> => {
    const isCurrent = one === item
    const other = isCurrent ? space : shownItems.size <= maxVariantLookups ? await site.openItem(one) : undefined
    const samePage = path.length > 0 && other ? await other.findPage(path) : undefined
    const address = samePage?.address ?? site.urlOf(one)
    const language = one.language === null ? undefined : languageTag(one.language)
    return { title: localizedTitleOf(one, locale), href: site.href(address), isCurrent, language }
  }
  const choices = new Map<StoredSiteItem, MenuChoice>()
  for (const one of shownItems) choices.set(one, await readChoice(one))
  const languageChoices = languageItems.map((one) => ({
    ...(choices.get(one) as MenuChoice),
    title: nameOfLanguage(one.language) ?? one.title,
  }))
  return {
    variants: variants.length > 1 ? variants.map((one) => choices.get(one) as MenuChoice) : [],
    languages: languageChoices.length > 1 ? languageChoices : [],
  }
}

/** Returns the name of a language in that language. */
function nameOfLanguage(language: string | null): string | undefined {
  if (language === null) return undefined
  const tag = languageTag(language)
  const name = new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag)
  return name && name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

type Account = SiteCustomization['socialAccounts'][number]

const socialUrls: Record<Account['platform'], (handle: string) => string> = {
  twitter: (handle) => `https://x.com/${handle}`,
  instagram: (handle) => `https://www.instagram.com/${handle}`,
  facebook: (handle) => `https://www.facebook.com/${handle}`,
  linkedin: (handle) => `https://www.linkedin.com/${handle.includes('/') ? handle : `company/${handle}`}`,
  github: (handle) => `https://github.com/${handle}`,
  discord: (handle) => `https://discord.gg/${handle}`,
  slack: (handle) => `https://${handle}.slack.com`,
  youtube: (handle) => `https://www.youtube.com/${handle.startsWith('@') ? handle : `@${handle}`}`,
  tiktok: (handle) => `https://www.tiktok.com/@${handle}`,
  reddit: (handle) => `https://www.reddit.com/${handle.includes('/') ? handle : `r/${handle}`}`,
  bluesky: (handle) => `https://bsky.app/profile/${handle}`,
  mastodon: (handle) => {
    const [name = '', server = 'mastodon.social'] = handle.replace(/^@/, '').split('@')
    return `https://${server}/@${name}`
  },
  threads: (handle) => `https://www.threads.net/@${handle}`,
  medium: (handle) => `https://medium.com/@${handle}`,
}

/** Returns the link to a social account, given by its handle or its URL. */
function socialLink({ platform, handle }: Account, icon: (name: string) => Html): Link {
  const givenUrl = /^https?:\/\//.test(handle) && URL.canParse(handle) ? handle : undefined
  const name = handle.replace(/^@(?=[^@]*$)/, '')
  const href = givenUrl ?? socialUrls[platform](name.split('/').map(encodeURIComponent).join('/').replace('%40', '@'))
  const title = platform === 'twitter' ? 'X' : platform.charAt(0).toUpperCase() + platform.slice(1)
  return { title, href, icon: icon(platform), isExternal: true }
}

/** Returns the emoji or icon of a page or a link; undefined if it has none or the icon is unknown. */
export function renderEmojiOrIcon(
  { emoji, icon }: { emoji?: string | undefined; icon?: string | undefined },
  renderNamedIcon: (name: string) => Html,
): Html | undefined {
  const character = emojiOf(emoji)
  if (character !== undefined) return markup`<span class="emoji" aria-hidden="true">${character}</span>`
  return icon === undefined ? undefined : unlessEmpty(renderNamedIcon(icon))
}
