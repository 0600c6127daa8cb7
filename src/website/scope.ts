import type { WebNavigationItem } from './page.ts'

/** Where a page can be read: without fragment and query; undefined for what is no address on the web. */
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

/** One name for all the ways in which the address of a page is written. */
export function keyOf(url: URL): string {
  const path = inOneEncoding(url.pathname)
    .replace(/\/index\.(?:x?html?|php)$/i, '/')
    .replace(/\/+$/, '')
  return `${url.origin}${path}`
}

/** The same of a text; what is no address on the web stands for itself. */
export function keyOfAddress(address: string): string {
  const url = parseAddress(address)
  return url ? keyOf(url) : address
}

/** Characters that may be written as they are or percent-encoded are written in one way. */
export function inOneEncoding(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

/** Endings of addresses that do not lead to pages, so that they need not be asked for. */
const otherEnding =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp[34]|webm|mov|wav|ogg|pdf|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|deb|rpm|msi|jar|css|m?js|map|json|jsonl|xml|ya?ml|toml|csv|txt|md|woff2?|ttf|otf|eot|docx?|xlsx?|pptx?|rss|atom|wasm|ipynb)$/i

const documentEnding = /\.(?:x?html?|php|aspx?|jsp)$/i

/** The part of a host that an import is about. */
export class Scope {
  /** The address of a folder, with a slash at its end. */
  readonly base: string
  readonly #folder: string

  constructor(origin: string, folder: string) {
    this.base = origin + folder
    this.#folder = keyOfAddress(this.base)
  }

  /** Whether a page of the import can be found at an address. */
  holds(url: URL): boolean {
    const key = keyOf(url)
    return (key === this.#folder || key.startsWith(`${this.#folder}/`)) && !otherEnding.test(url.pathname)
  }

  /** The path of an address below the folder, without the ending of its document; empty for the folder itself. */
  pathOf(url: URL): string {
    return keyOf(url)
      .slice(this.#folder.length + 1)
      .replace(documentEnding, '')
  }
}

/** Fewer links say nothing about where pages lie. */
const fewLinks = 2

/**
 * What is imported when somebody names this page: the folder that it is or lies in. A page that is no folder may also stand
 * for a larger one, when most of the navigation leads there.
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

/** Up to the last slash. */
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

/** The addresses of a navigation, in the order of reading. */
export function* addressesIn(navigation: readonly WebNavigationItem[]): Iterable<string> {
  const waiting = navigation.toReversed()
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (item.url !== undefined) yield item.url
    for (const child of item.children.toReversed()) waiting.push(child)
  }
}
