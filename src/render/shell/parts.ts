import type { OutlineEntry } from '../../content/document/outline.ts'
import type { Html } from '../html.ts'
import type { Texts } from '../texts.ts'
import type { StyleFilter } from '../used-styles.ts'

// The data that pages are rendered from. It contains only what the visitor may see.

export interface Link {
  title: string
  href: string
  isExternal?: boolean | undefined
  icon?: Html | undefined
}

/** A page in the navigation. */
export interface SidebarItem {
  kind: 'page' | 'group' | 'link'
  title: string
  href: string | undefined
  icon: Html | undefined
  isCurrent: boolean
  /** Whether the page is new in a preview. */
  isNew?: boolean
  /** URL of the child pages when they are not part of this page. */
  branchHref: string | undefined
  children: readonly SidebarEntry[]
}

/** A gap in a list of pages that is too long to be shown. */
export interface SidebarGap {
  kind: 'gap'
  href: string
}

export type SidebarEntry = SidebarItem | SidebarGap

/** A section, or a group of sections and links. */
export interface SectionEntry extends Link {
  isCurrent: boolean
  children: readonly SectionEntry[]
}

export interface HeaderLink extends Omit<Link, 'href'> {
  href: string | undefined
  style: 'link' | 'button-primary' | 'button-secondary'
  links: readonly Link[]
}

export interface MenuChoice extends Link {
  isCurrent: boolean
  /** Language of the entry, in a menu of languages. */
  language?: string | undefined
}

export interface Announcement {
  message: string
  style: 'info' | 'warning' | 'danger' | 'success'
  link: Link | undefined
  /** Changes with the text, so that a dismissed announcement is shown again. */
  id: string
}

export interface ThemedImage {
  light: string
  dark: string
}

/** The parts that all pages of a site space share. */
export interface SiteShell {
  texts: Texts
  /** Language of the content for `<html lang>`, and its direction. */
  language: string
  direction: 'ltr' | 'rtl'
  title: string
  logo: ThemedImage | undefined
  homeHref: string
  /** Base URL of the site, and of the server's own paths below it. */
  base: string
  styles: StyleFilter
  script: string
  /** Class names that select the theme. */
  themeClasses: string
  theme: 'light' | 'dark' | 'system'
  canToggleTheme: boolean
  favicons: Html
  header: { isHidden: boolean; links: readonly HeaderLink[]; social: readonly Link[]; hasProminentSearch: boolean }
  announcement: Announcement | undefined
  sections: readonly SectionEntry[]
  variants: readonly MenuChoice[]
  languages: readonly MenuChoice[]
  /** Empty if the site cannot be searched. */
  searchHref: string
  searchScript: string
  searchStyles: string
  /** The current part of the site, if search can be limited to it. */
  searchScope: { id: string; title: string } | undefined
  footer: {
    logo: ThemedImage | undefined
    groups: readonly { title: string; links: readonly Link[] }[]
    copyright: string | undefined
    social: readonly Link[]
    privacyHref: string | undefined
    hasTrademark: boolean
  }
  icon: (name: string) => Html
}

/** Metadata in the head of a page. */
export interface PageHead {
  title: string
  description: string | undefined
  canonicalUrl: string
  isIndexed: boolean
  /** Further elements of the head: alternates, previews, structured data. */
  extraElements: Html
}

export interface PageAction {
  kind: 'copy' | 'markdown' | 'assistant' | 'mcp' | 'pdf'
  title: string
  hint: string | undefined
  href: string
  icon: Html
}

/** Optional parts of a page. */
export type PageLayout = Record<
  'title' | 'description' | 'tableOfContents' | 'outline' | 'pagination' | 'metadata' | 'actions' | 'cover' | 'tags',
  boolean
> & { isWide: boolean }

export interface PageCover {
  light: string
  dark: string | undefined
  size: 'hero' | 'full' | 'background'
  /** Whether the cover fades towards its edges. */
  isFading: boolean
  /** Text colors on the cover in light and dark mode; by default those of the page, on a translucent background. */
  text: Record<'light' | 'dark', 'black' | 'white'> | undefined
  y: number
  height: number | undefined
}

/** Content of a preview that differs from the published content. */
export interface PreviewBanner {
  message: string
  leaveHref: string
  /** Changes of the page in a preview. */
  summary: string | undefined
}

/** Ids that scripts send with events about the page. */
export interface PageTracking {
  siteSection: string | undefined
  siteSpace: string
  space: string
  revision: string
  /** Whether scripts may store an id of the reader. */
  canStoreVisitorId: boolean
}

export interface PageShell {
  head: PageHead
  id: string
  tracking?: PageTracking
  title: string
  /** The id of the heading with the title. */
  titleId?: string | undefined
  icon: Html | undefined
  description: string | undefined
  cover: PageCover | undefined
  layout: PageLayout
  crumbs: readonly (Omit<Link, 'href'> & { href: string | undefined })[]
  sidebar: readonly SidebarEntry[]
  outline: readonly OutlineEntry[]
  content: Html
  tags: readonly Html[]
  previous: Link | undefined
  next: Link | undefined
  /** Time of the last change, formatted and in ISO 8601. */
  updated: { text: string; at: string } | undefined
  edit: Link | undefined
  actions: readonly PageAction[]
  hasFeedback: boolean
  preview: PreviewBanner | undefined
  /** Additional styles and scripts of the page. */
  needs: { styles: readonly string[]; scripts: readonly string[] }
}
