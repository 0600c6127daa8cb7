import type { OutlineEntry } from '../../content/document/outline.ts'
import type { Html } from '../html.ts'
import type { Texts } from '../texts.ts'
import type { UsableStyles } from '../used-styles.ts'

// What pages consist of, as data. Everything in it was looked up and is for the visitor; rendering adds nothing.

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
  /** Of previews: whether it is not there in what is live. */
  isNew?: boolean
  /** Where the pages in it are found when they are not sent along. */
  branchHref: string | undefined
  children: readonly SidebarEntry[]
}

/** The pages of a list that are not shown, as there are too many. */
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

export interface Choice extends Link {
  isCurrent: boolean
  /** Of a choice of languages. */
  language?: string | undefined
}

export interface Announcement {
  message: string
  style: 'info' | 'warning' | 'danger' | 'success'
  link: Link | undefined
  /** Another one when it says something else, so that it is shown again to those who have put it away. */
  id: string
}

export interface Picture {
  light: string
  dark: string
}

/** What is the same on all pages of a space on a site. */
export interface SiteShell {
  texts: Texts
  /** What the content is written in, as `<html lang>` has it, and from which side. */
  language: string
  direction: 'ltr' | 'rtl'
  title: string
  logo: Picture | undefined
  homeHref: string
  /** Where the site begins, and what below it is the server's. */
  base: string
  styles: UsableStyles
  script: string
  /** The names that styles go by. */
  look: string
  theme: 'light' | 'dark' | 'system'
  canToggleTheme: boolean
  favicons: Html
  header: { isHidden: boolean; links: readonly HeaderLink[]; social: readonly Link[]; hasProminentSearch: boolean }
  announcement: Announcement | undefined
  sections: readonly SectionEntry[]
  variants: readonly Choice[]
  languages: readonly Choice[]
  /** Empty where there is nothing to search in. */
  searchHref: string
  searchScript: string
  searchStyles: string
  /** Where the reader is, on sites where one can look there alone. */
  searchScope: { id: string; title: string } | undefined
  footer: {
    logo: Picture | undefined
    groups: readonly { title: string; links: readonly Link[] }[]
    copyright: string | undefined
    social: readonly Link[]
    privacyHref: string | undefined
    hasTrademark: boolean
  }
  icon: (name: string) => Html
}

/** What is told about a page to those who do not look at it. */
export interface PageHead {
  title: string
  description: string | undefined
  canonicalUrl: string
  isIndexed: boolean
  /** More elements of the head: alternates, previews, structured data. */
  more: Html
}

export interface PageAction {
  kind: 'copy' | 'markdown' | 'assistant' | 'mcp'
  title: string
  hint: string | undefined
  href: string
  icon: Html
}

/** Parts that a page may be without. */
export type PageLayout = Record<
  'title' | 'description' | 'tableOfContents' | 'outline' | 'pagination' | 'metadata' | 'actions' | 'cover' | 'tags',
  boolean
> & { isWide: boolean }

export interface PageCover {
  light: string
  dark: string | undefined
  size: 'hero' | 'full' | 'background'
  /** Whether it fades towards its edges. */
  isFading: boolean
  /** What is written on it, in light and in dark; the colour of the page, on a wash of its ground, unless said. */
  text: Record<'light' | 'dark', 'black' | 'white'> | undefined
  y: number
  height: number | undefined
}

/** What is shown instead of what is live. */
export interface PreviewBanner {
  message: string
  leaveHref: string
  /** What was changed on the page. */
  summary: string | undefined
}

/** Where a page stands, for what scripts tell of those who read it. */
export interface PagePlace {
  siteSection: string | undefined
  siteSpace: string
  space: string
  revision: string
  /** Whether readers may be known again. */
  remembers: boolean
}

export interface PageShell {
  head: PageHead
  id: string
  place?: PagePlace
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
  /** When it was changed last, as text for people and for machines. */
  updated: { text: string; at: string } | undefined
  edit: Link | undefined
  actions: readonly PageAction[]
  hasFeedback: boolean
  preview: PreviewBanner | undefined
  /** Styles and scripts that only some pages need. */
  needs: { styles: readonly string[]; scripts: readonly string[] }
}
