/** Content of one page of a website. */
export interface WebPage {
  /** URL after redirects, without a fragment. */
  url: string
  title: string
  description?: string
  /** Main content in our Markdown, without the title; links and images have absolute URLs. */
  markdown: string
  /** Canonical URL that the page declares. */
  canonical?: string
  /** Absolute URLs of all links, also around the main content: without fragments, in order, without duplicates. */
  links: readonly string[]
  /** Navigation of the whole site as shown on this page; empty if none was recognized. */
  navigation: readonly WebNavigationItem[]
  /** Generator of the site, if recognized. */
  generator?: WebGenerator
  /** Whether it only lists pages, such as a tag page. */
  isListing?: true
}

export type WebGenerator = 'docusaurus' | 'vitepress' | 'mkdocs' | 'starlight' | 'gitbook'

export interface WebNavigationItem {
  title: string
  /** Absolute URL without a fragment; headings have none. */
  url?: string
  children: readonly WebNavigationItem[]
}
