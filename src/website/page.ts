/** What was read from one page of a website. */
export interface WebPage {
  /** Where it was found after redirects, without a fragment. */
  url: string
  title: string
  description?: string
  /** Its main content in our Markdown, without the title; links and images have absolute addresses. */
  markdown: string
  /** The address that the page itself says it has. */
  canonical?: string
  /** Where all links of the page lead, those around the main content too: absolute, without fragments, in order, once each. */
  links: readonly string[]
  /** The navigation of the whole site as this page shows it; empty when none was recognised. */
  navigation: readonly WebNavigationItem[]
  /** What makes the site, when it was recognised. */
  generator?: WebGenerator
  /** Whether it only says which pages there are, for a word that they carry. */
  isListing?: true
}

export type WebGenerator = 'docusaurus' | 'vitepress' | 'mkdocs' | 'starlight' | 'gitbook'

export interface WebNavigationItem {
  title: string
  /** Absolute, without a fragment; a heading has none. */
  url?: string
  children: readonly WebNavigationItem[]
}
