/** What somebody who asks for a file says. */
export interface DownloadRequest {
  spaceId: string
  hash: string
  expires: string
  signature: string
  /** The width in pixels that a picture is wanted in, if it is said. */
  width: string | undefined
  range: string | undefined
  ifNoneMatch: string | undefined
  ifRange: string | undefined
  isHead: boolean
}

/** What somebody who uploads a file sends. */
export interface UploadRequest {
  organizationId: string
  key: string
  expires: string
  signature: string
  /** How many bytes the sender says will come, if it does. */
  size: number | undefined
  body: AsyncIterable<Uint8Array>
}
