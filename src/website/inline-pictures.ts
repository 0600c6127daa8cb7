// Images in data URLs, as build tools write small ones.

/** Maximum length of a data URL: build tools write no larger ones, and many would fill the text of a page. */
const maxLength = 100_000
/** Minimum size of an image; smaller ones are placeholders. */
const minBytes = 120

const pattern = /^data:(image\/(?:png|jpeg|gif|webp|avif|svg\+xml))(?:;[\w=-]+)*?(;base64)?,/i

export interface InlinePicture {
  contentType: string
  bytes: Uint8Array
  /** Normalized data URL, which needs no escaping in texts. */
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
