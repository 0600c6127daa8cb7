import type { WebNavigationItem } from './page.ts'

/** Parses the URL of a page without fragment, query and credentials; undefined if it is not an HTTP URL. */
export function parsePageUrl(address: string, base?: string): URL | undefined {
  if (address.length > maxLength || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  url.hash = ''
  url.search = ''
  url.username = ''
  url.password = ''
  return url
}

const maxLength = 2000

/** Returns the same key for all spellings of the URL of a page. */
export function urlKeyOf(url: URL): string {
  const path = normalizePercentEncoding(url.pathname)
    .replace(/\/index\.(?:x?html?|php)$/i, '/')
    .replace(/\/+$/, '')
  return `${url.origin}${path}`
}

/** Returns the key of a URL given as a string; other strings are returned unchanged. */
export function urlKeyFromString(address: string): string {
  const url = parsePageUrl(address)
  return url ? urlKeyOf(url) : address
}

/** Normalizes the percent-encoding of a path. */
export function normalizePercentEncoding(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

/** File extensions of URLs that are not pages and need not be requested. */
const nonPageExtension =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp[34]|webm|mov|wav|ogg|pdf|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|deb|rpm|msi|jar|css|m?js|map|json|jsonl|xml|ya?ml|toml|csv|txt|md|woff2?|ttf|otf|eot|docx?|xlsx?|pptx?|rss|atom|wasm|ipynb)$/i

const documentExtension = /\.(?:x?html?|php|aspx?|jsp)$/i

/** Part of a host that is imported. */
export class CrawlScope {
  /** URL of the folder, with a trailing slash. */
  readonly base: string
  readonly #folder: string

  constructor(origin: string, folder: string) {
    this.base = origin + folder
    this.#folder = urlKeyFromString(this.base)
  }

  /** Whether a URL may be a page of the import. */
  includes(url: URL): boolean {
    const key = urlKeyOf(url)
    return (key === this.#folder || key.startsWith(`${this.#folder}/`)) && !nonPageExtension.test(url.pathname)
  }

  /** Returns the path below the folder without a document extension; empty for the folder itself. */
  relativePathOf(url: URL): string {
    return urlKeyOf(url)
      .slice(this.#folder.length + 1)
      .replace(documentExtension, '')
  }
}

/** Minimum number of links for a decision about the folder. */
const minLinks = 2

/**
 * Returns the scope of an import that starts at a page: the folder that the page is or is in. If the page is not a folder, the
 * scope may be a parent folder that most of the navigation links to.
 */
export function detectScope(
  start: URL,
  links: readonly string[],
  navigation: readonly WebNavigationItem[],
): CrawlScope {
  const path = start.pathname
  const isDocument = documentExtension.test(path)
  const startFolder = isDocument ? folderOf(path) : path.replace(/(?<!\/)\/*$/, '/')
  const hasPagesBelow = pagePathsOn(start.origin, links).some(
    (one) => one.startsWith(startFolder) && one !== startFolder,
  )
  const isFolder = path.endsWith('/') || /\/index\.\w+$/i.test(path)
  if (startFolder === '/' || (isFolder && hasPagesBelow)) return new CrawlScope(start.origin, startFolder)
  const isTop = startFolder.indexOf('/', 1) === startFolder.length - 1
  const folder = isDocument || isTop || hasPagesBelow ? startFolder : folderOf(startFolder.slice(0, -1))
  const navigationPaths = pagePathsOn(start.origin, navigationUrls(navigation))
  const shareBelow = (ancestor: string) =>
    navigationPaths.filter((one) => one.startsWith(ancestor)).length / navigationPaths.length
  if (navigationPaths.length < minLinks || shareBelow(folder) >= 1 / 2) return new CrawlScope(start.origin, folder)
  for (let ancestor = folder; ancestor !== '/';) {
    ancestor = folderOf(ancestor.slice(0, -1))
    if (shareBelow(ancestor) >= 2 / 3) return new CrawlScope(start.origin, ancestor)
  }
  return new CrawlScope(start.origin, folder)
}

/** Returns the path up to the last slash. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

const maxPaths = 5000

function pagePathsOn(origin: string, addresses: Iterable<string>): string[] {
  const paths: string[] = []
  for (const address of addresses) {
    const url = parsePageUrl(address)
    if (url?.origin === origin && !nonPageExtension.test(url.pathname)) paths.push(url.pathname)
    if (paths.length === maxPaths) break
  }
  return paths
}

/** Yields the URLs of a navigation in order. */
export function* navigationUrls(navigation: readonly WebNavigationItem[]): Iterable<string> {
  const stack = navigation.toReversed()
  for (let item = stack.pop(); item; item = stack.pop()) {
    if (item.url !== undefined) yield item.url
    for (const child of item.children.toReversed()) stack.push(child)
  }
}
