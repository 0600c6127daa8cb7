import type { PageContext } from './context.ts'

/** Returns the path of a page on the host of the server. */
export function toHref({ urls }: Pick<PageContext, 'urls'>, path: string): string {
  const { pathname, search } = new URL(urls.plain(path))
  return pathname.replace(/^\/+/, '/') + search
}
