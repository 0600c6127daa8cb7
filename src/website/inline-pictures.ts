// Pictures whose bytes stand in the page itself, as builds write small ones.

/** Builds write no larger ones, and many would fill the text of a page. */
const maxLength = 100_000
/** Smaller ones show nothing: they keep a place for another. */
const minBytes = 120

const pattern = /^data:(image\/(?:png|jpeg|gif|webp|avif|svg\+xml))(?:;[\w=-]+)*?(;base64)?,/i

export interface InlinePicture {
  contentType: string
  bytes: Uint8Array
  /** The address in one way of writing, which needs no care in texts. */
  address: string
}

export const isInline = (address: string): boolean => /^\s*data:/i.test(address)

export function readInline(address: string): InlinePicture | undefined {
  const written = address.length <= maxLength ? address.trim() : ''
  const [head, type = '', base64] = pattern.exec(written) ?? []
  if (head === undefined) return undefined
  const bytes = bytesOf(written.slice(head.length), base64 !== undefined)
  if (!bytes || bytes.length < minBytes) return undefined
  const contentType = type.toLowerCase()
  return { contentType, bytes, address: `data:${contentType};base64,${bytes.toString('base64')}` }
}

function bytesOf(data: string, isBase64: boolean): Buffer | undefined {
  try {
    const decoded = decodeURIComponent(data)
    return Buffer.from(decoded, isBase64 ? 'base64' : 'utf8')
  } catch {
    return undefined
  }
}

const endings: Readonly<Record<string, string>> = { 'image/jpeg': '.jpg', 'image/svg+xml': '.svg' }

export const endingOf = (contentType: string): string => endings[contentType] ?? `.${contentType.split('/')[1]}`
