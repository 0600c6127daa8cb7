/** URL path of the server, with a trailing slash. */
export const basePath: string = document.documentElement.dataset['base'] ?? '/'

/** Returns the address of a screen: `appHref('/spaces/1')`. */
export const appHref = (path: string): string => `${basePath}app${path}`

/** Returns the address of a page of the server that is not part of the app: `serverHref('/login')`. */
export const serverHref = (path: string): string => basePath + path.slice(1)

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a URL is one of this server. On the loopback address it has several names, and replies of the API contain only one. */
function isOwnUrl({ origin, protocol, hostname, port }: URL): boolean {
  if (origin === location.origin) return true
  const areLoopback = loopbackHosts.has(hostname) && loopbackHosts.has(location.hostname)
  return areLoopback && protocol === location.protocol && port === location.port
}

/** Replaces the origin of a URL of this server with that of the page, whose content security policy forbids requests to others. */
export function toOwnOrigin(address: string): string {
  const url = new URL(address)
  return isOwnUrl(url) ? location.origin + url.pathname + url.search : address
}

/** Returns the path of a screen for an address; undefined if the address is not part of the app. */
export function toAppPath(url: URL): string | undefined {
  const prefix = `${basePath}app`
  if (!isOwnUrl(url)) return undefined
  if (url.pathname === prefix) return '/'
  return url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : undefined
}
