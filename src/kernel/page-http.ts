/** Request of a browser to a page of the server itself, for example the sign-in page. */
export interface PageRequest {
  /** URL as the browser sees it. */
  url: URL
  /** Path below the base path of the server; begins with a slash. */
  path: string
  method: string
  header: (name: string) => string | undefined
  clientAddress: string
  /** IP address for which limits are counted: for IPv6 only the network prefix. */
  clientNetwork: string
  /** Parses the body as a form of a limited size. */
  form(): Promise<URLSearchParams>
  /** Parses the body as JSON of a limited size. */
  json(): Promise<unknown>
}

export interface PageReply {
  status: number
  headers: Record<string, string>
  /** Values of the Set-Cookie headers. */
  cookies?: readonly string[]
  body: string
}
