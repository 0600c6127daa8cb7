/** Types that can be resized; others are vector graphics or may be animated. */
export const resizableTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])

/** Returns the URL of a resized image. */
export function toResizedUrl(url: string, width: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}width=${width}`
}

/** Returns a function for the URLs of resized images; undefined if the type cannot be resized. */
export function createResizedUrls(url: string, contentType: string): ((width: number) => string) | undefined {
  return resizableTypes.has(contentType) ? (width) => toResizedUrl(url, width) : undefined
}
