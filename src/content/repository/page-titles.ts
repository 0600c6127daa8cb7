import type { PlannedPage } from './plan.ts'

/** The longest link title that the API accepts. */
export const maxLinkTitle = 100

export interface PageTitles {
  title: string
  linkTitle?: string
}

/**
 * The titles of a page: the heading of its file is the title, and a text of the table of contents that differs from it is
 * the link title, unless the link has one of its own.
 */
export function titlesOf(
  { title, linkTitle, isListed }: Pick<PlannedPage, 'title' | 'linkTitle' | 'isListed'>,
  heading: string | undefined,
): PageTitles {
  const isOther = isListed === true && heading !== undefined && inOneLine(heading) !== inOneLine(title)
  const link = linkTitle ?? (isOther ? title : undefined)
  return { title: heading ?? title, ...(link !== undefined && { linkTitle: shortened(link) }) }
}

/** A text as a link title: one that is too long is cut, and only the file keeps all of it. */
export function shortened(text: string): string {
  if (text.length <= maxLinkTitle) return text
  const end = maxLinkTitle - 1
  // A character outside the basic plane is two units, which must stay together.
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
  return `${text.slice(0, isSplit ? end - 1 : end).trimEnd()}…`
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
