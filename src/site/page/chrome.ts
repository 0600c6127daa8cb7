import { hash } from 'node:crypto'
import type { StoredItem } from '../../access/sites.ts'
import type { ContentRef } from '../../content/document/nodes.ts'
import type { SiteCustomization } from '../../contract/customization.ts'
import { settingsFor } from '../../publishing/customization.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import { type Html, markup } from '../../render/html.ts'
import type { Choice, HeaderLink, Link, SectionEntry, SiteShell } from '../../render/shell/parts.ts'
import { hasTexts, languageTag, textsIn } from '../../render/texts/locales.ts'
import { iconOf } from '../look/icons.ts'
import type { Theme } from '../look/look.ts'
import { References, emojiOf } from '../references.ts'
import { type Settings, localeOf } from '../settings.ts'
import type { SiteView, SpaceView } from '../view.ts'

type ContentLink = {
  title: string
  localizedTitle?: Partial<Record<string, string>> | undefined
  to: ContentRef | null
}

/** Loads the parts of the layout that all pages of a space share, for a visitor. */
export async function readShell(
  space: SpaceView,
  settings: Settings,
  look: Theme,
): Promise<Omit<SiteShell, 'variants' | 'languages'>> {
  const { site } = space
  const { session } = site
  const all = settingsFor(session.viewpoint, settings.all)
  const references = await References.of(space, refsIn(all))
  const locale = localeOf(space.item, settings)
  // If the interface is not translated to the language of the space, it uses the language of the site.
  const texts = hasTexts(locale) ? textsIn(locale) : textsIn(all.internationalization.locale)
  const icon = (name: string): Html => iconOf(name, all.styling.icons)
  const inLanguage = (title: string, localized: Partial<Record<string, string>> | undefined): string =>
    localized?.[locale] ?? title
  const linkOf = ({ title, localizedTitle, to }: ContentLink): Link[] => {
    const target = to && references.linkTo(to)
    if (!target || target.href === undefined) return []
    return [{ title: inLanguage(title, localizedTitle), href: target.href, isExternal: target.isExternal }]
  }
  const header = all.header.links.flatMap((link): HeaderLink[] => {
    const links = link.links.flatMap(linkOf)
    const [own] = linkOf(link)
    // Links without a target for this visitor are omitted.
    if (!own && links.length === 0) return []
    const title = inLanguage(link.title, link.localizedTitle)
    return [{ title, href: own?.href, isExternal: own?.isExternal, style: link.style ?? 'link', links }]
  })
  const social = (place: 'header' | 'footer'): Link[] =>
    all.socialAccounts.filter(({ display }) => display[place]).map((account) => socialLink(account, icon))
  const { announcement, footer } = all
  const homeHref = homeOf(all, references) ?? site.href(session.siteBase)
  return {
    texts,
    language: languageTag(locale),
    direction: /^(ar|he)\b/.test(locale) ? 'rtl' : 'ltr',
    title: inLanguage(all.title ?? session.site.title, all.localizedTitle),
    logo: all.header.logo,
    homeHref,
    base: site.href(session.siteBase),
    styles: look.styles,
    script: look.script,
    look: look.names,
    theme: all.themes.default,
    canToggleTheme: all.themes.toggeable,
    favicons: look.favicons,
    header: {
      isHidden: all.header.preset === 'none',
      links: header,
      social: social('header'),
      hasProminentSearch: all.styling.search === 'prominent',
    },
    announcement:
      announcement?.enabled && announcement.message !== ''
        ? {
            message: inLanguage(announcement.message, announcement.localizedMessage),
            style: announcement.style,
            link: announcement.link && linkOf(announcement.link)[0],
            id: hash('sha256', JSON.stringify(announcement), 'base64url').slice(0, 8),
          }
        : undefined,
    sections: sectionsOf(space, locale, icon),
    searchScript: look.searchScript,
    searchStyles: look.searchStyles,
    searchHref: site.href(site.searchAddress),
    searchScope: searchScopeOf(space, locale),
    footer: {
      logo: footer.logo,
      groups: footer.groups.map(({ title, localizedTitle, links }) => ({
        title: inLanguage(title, localizedTitle),
        links: links.flatMap(linkOf),
      })),
      copyright: footer.copyright,
      social: social('footer'),
      privacyHref: all.privacyPolicy.url,
      hasTrademark: all.trademark.enabled,
    },
    icon,
  }
}

function refsIn({ header, footer, announcement }: SiteCustomization): ContentRef[] {
  const refs = [
    header.primaryLink,
    announcement?.link?.to,
    ...header.links.flatMap(({ to, links }) => [to, ...links.map((link) => link.to)]),
    ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
  ]
  return refs.filter((ref) => ref !== null && ref !== undefined)
}

function homeOf({ header }: SiteCustomization, references: References): string | undefined {
  return header.primaryLink && references.linkTo(header.primaryLink)?.href
}

