/** Request to a published site. */
export interface SiteRequest {
  /** URL as the visitor sees it, before proxies change it. */
  url: string
  method: string
  header: (name: string) => string | undefined
  /** IP address of the client. */
  clientAddress: string
  /** IP address for which limits are counted: for IPv6 only the network prefix, because a client can use all addresses in it. */
  clientNetwork: string
  /** Parses the body, which must be JSON of a limited size. */
  json(): Promise<unknown>
}

/** Parts of a request that determine which cached reply it gets. */
export type SiteCacheRequest = Pick<SiteRequest, 'url' | 'method' | 'header'>

/** Reply of a published site. */
export interface SiteReply {
  status: number
  headers: Record<string, string>
  /** Values of the Set-Cookie headers. */
  cookies?: readonly string[]
  body: string | Uint8Array | AsyncIterable<string>
  /** Whether it may be sent again to the same visitor while the content from which it was rendered is unchanged. */
  isCacheable?: boolean
  /** Whether concurrent identical requests get the same reply while nothing is committed to the database. */
  isShareable?: boolean
  /** Whether the body is already in a compressed format, such as an image. */
  isCompressed?: boolean
  /** Whether it is the same for everybody until the next version of the server. */
  isAsset?: boolean
}

/** Script, stylesheet or font that all sites share; its name changes with its content. */
export interface SiteAsset {
  bytes: Uint8Array
  contentType: string
  /** Whether compression makes it smaller. */
  isText: boolean
}
