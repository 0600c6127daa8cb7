import type { PlannedPage } from './plan.ts'

/** Maximum length of a link title, as in the API. */
export const maxLinkTitleLength = 100

export interface PageTitles {
  title: string
  linkTitle?: string
}

/**
 * Returns the titles of a page: the heading of its file is the title. A different text in the table of contents is the link title,
 * unless the entry contains a separate link title.
 */
export function resolvePageTitles(
  { title, linkTitle, isListed }: Pick<PlannedPage, 'title' | 'linkTitle' | 'isListed'>,
  heading: string | undefined,
): PageTitles {
  const isDifferent =
    isListed === true && heading !== undefined && collapseWhitespace(heading) !== collapseWhitespace(title)
  const link = linkTitle ?? (isDifferent ? title : undefined)
  return { title: heading ?? title, ...(link !== undefined && { linkTitle: shortenLinkTitle(link) }) }
}

/** Truncates a text to the maximum length of a link title; the complete text is kept in the file. */
export function shortenLinkTitle(text: string): string {
  if (text.length <= maxLinkTitleLength) return text
  const end = maxLinkTitleLength - 1
  // A surrogate pair must not be split.
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
  return `${text.slice(0, isSplit ? end - 1 : end).trimEnd()}…`
}

const collapseWhitespace = (text: string) => text.replace(/\s+/g, ' ').trim()
