import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

type Header = (name: string) => string | undefined

interface PublicAddressSettings {
  /** The configured public address of this server. */
  url: string | undefined
  /** Number of reverse proxies in front of it. */
  trustedProxies: number
}

/** Converts between public addresses and those that reach this server: proxies may change the host and remove a path prefix. */
export class PublicAddress {
  readonly #isBehindProxy: boolean
  readonly #hostname: string
  /** The path prefix of this server on its host, without a trailing slash; usually empty. */
  readonly #pathPrefix: string

  constructor({ url, trustedProxies }: PublicAddressSettings) {
    const { hostname, pathname } = new URL(url ?? 'http://localhost')
    this.#isBehindProxy = trustedProxies > 0
    this.#hostname = hostname
    this.#pathPrefix = pathname.replace(/\/+$/, '')
  }

  /** Returns the URL of a request without the path prefix of this server, for the router. */
  toRoutePath({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
    if (this.#pathPrefix === '' || !isAtOrBelow(url, this.#pathPrefix)) return url
    // Other hosts are those of sites, which may have pages at the same path.
    const address = this.#applyForwardedHost(`http://${headers.host}/`, (name) => headers[name]?.toString())
    if (!URL.canParse(address) || new URL(address).hostname !== this.#hostname) return url
    const rest = url.slice(this.#pathPrefix.length)
    return rest.startsWith('/') ? rest : `/${rest}`
  }

  /** Returns the address that the client used: with the forwarded host and the path prefix. */
  toPublicUrl(url: string, header: Header): string {
    const address = this.#applyForwardedHost(url, header)
    if (this.#pathPrefix === '' || !URL.canParse(address)) return address
    const publicUrl = new URL(address)
    if (publicUrl.hostname === this.#hostname) publicUrl.pathname = this.#pathPrefix + publicUrl.pathname
    return publicUrl.toString()
  }

  /**
   * Whether the host of a request is the server itself and not a site: the configured hostname, an IP address, or a
   * name without dots, as machines and containers have in a private network.
   */
  isServerHost(url: string, header: Header): boolean {
    const address = this.#applyForwardedHost(url, header)
    if (!URL.canParse(address)) return false
    const { hostname } = new URL(address)
    return hostname === this.#hostname || !hostname.includes('.') || isIP(hostname) !== 0
  }

  /** Replaces host and protocol by those that a trusted proxy forwarded. */
  #applyForwardedHost(url: string, header: Header): string {
    const [host, protocol] = this.#isBehindProxy ? [header('x-forwarded-host'), header('x-forwarded-proto')] : []
    if ((host === undefined && protocol === undefined) || !URL.canParse(url)) return url
    const address = new URL(url)
    if (host !== undefined) {
      // Setting a host without a port does not remove the port of this server.
      address.port = ''
      address.host = host.split(',')[0]?.trim() ?? address.host
    }
    if (protocol !== undefined) address.protocol = `${protocol.split(',')[0]?.trim()}:`
    return address.toString()
  }
}

const isAtOrBelow = (url: string, path: string): boolean =>
  url.startsWith(path) && (url.length === path.length || '/?'.includes(url.charAt(path.length)))
