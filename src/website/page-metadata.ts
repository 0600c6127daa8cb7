import { type WebElement, descendants, findElement, hasTagName, collapseWhitespace, nodeText } from './html-tree.ts'

export interface HtmlMetadata {
  /** Content of the `generator` meta tag. */
  generator: string
  title: string | undefined
  siteName: string | undefined
  description: string | undefined
  canonical: string | undefined
  base: string | undefined
}

export function readHtmlMetadata(page: WebElement): HtmlMetadata {
  const values = new Map<string, string>()
  let canonical: string | undefined
  let base: string | undefined
  for (const { name, attributes } of descendants(page)) {
    const { name: key, property, content, rel, href } = attributes
    const meta = name === 'meta' ? (property ?? key)?.toLowerCase() : undefined
    if (meta !== undefined && content !== undefined && !values.has(meta)) values.set(meta, collapseWhitespace(content))
    if (name === 'link' && rel === 'canonical') canonical ??= href
    if (name === 'base') base ??= href
  }
  const title = findElement(page, hasTagName('title'))
  return {
    generator: values.get('generator') ?? '',
    title: values.get('og:title') || (title && nodeText(title)),
    siteName: values.get('og:site_name') || values.get('application-name'),
    description: values.get('description') || values.get('og:description'),
    canonical,
    base,
  }
}

const separator = /\s+[|–—·•»:-]+\s+/g

/** Returns the document title without the name of the site. */
export function titleWithoutSite({ title = '', siteName }: HtmlMetadata): string {
  const [last] = Array.from(title.matchAll(separator)).slice(-1)
  if (!last) return title
  const after = title.slice(last.index + last[0].length)
  const before = title.slice(0, last.index)
  if (siteName === undefined) return before || title
  return after.toLowerCase() === siteName.toLowerCase() || siteName.toLowerCase().startsWith(after.toLowerCase())
    ? before || title
    : title
}

const normalizeText = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Returns the description, unless it only repeats the first words of the text. */
export function distinctDescription(description: string | undefined, text: string): string | undefined {
  if (description === undefined || description === '') return undefined
  const normalized = normalizeText(description)
  return normalized === '' || normalizeText(text.slice(0, description.length * 3 + 500)).startsWith(normalized)
    ? undefined
    : description
}
