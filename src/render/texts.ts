import { type Html, markup } from './html.ts'
import type { OpenApiTexts } from './openapi/texts.ts'

/** The texts of the interface in one language. `{0}` is replaced by a value. */
export interface Texts {
  // Around the page
  skipToContent: string
  menu: string
  closeMenu: string
  pages: string
  sections: string
  breadcrumbs: string
  onThisPage: string
  previous: string
  next: string
  previousAndNext: string
  lastUpdated: string
  editThisPage: string
  /** Label of a gap in a long list of the navigation. */
  morePages: string
  pagesIn: string
  expand: string
  external: string
  footer: string
  privacyPolicy: string
  poweredBy: string
  dismiss: string
  socialAccounts: string
  variants: string
  languages: string
  // Theme
  theme: string
  themeLight: string
  themeDark: string
  themeSystem: string
  // Actions
  pageActions: string
  copyPage: string
  copyPageHint: string
  viewAsMarkdown: string
  viewAsMarkdownHint: string
  openIn: string
  openInHint: string
  connectMcp: string
  connectMcpHint: string
  exportPdf: string
  exportPdfHint: string
  // Prompts for assistants; {0} is the URL of the page.
  assistantPrompt: string
  // Search
  search: string
  searchPlaceholder: string
  searchIn: string
  searchEverywhere: string
  searchHint: string
  noResults: string
  noResultsHint: string
  resultsFor: string
  resultsCount: string
  allResults: string
  searchFailed: string
  navigate: string
  open: string
  close: string
  // Feedback
  wasThisHelpful: string
  yes: string
  notSure: string
  no: string
  thanksForFeedback: string
  commentPlaceholder: string
  send: string
  // Missing pages
  pageNotFound: string
  pageNotFoundHint: string
  perhapsYouMeant: string
  goHome: string
  signInFirst: string
  signInFirstHint: string
  // Previews
  preview: string
  previewOfChange: string
  previewOfRevision: string
  leavePreview: string
  changedHere: string
  addedHere: string
  removedHere: string
  noChanges: string
  // In documents
  copy: string
  copied: string
  copyFailed: string
  showMore: string
  showLess: string
  download: string
  openEmbed: string
  brokenLink: string
  linkToSection: string
  /** {0} is the heading. */
  linkToHeading: string
  taskDone: string
  taskOpen: string
  searchTable: string
  noRows: string
  notShown: string
  zoom: string
  diagram: string
  zoomDiagram: string
  code: string
  table: string
  formula: string
  note: string
  subscribe: string
  filterByTag: string
  allTags: string
  hints: Record<'info' | 'success' | 'warning' | 'danger', string>
  /** API references. */
  openApi: OpenApiTexts
}

/** Replaces `{0}` in a text. */
export function fillPlaceholders(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (place, index: string) => String(values[Number(index)] ?? place))
}

/** Replaces `{0}` in a text with markup. */
export function fillPlaceholderHtml(text: string, value: Html): Html {
  const [before = '', after = ''] = fillPlaceholders(text, '\0').split('\0')
  return markup`${before}${value}${after}`
}
