/** What the interface says, in one language. */
export interface Texts {
  copy: string
  copied: string
  showMore: string
  showLess: string
  download: string
  openEmbed: string
  brokenLink: string
  linkToSection: string
  taskDone: string
  taskOpen: string
  searchTable: string
  useInAssistant: string
  notShown: string
  hints: Record<'info' | 'success' | 'warning' | 'danger', string>
}

export const english: Texts = {
  copy: 'Copy',
  copied: 'Copied',
  showMore: 'Show more',
  showLess: 'Show less',
  download: 'Download',
  openEmbed: 'Load content of',
  brokenLink: 'This page does not exist',
  linkToSection: 'Link to this section',
  taskDone: 'Done',
  taskOpen: 'Not done',
  searchTable: 'Search this table',
  useInAssistant: 'Open in an assistant',
  notShown: 'This cannot be shown here',
  hints: { info: 'Note', success: 'Tip', warning: 'Caution', danger: 'Warning' },
}