/** Returns the listed sections with their groups; empty if there is only one. */
function sectionsOf(space: SpaceView, locale: string, icon: (name: string) => Html): SectionEntry[] {
  const { structure, viewpoint, siteBase } = space.site.session
  const chain = new Set(structure.chainOf(space.item).map(({ id }) => id))
  const entriesIn = (parentId: string | null): SectionEntry[] =>
    structure.childrenOf(parentId).flatMap((item): SectionEntry[] => {
      if (item.kind === 'space' || !viewpoint.see(structure.chainOf(item)).isListed) return []
      const common = { title: titleIn(item, locale), icon: iconOfItem(item, icon), isCurrent: chain.has(item.id) }
      if (item.kind === 'link') {
        return item.row.url === null ? [] : [{ ...common, href: item.row.url, isExternal: true, children: [] }]
      }
      if (item.kind === 'section') {
        // A section is omitted if the visitor can see none of its spaces.
        const isEmpty = !structure.childrenOf(item.id).some((inside) => structure.isVisible(inside, viewpoint))
        if (isEmpty) return []
        return [{ ...common, href: space.site.href(siteBase + pathOnSite(structure, item)), children: [] }]
      }
      const children = entriesIn(item.id)
      return children.length === 0 ? [] : [{ ...common, href: children[0]?.href ?? '', children }]
    })
  const entries = entriesIn(null)
  return entries.length > 1 || (entries[0]?.children.length ?? 0) > 0 ? entries : []
}

const iconOfItem = ({ row }: StoredItem, icon: (name: string) => Html): Html | undefined =>
  row.icon === null ? undefined : known(icon(row.icon))

/** Returns an icon; undefined if it is unknown. */
const known = (icon: Html): Html | undefined => (icon.text === '' ? undefined : icon)

function titleIn({ title, row }: StoredItem, locale: string): string {
  if (row.localized_title === null) return title
  const localized = JSON.parse(row.localized_title) as Partial<Record<string, string>>
  return localized[locale] ?? title
}

/** Returns the titles that distinguish a site space from others on its site: its section and its variant. */
export function placeOf(site: SiteView, item: StoredItem, locale: string): string[] {
  const { structure, viewpoint } = site.session
  return structure.chainOf(item).flatMap((step) => {
    if (step.kind === 'group') return []
    const beside = step.kind === 'section' ? structure.sections : structure.childrenOf(step.parentId)
    const others = beside.filter((one) => one.kind === step.kind && one !== step)
    return others.some((one) => viewpoint.see(structure.chainOf(one)).isListed) ? [titleIn(step, locale)] : []
  })
}

function searchScopeOf({ site, item }: SpaceView, locale: string): SiteShell['searchScope'] {
  const place = placeOf(site, item, locale)
  return place.length === 0 ? undefined : { id: item.id, title: place.join(' / ') }
}

/**
 * Maximum number of variants in which the current page is looked up; with more, all of them link to first pages, which is faster.
 */
const maxLookedIn = 20

const languageOf = (item: StoredItem): string => item.language ?? ''

/** Returns the sibling spaces to choose from: other versions, and other languages. */
export async function readChoices(
  space: SpaceView,
  path: readonly string[],
  locale: string,
): Promise<{ variants: Choice[]; languages: Choice[] }> {
  const { site, item } = space
  const { structure, viewpoint } = site.session
  const beside = structure
    .childrenOf(item.parentId)
    .filter((one) => one.kind === 'space' && (one === item || viewpoint.see(structure.chainOf(one)).isListed))
  if (beside.length < 2) return { variants: [], languages: [] }
  const variants = beside.filter((one) => languageOf(one) === languageOf(item))
  const languages = [...new Map(beside.toReversed().map((one) => [languageOf(one), one])).values()].toReversed()
  const inEach = languages.map((one) => (languageOf(one) === languageOf(item) ? item : one))
  const chosen = new Set([...variants, ...inEach])
  const choiceOf = async (one: StoredItem): Promise<Choice> => {
    const isCurrent = one === item
    const other = isCurrent ? space : chosen.size <= maxLookedIn ? await site.open(one) : undefined
    const same = path.length > 0 && other ? await other.findPage(path) : undefined
    const address = same?.address ?? site.addressOf(one)
    const language = one.language === null ? undefined : languageTag(one.language)
    return { title: titleIn(one, locale), href: site.href(address), isCurrent, language }
  }
  const choices = new Map<StoredItem, Choice>()
  for (const one of chosen) choices.set(one, await choiceOf(one))
  const named = inEach.map((one) => ({
    ...(choices.get(one) as Choice),
    title: nameOfLanguage(one.language) ?? one.title,
  }))
  return {
    variants: variants.length > 1 ? variants.map((one) => choices.get(one) as Choice) : [],
    languages: named.length > 1 ? named : [],
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

const socialAddresses: Record<Account['platform'], (handle: string) => string> = {
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
  const written = /^https?:\/\//.test(handle) && URL.canParse(handle) ? handle : undefined
  const name = handle.replace(/^@(?=[^@]*$)/, '')
  const href =
    written ?? socialAddresses[platform](name.split('/').map(encodeURIComponent).join('/').replace('%40', '@'))
  const title = platform === 'twitter' ? 'X' : platform.charAt(0).toUpperCase() + platform.slice(1)
  return { title, href, icon: icon(platform), isExternal: true }
}

/** Returns the emoji or icon of a page or a link; undefined if it has none or the icon is unknown. */
export function markOf(
  { emoji, icon }: { emoji?: string | undefined; icon?: string | undefined },
  shown: (name: string) => Html,
): Html | undefined {
  const character = emojiOf(emoji)
  if (character !== undefined) return markup`<span class="emoji" aria-hidden="true">${character}</span>`
  return icon === undefined ? undefined : known(shown(icon))
}
