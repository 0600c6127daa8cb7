/** A request to a published site. */
export interface SiteRequest {
  /** The address as the visitor sees it, before proxies change it. */
  url: string
  method: string
  header: (name: string) => string | undefined
  /** The address of the client. */
  caller: string
  /** The address that limits are counted for: of an IPv6 address only the network, as one client can use all of it. */
  network: string
  /** Parses the body, which must be JSON of a limited size. */
  json(): Promise<unknown>
}

/** The part of a request that decides which cached reply it gets. */
export type SiteCacheRequest = Pick<SiteRequest, 'url' | 'method' | 'header'>

/** A reply of a published site. */
export interface SiteReply {
  status: number
  headers: Record<string, string>
  /** The values of the Set-Cookie headers. */
  cookies?: readonly string[]
  body: string | Uint8Array | AsyncIterable<string>
  /** Whether it may be sent again to the same visitor while the content that it was made from is the same. */
  isCacheable?: boolean
  /** Whether concurrent equal requests get the same reply while nothing is committed to the database. */
  isShareable?: boolean
  /** Whether the body is in a compressed format already, such as an image. */
  isCompressed?: boolean
}

/** A script, style or font that all sites share; its name changes with its content. */
export interface SiteAsset {
  bytes: Uint8Array
  contentType: string
  /** Whether compression makes it smaller. */
  isText: boolean
}
