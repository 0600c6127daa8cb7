import type { WebNavigationItem } from './page.ts'

/** Parses the URL of a page without fragment, query and credentials; undefined if it is not an HTTP URL. */
export function parseAddress(address: string, base?: string): URL | undefined {
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
export function keyOf(url: URL): string {
  const path = inOneEncoding(url.pathname)
    .replace(/\/index\.(?:x?html?|php)$/i, '/')
    .replace(/\/+$/, '')
  return `${url.origin}${path}`
}

/** Returns the key of a URL given as a string; other strings are returned unchanged. */
export function keyOfAddress(address: string): string {
  const url = parseAddress(address)
  return url ? keyOf(url) : address
}

/** Normalizes the percent-encoding of a path. */
export function inOneEncoding(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

/** File extensions of URLs that are not pages and need not be requested. */
const otherEnding =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp[34]|webm|mov|wav|ogg|pdf|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|deb|rpm|msi|jar|css|m?js|map|json|jsonl|xml|ya?ml|toml|csv|txt|md|woff2?|ttf|otf|eot|docx?|xlsx?|pptx?|rss|atom|wasm|ipynb)$/i

const documentEnding = /\.(?:x?html?|php|aspx?|jsp)$/i

/** Part of a host that is imported. */
export class Scope {
  /** URL of the folder, with a trailing slash. */
  readonly base: string
  readonly #folder: string

  constructor(origin: string, folder: string) {
    this.base = origin + folder
    this.#folder = keyOfAddress(this.base)
  }

  /** Whether a URL may be a page of the import. */
  holds(url: URL): boolean {
    const key = keyOf(url)
    return (key === this.#folder || key.startsWith(`${this.#folder}/`)) && !otherEnding.test(url.pathname)
  }

  /** Returns the path below the folder without a document extension; empty for the folder itself. */
  pathOf(url: URL): string {
    return keyOf(url)
      .slice(this.#folder.length + 1)
      .replace(documentEnding, '')
  }
}

/** Minimum number of links for a decision about the folder. */
const fewLinks = 2

/**
 * Returns the scope of an import that starts at a page: the folder that the page is or is in. If the page is not a folder, the
 * scope may be a parent folder that most of the navigation links to.
 */
export function scopeOf(start: URL, links: readonly string[], navigation: readonly WebNavigationItem[]): Scope {
  const path = start.pathname
  const isDocument = documentEnding.test(path)
  const own = isDocument ? folderOf(path) : path.replace(/(?<!\/)\/*$/, '/')
  const hasBelow = pathsOn(start.origin, links).some((one) => one.startsWith(own) && one !== own)
  const isFolder = path.endsWith('/') || /\/index\.\w+$/i.test(path)
  if (own === '/' || (isFolder && hasBelow)) return new Scope(start.origin, own)
  const isTop = own.indexOf('/', 1) === own.length - 1
  const folder = isDocument || isTop || hasBelow ? own : folderOf(own.slice(0, -1))
  const listed = pathsOn(start.origin, addressesIn(navigation))
  const share = (around: string) => listed.filter((one) => one.startsWith(around)).length / listed.length
  if (listed.length < fewLinks || share(folder) >= 1 / 2) return new Scope(start.origin, folder)
  for (let around = folder; around !== '/';) {
    around = folderOf(around.slice(0, -1))
    if (share(around) >= 2 / 3) return new Scope(start.origin, around)
  }
  return new Scope(start.origin, folder)
}

/** Returns the path up to the last slash. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

const maxLooked = 5000

function pathsOn(origin: string, addresses: Iterable<string>): string[] {
  const paths: string[] = []
  for (const address of addresses) {
    const url = parseAddress(address)
    if (url?.origin === origin && !otherEnding.test(url.pathname)) paths.push(url.pathname)
    if (paths.length === maxLooked) break
  }
  return paths
}

/** Yields the URLs of a navigation in order. */
export function* addressesIn(navigation: readonly WebNavigationItem[]): Iterable<string> {
  const waiting = navigation.toReversed()
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (item.url !== undefined) yield item.url
    for (const child of item.children.toReversed()) waiting.push(child)
  }
}
