import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

type Header = (name: string) => string | undefined

interface Settings {
  /** Where this server is reached, if that was configured. */
  url: string | undefined
  /** How many reverse proxies stand before it. */
  trustedProxies: number
}

/** What lies between the addresses that people write and those that reach this server: proxies, and a path that they may take off. */
export class PublicAddress {
  readonly #isBehindProxy: boolean
  readonly #hostname: string
  /** What the paths of this server stand below on its host, without a slash at its end; most have a host to themselves. */
  readonly #path: string

  constructor({ url, trustedProxies }: Settings) {
    const { hostname, pathname } = new URL(url ?? 'http://localhost')
    this.#isBehindProxy = trustedProxies > 0
    this.#hostname = hostname
    this.#path = pathname.replace(/\/+$/, '')
  }

  /** What a request asks for, as routes know it: without the path that this server stands below. */
  routed({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
    if (this.#path === '' || !isAtOrBelow(url, this.#path)) return url
    // Other hosts are those of sites, which may have such a path themselves.
    const address = this.#byHost(`http://${headers.host}/`, (name) => headers[name]?.toString())
    if (!URL.canParse(address) || new URL(address).hostname !== this.#hostname) return url
    const rest = url.slice(this.#path.length)
    return rest.startsWith('/') ? rest : `/${rest}`
  }

  /** The address that a request was sent to, whatever was taken off it on the way. */
  asked(url: string, header: Header): string {
    const address = this.#byHost(url, header)
    if (this.#path === '' || !URL.canParse(address)) return address
    const whole = new URL(address)
    if (whole.hostname === this.#hostname) whole.pathname = this.#path + whole.pathname
    return whole.toString()
  }

  /**
   * Whether a request names the server itself as its host, not a site: by the configured hostname, by an address, or
   * by a name without dots, as machines and containers have in their own network.
   */
  isServer(url: string, header: Header): boolean {
    const address = this.#byHost(url, header)
    if (!URL.canParse(address)) return false
    const { hostname } = new URL(address)
    return hostname === this.#hostname || !hostname.includes('.') || isIP(hostname) !== 0
  }

  /** By the host and protocol that the visitor used, as far as proxies that are trusted tell it. */
  #byHost(url: string, header: Header): string {
    const [host, protocol] = this.#isBehindProxy ? [header('x-forwarded-host'), header('x-forwarded-proto')] : []
    if ((host === undefined && protocol === undefined) || !URL.canParse(url)) return url
    const address = new URL(url)
    if (host !== undefined) {
      // A host that is named without a port would keep the one of this server.
      address.port = ''
      address.host = host.split(',')[0]?.trim() ?? address.host
    }
    if (protocol !== undefined) address.protocol = `${protocol.split(',')[0]?.trim()}:`
    return address.toString()
  }
}

const isAtOrBelow = (url: string, path: string): boolean =>
  url.startsWith(path) && (url.length === path.length || '/?'.includes(url.charAt(path.length)))
