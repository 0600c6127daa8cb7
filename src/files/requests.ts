/** Parameters of a request that downloads a file. */
export interface DownloadRequest {
  spaceId: string
  hash: string
  expires: string
  signature: string
  /** Requested width of an image in pixels. */
  width: string | undefined
  range: string | undefined
  ifNoneMatch: string | undefined
  ifRange: string | undefined
  isHead: boolean
}

/** Parameters of a request that downloads a PDF. */
export interface PdfDownloadRequest extends Pick<DownloadRequest, 'range' | 'ifNoneMatch' | 'ifRange' | 'isHead'> {
  organizationId: string
  key: string
  expires: string
  signature: string
  /** Whether the client is a browser, which gets a page with the progress. */
  acceptsHtml: boolean
}

/** Parameters of a request that downloads a public OpenAPI specification. */
export interface SpecDownloadRequest extends Pick<DownloadRequest, 'ifNoneMatch' | 'isHead'> {
  organizationId: string
  /** Slug with the extension `.json`. */
  name: string
}

/** Parameters of a request that downloads events of the audit log. */
export interface AuditDownloadRequest extends Pick<DownloadRequest, 'isHead'> {
  organizationId: string
  /** Filter and format. */
  key: string
  expires: string
  signature: string
}

/** Parameters of a request that uploads a file. */
export interface UploadRequest {
  organizationId: string
  key: string
  expires: string
  signature: string
  /** Declared number of bytes, if any. */
  size: number | undefined
  body: AsyncIterable<Uint8Array>
}

/** Names an image of a site. */
export interface ImageDownloadRequest extends Pick<DownloadRequest, 'isHead'> {
  organizationId: string
  siteId: string
  name: string
}
